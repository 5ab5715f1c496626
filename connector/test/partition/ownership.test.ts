import { KeystampError, toPosition } from '@keystamp/core'
import { describe, expect, it } from 'vitest'
import { type Commit, type Committed, type OutOfRange, readMetadata, writeMetadata } from '../../src/kafka/consumer-port.ts'
import { Ownership } from '../../src/partition/ownership.ts'
import type { Partitions } from '../../src/partition/partitions.ts'
import type { PartitionWorker } from '../../src/partition/partition-worker.ts'
import type { Target } from '../../src/write/target.ts'
import { deferred } from '../simulation/deferred.ts'
import { turn, VirtualClock } from '../simulation/virtual-clock.ts'
import { createPartitions } from './create-partitions.ts'

const PLACE = { topic: 'things', partition: 0 }

describe('a partition that was gained', () => {
  it('begins at once where its former owner has left in order', async () => {
    const { ownership, ready } = begin({ hasLeft: true })
    ownership.assigned([PLACE])
    await turn()

    expect(ready).toEqual([0])
  })

  it('waits for the handover period where its former owner has not left in order', async () => {
    const { ownership, ready, clock } = begin({ hasLeft: false })
    ownership.assigned([PLACE])
    await turn()
    expect(ready).toEqual([])
    expect(ownership.waits).toEqual([{ reason: 'handover', detail: expect.stringContaining('former owners of 1 partitions') }])

    await clock.runUntil(1000)

    expect(ready).toEqual([0])
    expect(ownership.waits).toEqual([])
  })

  it('is claimed before anything is written', async () => {
    const { ownership, commits } = begin({ hasLeft: true })
    ownership.assigned([PLACE])
    await turn()

    expect(commits).toEqual([{ ...PLACE, position: 12, metadata: 'mine' }])
  })

  it('stops the sink when it was committed under another plan', async () => {
    const { ownership, failures, ready } = begin({ hasLeft: true, plan: 'other' })
    ownership.assigned([PLACE])
    await turn()

    expect(ready).toEqual([])
    expect(failures).toEqual([
      expect.stringMatching(
        /^PLAN_CHANGED: .*topic "things", partition 0 was committed under another key plan \(other; this one is plan-2\)/
      )
    ])
  })

  it.each([
    ['the new plan lists the old one as previous', { plan: 'plan-1' }],
    ['the settings say so', { plan: 'other', acceptPlanChange: true }]
  ])('resumes under another plan where %s', async (_why, changes) => {
    const { ownership, ready, failures } = begin({ hasLeft: true, ...changes })
    ownership.assigned([PLACE])
    await turn()

    expect(failures).toEqual([])
    expect(ready).toEqual([0])
  })

  it('is claimed with its first record where nothing was ever committed', async () => {
    const { ownership, partitions, ready, commits } = begin(undefined)
    ownership.assigned([PLACE])
    await turn()
    expect(ready).toEqual([])

    const [worker] = partitions.workers
    worker.beginAt(toPosition(3))
    await turn()

    expect(ready).toEqual([0])
    expect(commits).toMatchObject([{ position: 3 }])
  })
})

