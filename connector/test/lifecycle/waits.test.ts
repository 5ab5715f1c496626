import { describe, expect, it } from 'vitest'
import { type Wait, Waits } from '../../src/lifecycle/waits.ts'
import { VirtualClock } from '../simulation/virtual-clock.ts'

const COSMOS: Wait = { reason: 'cosmos', detail: 'the last answer was 503' }

describe('a wait', () => {
  it('is logged when it starts, once a minute, and when it ends, with its duration', async () => {
    const { clock, lines, now } = begin()
    now.push(COSMOS)
    await clock.runUntil(130_000)
    expect(lines).toEqual([
      'warn 2 wait started: Cosmos DB: the last answer was 503',
      'warn 62 still waiting after 62 s: Cosmos DB: the last answer was 503',
      'warn 122 still waiting after 122 s: Cosmos DB: the last answer was 503'
    ])

    now.length = 0
    await clock.runUntil(200_000)

    expect(lines.slice(3)).toEqual(['info 129 wait ended: Cosmos DB, after 129 s'])
  })

  it('is not logged when it is short', async () => {
    const { clock, lines, now } = begin()
    now.push(COSMOS)
    await clock.runUntil(2000)
    now.length = 0
    await clock.runUntil(10_000)

    expect(lines).toEqual([])
  })

  it('for Kafka is not logged before it takes longer than an ordinary rebalance', async () => {
    const { clock, lines, now } = begin()
    now.push({ reason: 'kafka', detail: 'a rebalance of the consumer group' })
    await clock.runUntil(9900)
    expect(lines).toEqual([])

    await clock.runUntil(12_000)

    expect(lines).toEqual(['warn 10 wait started: Kafka: a rebalance of the consumer group'])
  })

  it('continues when its cause ends for a moment and returns', async () => {
    const { clock, lines, now } = begin()
    for (let second = 0; second < 30; second++) {
      if (second % 2 === 0) now.push(COSMOS)
      else now.length = 0
      await clock.runUntil(1000 * second + 1100)
    }

    expect(lines).toEqual([expect.stringContaining('wait started: Cosmos DB')])
  })

  it('begins at the time that its source reports', async () => {
    const { clock, lines, now } = begin()
    await clock.runUntil(20_500)
    now.push({ ...COSMOS, sinceMs: 5000 })
    await clock.runUntil(21_500)

    expect(lines).toEqual(['warn 16 wait started: Cosmos DB: the last answer was 503'])
  })

  it('for many containers at once is logged in one line, which does not hide waits for other services', async () => {
    const { clock, lines, now, waits } = begin()
    for (const subject of ['a', 'b', 'c', 'd'])
      now.push({ reason: 'cosmos', subject, detail: `container "${subject}"` })
    now.push({ reason: 'registry', detail: 'no answer' })
    await clock.runUntil(4000)

    expect(lines).toEqual([
      'warn 2 wait started: Cosmos DB: container "a"; container "b"; container "c"; and 1 more',
      'warn 2 wait started: the schema registry: no answer'
    ])
    expect(waits.current.map(({ reason, durationMs }) => `${reason} ${durationMs}`)).toEqual([
      ...Array.from({ length: 4 }, () => 'cosmos 3000'),
      'registry 3000'
    ])
  })

  it.each(['no answer in 2000 ms', 'no answer in 2000 ms.', 'no answer in 2000 ms..'])(
    'has no full stop at the end of its detail: %s',
    async (detail) => {
      const { clock, lines, now, waits } = begin()
      now.push({ reason: 'cosmos', detail })
      await clock.runUntil(4000)

      expect(lines).toEqual(['warn 2 wait started: Cosmos DB: no answer in 2000 ms'])
      expect(waits.current).toMatchObject([{ detail: 'no answer in 2000 ms' }])
    }
  )

  it('is not sampled any more after `stop`', async () => {
    const { clock, waits } = begin()
    waits.stop()
    await clock.runUntil(5000)

    expect(clock.pending).toBe(0)
  })
})

function begin(): {
  readonly clock: VirtualClock
  readonly lines: string[]
  readonly now: Wait[]
  readonly waits: Waits
} {
  const clock = new VirtualClock()
  const lines: string[] = []
  const now: Wait[] = []
  const write =
    (level: string) =>
    (facts: object, sentence: string): void =>
      void lines.push(`${level} ${(facts as { seconds: number }).seconds} ${sentence}`)
  const waits = new Waits({
    clock,
    log: { info: write('info'), warn: write('warn'), error: write('error') },
    sources: () => now
  })
  waits.begin()
  return { clock, lines, now, waits }
}
