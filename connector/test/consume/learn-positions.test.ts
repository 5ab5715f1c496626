import { describe, expect, it } from 'vitest'
import { Assignment } from '../../src/consume/assignment.ts'
import type { KafkaTrouble } from '../../src/consume/kafka-trouble.ts'
import { learnPositions } from '../../src/consume/learn-positions.ts'
import { RefusedRequests } from '../../src/consume/refused-requests.ts'
import { createAuthGrace } from '../../src/lifecycle/auth-grace.ts'
import { turn, VirtualClock } from '../simulation/virtual-clock.ts'

const REFUSED = Object.assign(new Error('SASL PLAIN authentication failed'), { name: 'KafkaJSSASLAuthenticationError' })
const AWAY = Object.assign(new Error('Connection timeout'), { name: 'KafkaJSConnectionError', type: 'x', retriable: true })
const MINUTE_MS = 60_000

describe('the start positions of an assignment', () => {
  it('are asked for less and less often while Kafka refuses the credentials, until the grace period ends', async () => {
    const { clock, askedMs, failures } = await learn(() => REFUSED)
    await clock.runUntil(20 * MINUTE_MS)

    expect(askedMs.slice(0, 8)).toEqual([0, 200, 600, 1400, 3000, 6200, 12_600, 25_400])
    const gaps = askedMs.slice(8).map((ms, index) => ms - askedMs[index + 7])
    expect(new Set(gaps)).toEqual(new Set([15_000]))
    expect(askedMs.length).toBeLessThan(70)
    expect(failures).toEqual(['KAFKA_UNAUTHORIZED'])
    expect(clock.pending).toBe(0)
  })

  it('are asked for five times a second while Kafka is away', async () => {
    const { clock, askedMs } = await learn(() => AWAY)
    await clock.runUntil(10_000)

    expect(askedMs).toHaveLength(51)
  })

  it('are asked for soon again where Kafka is away after it has refused the credentials', async () => {
    const { clock, askedMs } = await learn((count) => (count <= 6 ? REFUSED : AWAY))
    await clock.runUntil(13_000)

    expect(askedMs.slice(5)).toEqual([6200, 12_600, 12_800, 13_000])
  })

  it('are not waited for any longer when another assignment has come', async () => {
    const { clock, askedMs, end } = await learn(() => REFUSED)
    await clock.runUntil(26_000)
    end()
    await clock.runUntil(26_400)

    expect(askedMs).toHaveLength(8)
    expect(clock.pending).toBe(0)
  })
})

async function learn(errorOf: (count: number) => Error) {
  const clock = new VirtualClock()
  const auth = createAuthGrace({ clock, graceMs: 15 * MINUTE_MS, reread: () => Promise.resolve() })
  const refused = new RefusedRequests(auth)
  refused.joined()
  const askedMs: number[] = []
  const failures: string[] = []
  let isCurrent = true
  void learnPositions({
    assignment: new Assignment([]),
    isCurrent: () => isCurrent && failures.length === 0,
    find: () => {
      askedMs.push(clock.now())
      return Promise.reject(errorOf(askedMs.length))
    },
    onLearned: () => undefined,
    clock,
    passes: (trouble: KafkaTrouble) => refused.passes(trouble, 'start positions'),
    fail: (error) => failures.push((error as Error & { code: string }).code)
  })
  await turn()
  return {
    clock,
    askedMs,
    failures,
    end: () => {
      isCurrent = false
    }
  }
}