describe('a partition without a stored offset whose container is not open yet', () => {
  const START = { ...PLACE, position: toPosition(90) }

  it('has its start stored at once, so that the next owner loses nothing, and is claimed when the container is open', async () => {
    const { ownership, ready, commits, open } = begin(undefined, undefined, false)
    ownership.assigned([PLACE])
    await turn()
    ownership.learned([START])
    await turn()

    expect({ ready, commits: commits.map(({ position }) => position) }).toEqual({ ready: [], commits: [90] })
    expect(readMetadata(commits[0].metadata)).toEqual({ plan: undefined, by: 'me', hasLeft: true, partitions: 4 })
    open()
    await turn()
    expect(ready).toEqual([0])
    expect(commits.slice(1)).toEqual([{ ...START, metadata: 'mine' }])
  })

  it('has its start stored once the owner of the kept partitions is confirmed, and not before', async () => {
    const { ownership, commits, answer, stored } = begin(undefined, undefined, false)
    const asked = answer()
    ownership.assigned([PLACE])
    ownership.learned([START])
    await turn()
    expect(commits).toEqual([])

    ownership.rebalancing()
    asked.resolve([stored()])
    await turn()
    expect(commits).toEqual([])

    ownership.assigned([PLACE])
    ownership.learned([START])
    await turn()
    expect(commits.map(({ position }) => position)).toEqual([90])
  })

  it('has its start stored again until the group accepts it', async () => {
    let isTaken = false
    const { ownership, commits, clock } = begin(undefined, (asked) => (isTaken ? asked : []), false)
    ownership.assigned([PLACE])
    await turn()
    ownership.learned([START])
    await turn()
    isTaken = true
    await clock.runUntil(5000)

    expect(commits.map(({ position }) => position)).toEqual([90, 90])
  })

  it('has no start stored in a rebalance', async () => {
    const { ownership, commits, clock } = begin(undefined, () => [], false)
    ownership.assigned([PLACE])
    await turn()
    ownership.learned([START])
    await turn()
    ownership.rebalancing()
    await clock.runUntil(5000)

    expect(commits).toHaveLength(1)
    expect(clock.pending).toBe(0)
  })

  it('is claimed only when the request that stores its start has been answered', async () => {
    let answerStart!: () => void
    const answered = new Promise<void>((resolve) => {
      answerStart = resolve
    })
    const { ownership, commits, open, ready } = begin(
      undefined,
      (asked) => (asked[0].metadata === 'mine' ? asked : answered.then(() => asked)),
      false
    )
    ownership.assigned([PLACE])
    await turn()
    ownership.learned([START])
    open()
    await turn()
    expect(commits).toHaveLength(1)

    answerStart()
    await turn()
    expect(commits).toHaveLength(2)
    expect(ready).toEqual([0])
  })

  it('is begun by its next owner at the stored start, at once and under any plan', async () => {
    const { ownership, ready, commits, store, failures } = begin(undefined)
    const metadata = writeMetadata({ plan: undefined, by: 'somebody', hasLeft: true, partitions: 1 })
    store({ ...START, metadata })
    ownership.assigned([PLACE])
    await turn()

    expect({ ready, failures }).toEqual({ ready: [0], failures: [] })
    expect(commits).toEqual([{ ...START, metadata: 'mine' }])
  })

  it('keeps the stored commit of another owner, whose requests may be on their way', async () => {
    const { ownership, commits, store } = begin(undefined, () => [], false)
    ownership.assigned([PLACE])
    await turn()
    ownership.learned([START])
    await turn()
    const before = commits.length
    store({ ...START, metadata: writeMetadata({ plan: 'plan-2', by: 'somebody', hasLeft: false }) })
    ownership.rebalancing()
    ownership.assigned([PLACE])
    await turn()

    expect(commits).toHaveLength(before)
  })

  it('delays no partition whose container is open', async () => {
    const other = { topic: 'others', partition: 1 }
    const { ownership, ready, answer, stored } = begin({ hasLeft: true }, undefined, false)
    answer().resolve([stored(), { ...stored(), ...other }])
    ownership.assigned([PLACE, other])
    await turn()

    expect(ready).toEqual([1])
  })
})

