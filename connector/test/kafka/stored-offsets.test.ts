import { toPosition } from '@keystamp/core'
import { describe, expect, it } from 'vitest'
import type { OutOfRange } from '../../src/kafka/consumer-port.ts'
import { StoredOffsets } from '../../src/kafka/stored-offsets.ts'
import { turn, VirtualClock } from '../simulation/virtual-clock.ts'

const PLACE = { topic: 't', partition: 0 }
const HERE = (): boolean => true

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

      expect(await offsets.beforeCommit([PLACE], HERE)).toBe(true)

      expect(moves).toEqual([{ ...PLACE, from: 50, to, low: 10, high: 90, isRecreated: true }])
      expect(warnings).toEqual([{ code: 'OFFSETS_LOST', ...PLACE, from: 50, to }])
      expect(offsets.mayCommit(PLACE)).toBe(true)
    }
  )

  it('L1 fails, and commits nothing more, where it is to stop', async () => {
    const { offsets, clock, moves, failures, store } = await known({ lostOffsets: 'stop' })
    await clock.runUntil(1000)
    store(undefined)

    expect(await offsets.beforeCommit([PLACE], HERE)).toBe(true)

    expect(failures).toMatchObject([
      { code: 'OFFSETS_LOST', message: expect.stringContaining('does not store its offset 50 any more') }
    ])
    expect(moves).toEqual([])
    expect(offsets.mayCommit(PLACE)).toBe(false)
    expect(offsets.mayCommit({ topic: 't', partition: 1 })).toBe(true)
  })

  it('L1 begins a generation there, and not where `from` says', async () => {
    const { offsets, store } = await known({ lostOffsets: 'earliest', from: 'latest' })
    store(undefined)

    const found = await offsets.find([PLACE])

    expect(found.positions.get('t/0')).toBe(10)
    expect(found).toMatchObject({ starts: [], gone: [{ from: 50, to: 10 }] })
  })

  it('moves once', async () => {
    const { offsets, clock, moves, store } = await known({})
    await clock.runUntil(1000)
    store(undefined)
    await offsets.beforeCommit([PLACE], HERE)
    await clock.runUntil(3000)

    expect(await offsets.beforeCommit([PLACE], HERE)).toBe(false)
    expect(moves).toHaveLength(1)
  })
})

describe('StoredOffsets, before a commit', () => {
  it('asks once a second at most, and again at once where another answer misses an offset', async () => {
    const { offsets, clock, questions } = await known({})
    expect(await offsets.beforeCommit([PLACE], HERE)).toBe(false)
    await clock.runUntil(999)
    expect(await offsets.beforeCommit([PLACE], HERE)).toBe(false)
    expect(questions()).toBe(1)

    await clock.runUntil(1000)
    expect(await offsets.beforeCommit([PLACE], HERE)).toBe(false)
    expect(questions()).toBe(2)

    offsets.update([{ ...PLACE, position: undefined, metadata: '' }])
    expect(await offsets.beforeCommit([PLACE], HERE)).toBe(false)
    expect(questions()).toBe(3)
  })

  it('delays commits for the check in flight, up to two seconds', async () => {
    const { offsets, clock, hold } = await known({})
    await clock.runUntil(1000)
    hold()
    const answers: string[] = []
    void Promise.resolve(offsets.beforeCommit([PLACE], HERE)).then(() => answers.push('first'))
    void Promise.resolve(offsets.beforeCommit([PLACE], HERE)).then(() => answers.push('second'))

    await clock.runUntil(2999)
    expect(answers).toEqual([])
    await clock.runUntil(3000)
    await turn()
    expect(answers).toEqual(['first', 'second'])
  })

  it('drops an answer that comes too late, or after another assignment', async () => {
    const { offsets, clock, moves, store, hold } = await known({})
    await clock.runUntil(1000)
    store(undefined)
    const held = hold()
    const late = offsets.beforeCommit([PLACE], HERE)
    await clock.runUntil(3000)
    held.resolve()
    expect(await late).toBe(false)
    await turn()

    await clock.runUntil(4000)
    held.resolve()
    expect(await offsets.beforeCommit([PLACE], () => false)).toBe(false)

    expect(moves).toEqual([])
  })

  it('reports neither an offset that was stored during the request, nor one that was never stored', async () => {
    const { offsets, clock, moves, store, hold } = create({})
    store(undefined)
    const held = hold()
    const asked = offsets.look([PLACE], HERE)
    offsets.stored([{ ...PLACE, position: toPosition(50), metadata: '' }])
    held.resolve()

    expect(await asked).toBe(false)
    expect(moves).toEqual([])
    await clock.runUntil(1000)
    expect(await offsets.beforeCommit([PLACE], HERE)).toBe(true)
  })

  it('sends the commit where Kafka does not answer the check', async () => {
    const { offsets, clock, moves, hold } = await known({})
    await clock.runUntil(1000)
    hold().reject(new Error('no answer'))

    expect(await offsets.beforeCommit([PLACE], HERE)).toBe(false)
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
  let questions = 0
  let held: Promise<void> | undefined
  const offsets = new StoredOffsets({
    settings: { group: 'g', from, lostOffsets },
    admin: () => ({
      fetchOffsets: async () => {
        questions++
        const answer = [{ topic: 't', partitions: [{ partition: 0, offset: String(offset ?? -1), metadata: '' }] }]
        await held
        return answer
      },
      fetchTopicOffsets: async () => [{ partition: 0, offset: '90', high: '90', low: '10' }]
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
    questions: () => questions,
    /** The offset that the group stores from now on. */
    store: (next: number | undefined) => void (offset = next),
    /** Holds back the answers from now on. */
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

/** The group stores offset 50, and this has been heard of. */
async function known(policy: Policy) {
  const created = create(policy)
  await created.offsets.find([PLACE])
  return created
}
