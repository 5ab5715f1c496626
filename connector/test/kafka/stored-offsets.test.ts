import { toPosition } from '@keystamp/core'
import { describe, expect, it } from 'vitest'
import type { OutOfRange } from '../../src/kafka/consumer-port.ts'
import { StoredOffsets } from '../../src/kafka/stored-offsets.ts'
import { turn, VirtualClock } from '../simulation/virtual-clock.ts'

const PARTITION = { topic: 't', partition: 0 }
const ALWAYS = (): boolean => true

describe('StoredOffsets, of a topic that was deleted and created again', () => {
  it.for([
    ['earliest', 10],
    ['latest', 90]
  ] as const)(
    'L1 continues at the %s record before the next commit hides that its offset is gone',
    async ([lostOffsets, to]) => {
      const { offsets, clock, moves, warnings, store } = await known({ lostOffsets })
      await clock.runUntil(1000)
      store(undefined)

      expect(await offsets.beforeCommit([PARTITION], ALWAYS)).toBe(true)

      expect(moves).toEqual([{ ...PARTITION, from: 50, to, low: 10, high: 90, isRecreated: true }])
      expect(warnings).toEqual([{ code: 'OFFSETS_LOST', ...PARTITION, from: 50, to }])
      expect(offsets.mayCommit(PARTITION)).toBe(true)
    }
  )

  it('L1 fails, and commits nothing more, under `lostOffsets: stop`', async () => {
    const { offsets, clock, moves, failures, store } = await known({ lostOffsets: 'stop' })
    await clock.runUntil(1000)
    store(undefined)

    expect(await offsets.beforeCommit([PARTITION], ALWAYS)).toBe(true)

    expect(failures).toMatchObject([
      { code: 'OFFSETS_LOST', message: expect.stringContaining('does not store its offset 50 any more') }
    ])
    expect(moves).toEqual([])
    expect(offsets.mayCommit(PARTITION)).toBe(false)
    expect(offsets.mayCommit({ topic: 't', partition: 1 })).toBe(true)
  })

  it('L1 begins a generation at the offset of `lostOffsets`, not at that of `from`', async () => {
    const { offsets, store } = await known({ lostOffsets: 'earliest', from: 'latest' })
    store(undefined)

    const found = await offsets.find([PARTITION])

    expect(found.positions.get('t/0')).toBe(10)
    expect(found).toMatchObject({ starts: [], gone: [{ from: 50, to: 10 }] })
  })

  it('reports the new offset only once', async () => {
    const { offsets, clock, moves, store } = await known({})
    await clock.runUntil(1000)
    store(undefined)
    await offsets.beforeCommit([PARTITION], ALWAYS)
    await clock.runUntil(3000)

    expect(await offsets.beforeCommit([PARTITION], ALWAYS)).toBe(false)
    expect(moves).toHaveLength(1)
  })
})

describe('StoredOffsets, before a commit', () => {
  it('reads the stored offsets from Kafka at most once a second, but at once if another answer lacks an offset', async () => {
    const { offsets, clock, requests } = await known({})
    expect(await offsets.beforeCommit([PARTITION], ALWAYS)).toBe(false)
    await clock.runUntil(999)
    expect(await offsets.beforeCommit([PARTITION], ALWAYS)).toBe(false)
    expect(requests()).toBe(1)

    await clock.runUntil(1000)
    expect(await offsets.beforeCommit([PARTITION], ALWAYS)).toBe(false)
    expect(requests()).toBe(2)

    offsets.update([{ ...PARTITION, position: undefined, metadata: '' }])
    expect(await offsets.beforeCommit([PARTITION], ALWAYS)).toBe(false)
    expect(requests()).toBe(3)
  })

  it('delays commits until the check in flight has ended, for up to two seconds', async () => {
    const { offsets, clock, hold } = await known({})
    await clock.runUntil(1000)
    hold()
    const answers: string[] = []
    void Promise.resolve(offsets.beforeCommit([PARTITION], ALWAYS)).then(() => answers.push('first'))
    void Promise.resolve(offsets.beforeCommit([PARTITION], ALWAYS)).then(() => answers.push('second'))

    await clock.runUntil(2999)
    expect(answers).toEqual([])
    await clock.runUntil(3000)
    await turn()
    expect(answers).toEqual(['first', 'second'])
  })

  it('ignores an answer of Kafka that comes too late, or after another assignment', async () => {
    const { offsets, clock, moves, store, hold } = await known({})
    await clock.runUntil(1000)
    store(undefined)
    const held = hold()
    const late = offsets.beforeCommit([PARTITION], ALWAYS)
    await clock.runUntil(3000)
    held.resolve()
    expect(await late).toBe(false)
    await turn()

    await clock.runUntil(4000)
    held.resolve()
    expect(await offsets.beforeCommit([PARTITION], () => false)).toBe(false)

    expect(moves).toEqual([])
  })

  it('reports no loss of an offset that was stored during the request, or that was never stored', async () => {
    const { offsets, clock, moves, store, hold } = create({})
    store(undefined)
    const held = hold()
    const asked = offsets.look([PARTITION], ALWAYS)
    offsets.stored([{ ...PARTITION, position: toPosition(50), metadata: '' }])
    held.resolve()

    expect(await asked).toBe(false)
    expect(moves).toEqual([])
    await clock.runUntil(1000)
    expect(await offsets.beforeCommit([PARTITION], ALWAYS)).toBe(true)
  })

  it('sends the commit if Kafka does not answer the check', async () => {
    const { offsets, clock, moves, hold } = await known({})
    await clock.runUntil(1000)
    hold().reject(new Error('no answer'))

    expect(await offsets.beforeCommit([PARTITION], ALWAYS)).toBe(false)
    expect(moves).toEqual([])
  })
})

type Policy = Partial<Pick<ConstructorParameters<typeof StoredOffsets>[0]['settings'], 'from' | 'lostOffsets'>>

function create({ from = 'earliest', lostOffsets = 'earliest' }: Policy) {
  const clock = new VirtualClock()
  const moves: OutOfRange[] = []
  const failures: Error[] = []
  const warnings: unknown[] = []
  let offset: number | undefined = 50
  let requests = 0
  let held: Promise<void> | undefined
  const offsets = new StoredOffsets({
    settings: { group: 'g', from, lostOffsets },
    admin: () => ({
      fetchOffsets: async () => {
        requests++
        const answer = [{ topic: 't', partitions: [{ partition: 0, offset: String(offset ?? -1), metadata: '' }] }]
        await held
        return answer
      },
      fetchTopicOffsets: async () => [{ partition: 0, offset: '90', high: '90', low: '10' }],
      fetchTopicOffsetsByTimestamp: async () => []
    }),
    clock,
    log: { warn: (facts) => void warnings.push(facts) },
    move: (range) => void moves.push(range),
    fail: (error) => void failures.push(error)
  })
  return {
    offsets,
    clock,
    moves,
    failures,
    warnings,
    requests: () => requests,
    /** Sets the offset that the group stores. */
    store: (next: number | undefined) => void (offset = next),
    /** Delays all answers until the test resolves them. */
    hold: () => {
      let resolve!: () => void
      let reject!: (error: Error) => void
      const until = new Promise<void>((done, failed) => {
        resolve = done
        reject = failed
      })
      until.catch(() => {})
      held = until
      return { resolve, reject }
    }
  }
}

/** The group stores offset 50, which `StoredOffsets` has read. */
async function known(policy: Policy) {
  const created = create(policy)
  await created.offsets.find([PARTITION])
  return created
}