describe('a claim that the group does not store', () => {
  it('is a named wait while it is retried', async () => {
    let isTaken = false
    const { ownership, ready, clock } = begin({ hasLeft: true }, (asked) => (isTaken ? asked : []))
    ownership.assigned([PLACE])
    await turn()
    expect(ownership.waits).toMatchObject([{ reason: 'kafka', detail: 'claims of 1 partitions are not stored yet' }])
    expect(ready).toEqual([])

    isTaken = true
    await clock.runUntil(1000)

    expect(ownership.waits).toEqual([])
    expect(ready).toEqual([0])
  })

  it('is reported, and does not delay other partitions', async () => {
    let isDown = true
    const { ownership, ready, failures, troubles, clock } = begin({ hasLeft: true }, (asked) => {
      if (isDown) throw new Error('the broker is away')
      return asked
    })
    ownership.assigned([PLACE])
    await turn()
    expect(troubles).toEqual(['the broker is away'])

    isDown = false
    await clock.runUntil(1000)

    expect(failures).toEqual([])
    expect(ready).toEqual([0])
  })

  it('is retried with growing delays while Kafka refuses the credentials', async () => {
    const { ownership, commits, clock } = begin({ hasLeft: true }, () => {
      throw new KeystampError('KAFKA_UNAUTHORIZED', 'The password is wrong.')
    })
    ownership.assigned([PLACE])
    await turn()
    await clock.runUntil(15 * 60_000)

    // after 0.2, 0.4, 0.8 ... 12.8 seconds, then every 15 seconds
    expect(commits.length).toBeGreaterThan(60)
    expect(commits.length).toBeLessThan(70)
  })

  it('is not retried for a partition that was lost', async () => {
    const { ownership, commits, clock } = begin({ hasLeft: true }, () => [])
    ownership.assigned([PLACE])
    await turn()

    ownership.assigned([])
    await clock.runUntil(1000)

    expect(commits).toHaveLength(1)
    expect(ownership.waits).toEqual([])
    expect(clock.pending).toBe(0)
  })
})

describe('an ownership that is given up', () => {
  it('waits for nothing, and claims nothing', async () => {
    const { ownership, ready, commits, clock } = begin({ hasLeft: false })
    ownership.assigned([PLACE])
    await turn()

    ownership.close()

    expect(clock.pending).toBe(0)
    expect(ownership.waits).toEqual([])
    await clock.runUntil(5000)
    expect({ ready, commits }).toEqual({ ready: [], commits: [] })
  })

  it('stops retrying claims', async () => {
    const { ownership, commits, clock } = begin({ hasLeft: true }, () => [])
    ownership.assigned([PLACE])
    await turn()
    await clock.runUntil(1000)
    const asked = commits.length

    ownership.close()
    await clock.runUntil(5000)

    expect(asked).toBeGreaterThan(5)
    expect(commits).toHaveLength(asked)
    expect(clock.pending).toBe(0)
  })
})

describe('a rebalance', () => {
  it('keeps the records in flight of kept partitions', async () => {
    const { ownership, partitions } = begin({ hasLeft: true })
    ownership.assigned([PLACE])
    await turn()
    const [before] = partitions.workers

    ownership.assigned([PLACE, { topic: 'things', partition: 1 }])

    expect([...partitions.workers][0]).toBe(before)
    expect(partitions.size).toBe(2)
  })

  it('loses the partitions that are not listed any more, and fences their requests', async () => {
    const { ownership, partitions } = begin({ hasLeft: true })
    ownership.assigned([PLACE])
    await turn()
    const [worker] = partitions.workers

    ownership.assigned([])

    expect(worker.isLost).toBe(true)
    expect(partitions.size).toBe(0)
  })
})

describe('a partition that is kept by a rebalance', () => {
  it('is not confirmed from the beginning of the rebalance until Kafka has said whose commit it stored last', async () => {
    const { ownership, answer, stored } = await keepOne()
    expect(ownership.isConfirmed).toBe(true)

    ownership.rebalancing()
    expect(ownership.isConfirmed).toBe(false)
    expect(ownership.isRebalancing).toBe(true)
    const asked = answer()
    ownership.assigned([PLACE])
    await turn()
    expect(ownership.isConfirmed).toBe(false)
    expect(ownership.isRebalancing).toBe(false)
    expect(ownership.waits).toMatchObject([{ reason: 'kafka', subject: 'owner' }])

    asked.resolve([{ ...stored(), metadata: OURS }])
    await turn()
    expect(ownership.isConfirmed).toBe(true)
    expect(ownership.waits).toEqual([])
  })

  it('is kept where the last commit is of this member', async () => {
    const { ownership, partitions, worker, stored, store, commits, fromOffset } = await keepOne()
    store({ ...stored(), metadata: OURS })
    const before = commits.length

    ownership.rebalancing()
    ownership.assigned([PLACE])
    await turn()

    expect([...partitions.workers]).toEqual([worker])
    expect(worker.isLost).toBe(false)
    expect(commits).toHaveLength(before)
    expect(fromOffset).toEqual([])
  })

  it('is kept where nothing is stored and nothing was', async () => {
    const { ownership, partitions, ready, commits } = begin(undefined)
    ownership.assigned([PLACE])
    await turn()
    const [worker] = partitions.workers

    ownership.rebalancing()
    ownership.assigned([PLACE])
    await turn()
    expect([...partitions.workers]).toEqual([worker])

    worker.beginAt(toPosition(3))
    await turn()
    expect({ ready, positions: commits.map(({ position }) => position) }).toEqual({ ready: [0], positions: [3] })
  })

  it.each([
    ['another sink', writeMetadata({ plan: 'plan-2', by: 'somebody', hasLeft: false }), 1000],
    ['another tool', 'set by hand', 0],
    ['nobody who can be read', '{"keystamp', 0]
  ])(
    'is lost, and begins again from the stored offset after the handover period, where the last commit is of %s',
    async (_who, metadata, waitMs) => {
      const { ownership, partitions, worker, stored, store, ready, commits, fromOffset, clock } = await keepOne()
      store({ ...stored(), position: toPosition(40), metadata })

      ownership.rebalancing()
      ownership.assigned([PLACE])
      await turn()
      const [next] = partitions.workers

      expect({ isLost: worker.isLost, isSame: next === worker, expected: next.records.expected }).toEqual({
        isLost: true,
        isSame: false,
        expected: 40
      })
      expect(fromOffset).toEqual([40])
      expect(ready).toHaveLength(waitMs === 0 ? 2 : 1)
      await clock.runUntil(clock.now() + waitMs)
      expect(ready).toHaveLength(2)
      expect(commits.at(-1)).toEqual({ ...PLACE, position: 40, metadata: 'mine' })
    }
  )

  it('L1 is lost when its stored offset is gone with its topic, and begins where the consumer says', async () => {
    const { ownership, partitions, worker, stored, store, fromOffset, commits } = await keepOne()
    store({ ...stored(), position: undefined, metadata: '' })

    ownership.rebalancing()
    ownership.assigned([PLACE])
    await turn()
    const [next] = partitions.workers
    expect({ isLost: worker.isLost, expected: next.records.expected, fromOffset }).toEqual({
      isLost: true,
      expected: undefined,
      fromOffset: []
    })

    expect(ownership.move(recreated(0, 90))).toBe(0)
    await turn()
    expect(commits.at(-1)).toMatchObject({ position: 0 })
    expect([...partitions.workers]).toEqual([next])
  })

  it('L1 begins once where the consumer has said so before the stored offsets are read', async () => {
    const { ownership, partitions, answer, stored, worker, commits, ready } = await keepOne()
    ownership.rebalancing()
    const asked = answer()
    ownership.assigned([PLACE])

    expect(ownership.move(recreated(0, 90))).toBe(0)
    await turn()
    const [next] = partitions.workers
    asked.resolve([{ ...stored(), position: undefined, metadata: '' }])
    await turn()

    expect({ isLost: worker.isLost, workers: [...partitions.workers], isConfirmed: ownership.isConfirmed }).toEqual({
      isLost: true,
      workers: [next],
      isConfirmed: true
    })
    expect({ next: next.isClaimed, ready: ready.length, commits: commits.slice(1) }).toMatchObject({
      next: true,
      ready: 2,
      commits: [{ position: 0 }]
    })
  })

  it('L1 begins once where its stored offsets are read while the claim of its new start is in flight', async () => {
    const { ownership, partitions, answer, stored, commits, ready, holdCommits, failures, troubles } = await keepOne()
    ownership.rebalancing()
    const asked = answer()
    ownership.assigned([PLACE])
    const release = holdCommits()
    ownership.move(recreated(0, 90))
    await turn()
    asked.resolve([{ ...stored(), position: undefined, metadata: '' }])
    await turn()
    expect(ready).toHaveLength(1)

    release()
    await turn()
    const [next] = partitions.workers

    expect({ isClaimed: next.isClaimed, ready: ready.length, claims: commits.slice(1) }).toMatchObject({
      isClaimed: true,
      ready: 2,
      claims: [{ position: 0 }, { position: 0 }]
    })
    expect([failures, troubles]).toEqual([[], []])
  })

  it.for([
    [0, 90],
    [90, 90]
  ])('L1 is lost where its topic was created again, also where the new offsets include its own (to %i)', async ([to, high]) => {
    const { ownership, worker, commits } = await keepOne()

    expect(ownership.move(recreated(to, high))).toBe(to)
    await turn()

    expect(worker.isLost).toBe(true)
    expect(commits.at(-1)).toMatchObject({ position: to })
  })

  it('is retried until Kafka answers, and is not confirmed before', async () => {
    const { ownership, answer, stored, clock, failures } = await keepOne()
    const asked = answer()

    ownership.rebalancing()
    ownership.assigned([PLACE])
    asked.reject(new KeystampError('KAFKA_UNAVAILABLE', 'The coordinator does not answer.'))
    const again = answer()
    await turn()
    await clock.runUntil(clock.now() + 1000)
    expect({ isConfirmed: ownership.isConfirmed, failures }).toEqual({ isConfirmed: false, failures: [] })
    expect(ownership.waits).toEqual([
      {
        reason: 'kafka',
        subject: 'owner',
        detail: 'the offsets that the group stored last could not be read, retrying: The coordinator does not answer'
      }
    ])

    again.resolve([{ ...stored(), metadata: OURS }])
    await turn()
    expect(ownership.isConfirmed).toBe(true)
  })

  it('is retried with growing delays while Kafka refuses the credentials', async () => {
    const { ownership, asked, clock } = begin({ hasLeft: true }, undefined, true, () => {
      throw new KeystampError('KAFKA_UNAUTHORIZED', 'The password is wrong.')
    })
    ownership.assigned([PLACE])
    await turn()
    await clock.runUntil(15 * 60_000)

    expect(asked()).toBeGreaterThan(60)
    expect(asked()).toBeLessThan(70)
  })

  it('is not confirmed by an answer from before the next rebalance', async () => {
    const { ownership, answer, stored } = await keepOne()
    const asked = answer()
    ownership.rebalancing()
    ownership.assigned([PLACE])

    ownership.rebalancing()
    asked.resolve([{ ...stored(), metadata: OURS }])
    await turn()

    expect(ownership.isConfirmed).toBe(false)
  })

  it('is not claimed while a rebalance is under way, and again after it', async () => {
    const { ownership, commits, clock } = begin({ hasLeft: false })
    ownership.assigned([PLACE])
    await turn()

    ownership.rebalancing()
    await clock.runUntil(5000)
    expect(commits).toEqual([])

    ownership.assigned([PLACE])
    await turn()
    await clock.runUntil(10_000)
    expect(commits).toHaveLength(1)
  })

  it('is claimed again where the answer to its claim was lost', async () => {
    let isLost = true
    const { ownership, ready, commits, store } = begin({ hasLeft: true }, (asked) => (isLost ? [] : asked))
    ownership.assigned([PLACE])
    await turn()
    store({ ...PLACE, position: toPosition(12), metadata: OURS })
    isLost = false

    ownership.rebalancing()
    ownership.assigned([PLACE])
    await turn()

    expect({ ready, claims: commits.length }).toEqual({ ready: [0], claims: 2 })
  })
})

const OURS = writeMetadata({ plan: 'plan-2', by: 'me', hasLeft: false })

/** A member that owns a partition, has claimed it, and is told of a rebalance next. */
function recreated(to: number, high: number): OutOfRange {
  return { ...PLACE, from: toPosition(12), to: toPosition(to), low: toPosition(0), high: toPosition(high), isRecreated: true }
}

async function keepOne(): Promise<Begun & { readonly worker: PartitionWorker }> {
  const begun = begin({ hasLeft: true })
  begun.ownership.assigned([PLACE])
  await turn()
  const [worker] = begun.partitions.workers
  return { ...begun, worker }
}

interface Stored {
  readonly hasLeft: boolean
  readonly plan?: string
  readonly acceptPlanChange?: boolean
}

interface Begun {
  readonly ownership: Ownership
  readonly partitions: Partitions
  readonly clock: VirtualClock
  readonly ready: number[]
  readonly commits: Commit[]
  readonly failures: string[]
  readonly troubles: string[]
  /** Offsets from which a partition is delivered again. */
  readonly fromOffset: number[]
  /** How often was asked for what the group has stored. */
  readonly asked: () => number
  /** Opens the container of the topic "things". */
  readonly open: () => void
  readonly stored: () => Committed
  /** Answers no commit until the returned function is called. */
  readonly holdCommits: () => () => void
  /** Stores this for the group. */
  readonly store: (committed: Committed) => void
  /** Takes the next question for what is stored into the hands of the test. */
  readonly answer: () => { readonly resolve: (stored: readonly Committed[]) => void; readonly reject: (error: Error) => void }
}

function begin(
  stored: Stored | undefined,
  commit: (asked: readonly Commit[]) => readonly Commit[] | Promise<readonly Commit[]> = (asked) => asked,
  isOpenAtFirst = true,
  beforeAnswer: () => void = () => undefined
): Begun {
  let asks = 0
  let isOpen = isOpenAtFirst
  let open!: () => void
  const opened = new Promise<void>((resolve) => {
    open = () => {
      isOpen = true
      resolve()
    }
  })
  const clock = new VirtualClock()
  const ready: number[] = []
  const commits: Commit[] = []
  const failures: string[] = []
  const troubles: string[] = []
  const fromOffset: number[] = []
  let held: Promise<void> = Promise.resolve()
  const answers: Promise<readonly Committed[]>[] = []
  const metadata = stored === undefined ? '' : writeMetadata({ plan: stored.plan ?? 'plan-2', by: 'somebody', hasLeft: stored.hasLeft })
  let committed: Committed = { ...PLACE, position: stored === undefined ? undefined : toPosition(12), metadata, initialPartitions: 4 }
  const partitions = createPartitions({ clock, onBegun: (worker) => ownership.begun(worker) })
  const ownership = new Ownership({
    consumer: {
      commit: async (asked) => {
        commits.push(...asked)
        await held
        return commit(asked)
      },
      committed: async () => {
        asks++
        beforeAnswer()
        return (await answers.shift()) ?? [committed]
      },
      deliverFrom: (_place, position) => fromOffset.push(position),
      lastHeartbeatMs: 0,
      sessionTimeoutMs: 1000
    },
    clock,
    partitions,
    openTarget: async (topic) => {
      if (!isOpen && topic === PLACE.topic) await opened
      return { fingerprint: 'plan-2', previousFingerprints: ['plan-1'] } as unknown as Target
    },
    isOpen: (topic) => isOpen || topic !== PLACE.topic,
    self: 'me',
    metadataFor: () => 'mine',
    handoverMs: 1000,
    acceptPlanChange: stored?.acceptPlanChange ?? false,
    onChange: () => undefined,
    onCommitFailed: ({ message }) => troubles.push(message),
    onClaimed: ({ partition }) => ready.push(partition),
    fail: (error) => failures.push(`${(error as KeystampError).code}: ${error.message}`)
  })
  return {
    ownership,
    partitions,
    clock,
    ready,
    commits,
    failures,
    troubles,
    fromOffset,
    asked: () => asks,
    open,
    stored: () => committed,
    holdCommits: () => {
      const { promise, resolve } = deferred()
      held = promise
      return resolve
    },
    store: (given) => {
      committed = given
    },
    answer: () => {
      let resolve!: (stored: readonly Committed[]) => void
      let reject!: (error: Error) => void
      answers.push(
        new Promise((kept, broken) => {
          resolve = kept
          reject = broken
        })
      )
      return { resolve, reject }
    }
  }
}
