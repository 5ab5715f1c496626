import { KeystampError, toPosition } from '@keystamp/core'
import { describe, expect, it } from 'vitest'
import { type OutOfRange, writeMetadata } from '../../src/kafka/consumer-port.ts'
import type { PartitionWorker } from '../../src/partition/partition-worker.ts'
import { turn } from '../simulation/virtual-clock.ts'
import { begin, type Begun, OURS, PARTITION } from './begin-ownership.ts'

describe('a partition that a rebalance assigns to its former owner again', () => {
  // checks L5
  it('is not confirmed from the beginning of the rebalance until the stored offsets show which member committed last', async () => {
    const { ownership, answer, stored } = await keepOne()
    expect(ownership.isConfirmed).toBe(true)

    ownership.rebalancing()
    expect(ownership.isConfirmed).toBe(false)
    expect(ownership.isRebalancing).toBe(true)
    const asked = answer()
    ownership.assigned([PARTITION])
    await turn()
    expect(ownership.isConfirmed).toBe(false)
    expect(ownership.isRebalancing).toBe(false)
    expect(ownership.waits).toMatchObject([{ reason: 'kafka', subject: 'owner' }])

    asked.resolve([{ ...stored(), metadata: OURS }])
    await turn()
    expect(ownership.isConfirmed).toBe(true)
    expect(ownership.waits).toEqual([])
  })

  // checks L5
  it('is kept if its last commit was made by this member', async () => {
    const { ownership, partitions, worker, stored, store, commits, fromOffset } = await keepOne()
    store({ ...stored(), metadata: OURS })
    const before = commits.length

    ownership.rebalancing()
    ownership.assigned([PARTITION])
    await turn()

    expect([...partitions.workers]).toEqual([worker])
    expect(worker.isLost).toBe(false)
    expect(commits).toHaveLength(before)
    expect(fromOffset).toEqual([])
  })

  // checks L5
  it('is kept if the group has no stored offset for it, and had none before the rebalance', async () => {
    const { ownership, partitions, claimed, commits } = begin(undefined)
    ownership.assigned([PARTITION])
    await turn()
    const [worker] = partitions.workers

    ownership.rebalancing()
    ownership.assigned([PARTITION])
    await turn()
    expect([...partitions.workers]).toEqual([worker])

    worker.beginAt(toPosition(3))
    await turn()
    expect({ claimed, positions: commits.map(({ position }) => position) }).toEqual({ claimed: [0], positions: [3] })
  })

  // checks L5
  it.each([
    ['another sink', writeMetadata({ plan: 'plan-2', by: 'somebody', hasLeft: false }), 1000],
    ['another tool', 'set by hand', 0],
    ['an unknown program, with invalid metadata', '{"keystamp', 0]
  ])(
    'is treated as lost, and begins again at the stored offset after the handover period, if its last commit was made by %s',
    async (_who, metadata, waitMs) => {
      const { ownership, partitions, worker, stored, store, claimed, commits, fromOffset, clock } = await keepOne()
      store({ ...stored(), position: toPosition(40), metadata })

      ownership.rebalancing()
      ownership.assigned([PARTITION])
      await turn()
      const [next] = partitions.workers

      expect({ isLost: worker.isLost, isSame: next === worker, expected: next.records.expected }).toEqual({
        isLost: true,
        isSame: false,
        expected: 40
      })
      expect(fromOffset).toEqual([40])
      expect(claimed).toHaveLength(waitMs === 0 ? 2 : 1)
      await clock.runUntil(clock.now() + waitMs)
      expect(claimed).toHaveLength(2)
      expect(commits.at(-1)).toEqual({ ...PARTITION, position: 40, metadata: 'mine' })
    }
  )

  it('L1 is treated as lost when its stored offset was deleted with its topic, and begins at the offset that the consumer reports', async () => {
    const { ownership, partitions, worker, stored, store, fromOffset, commits } = await keepOne()
    store({ ...stored(), position: undefined, metadata: '' })

    ownership.rebalancing()
    ownership.assigned([PARTITION])
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

  it('L1 begins only once if the consumer reports the new topic before the stored offsets are read', async () => {
    const { ownership, partitions, answer, stored, worker, commits, claimed } = await keepOne()
    ownership.rebalancing()
    const asked = answer()
    ownership.assigned([PARTITION])

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
    expect({ next: next.isClaimed, claimed: claimed.length, commits: commits.slice(1) }).toMatchObject({
      next: true,
      claimed: 2,
      commits: [{ position: 0 }]
    })
  })

  it('L5 is claimed only once if its topic was created again, and not before the stored offsets are read', async () => {
    const { ownership, partitions, answer, stored, commits, claimed, holdCommits, failures, commitErrors } =
      await keepOne()
    ownership.rebalancing()
    const asked = answer()
    ownership.assigned([PARTITION])
    const release = holdCommits()
    ownership.move(recreated(0, 90))
    await turn()
    expect(commits.slice(1)).toEqual([])

    asked.resolve([{ ...stored(), position: undefined, metadata: '' }])
    await turn()
    release()
    await turn()
    const [next] = partitions.workers

    expect({ isClaimed: next.isClaimed, claimed: claimed.length, claims: commits.slice(1) }).toMatchObject({
      isClaimed: true,
      claimed: 2,
      claims: [{ position: 0 }]
    })
    expect([failures, commitErrors]).toEqual([[], []])
  })

  it.for([
    [0, 90],
    [90, 90]
  ])(
    'L1 is treated as lost if its topic was created again, even if its offset is in the range of the new topic (begins at %i)',
    async ([to, high]) => {
      const { ownership, worker, commits } = await keepOne()

      expect(ownership.move(recreated(to, high))).toBe(to)
      await turn()

      expect(worker.isLost).toBe(true)
      expect(commits.at(-1)).toMatchObject({ position: to })
    }
  )

  // checks L5
  it('has its stored offset read again until Kafka answers, and is not confirmed before', async () => {
    const { ownership, answer, stored, clock, failures } = await keepOne()
    const asked = answer()

    ownership.rebalancing()
    ownership.assigned([PARTITION])
    asked.reject(new KeystampError('KAFKA_UNAVAILABLE', 'The coordinator does not answer.'))
    const again = answer()
    await turn()
    await clock.runUntil(clock.now() + 1000)
    expect({ isConfirmed: ownership.isConfirmed, failures }).toEqual({ isConfirmed: false, failures: [] })
    expect(ownership.waits).toEqual([
      {
        reason: 'kafka',
        subject: 'owner',
        detail: 'the stored offsets of the group could not be read, retrying: The coordinator does not answer'
      }
    ])

    again.resolve([{ ...stored(), metadata: OURS }])
    await turn()
    expect(ownership.isConfirmed).toBe(true)
  })

  it('has its stored offset read again with growing delays while Kafka refuses the credentials', async () => {
    const { ownership, asked, clock } = begin({ hasLeft: true }, undefined, true, () => {
      throw new KeystampError('KAFKA_UNAUTHORIZED', 'The password is wrong.')
    })
    ownership.assigned([PARTITION])
    await turn()
    await clock.runUntil(15 * 60_000)

    expect(asked()).toBeGreaterThan(60)
    expect(asked()).toBeLessThan(70)
  })

  // checks L5
  it('is not confirmed by stored offsets that were requested before the latest rebalance', async () => {
    const { ownership, answer, stored } = await keepOne()
    const asked = answer()
    ownership.rebalancing()
    ownership.assigned([PARTITION])

    ownership.rebalancing()
    asked.resolve([{ ...stored(), metadata: OURS }])
    await turn()

    expect(ownership.isConfirmed).toBe(false)
  })

  // checks L5
  it('is not claimed during a rebalance, but is claimed again after it', async () => {
    const { ownership, commits, clock } = begin({ hasLeft: false })
    ownership.assigned([PARTITION])
    await turn()

    ownership.rebalancing()
    await clock.runUntil(5000)
    expect(commits).toEqual([])

    ownership.assigned([PARTITION])
    await turn()
    await clock.runUntil(10_000)
    expect(commits).toHaveLength(1)
  })

  it('is claimed again if the answer to its claim was lost', async () => {
    let isLost = true
    const { ownership, claimed, commits, store } = begin({ hasLeft: true }, (asked) => (isLost ? [] : asked))
    ownership.assigned([PARTITION])
    await turn()
    store({ ...PARTITION, position: toPosition(12), metadata: OURS })
    isLost = false

    ownership.rebalancing()
    ownership.assigned([PARTITION])
    await turn()

    expect({ claimed, claims: commits.length }).toEqual({ claimed: [0], claims: 2 })
  })
})

function recreated(to: number, high: number): OutOfRange {
  return {
    ...PARTITION,
    from: toPosition(12),
    to: toPosition(to),
    low: toPosition(0),
    high: toPosition(high),
    isRecreated: true
  }
}

/** A member that owns one partition and has claimed it, before a rebalance. */
async function keepOne(): Promise<Begun & { readonly worker: PartitionWorker }> {
  const begun = begin({ hasLeft: true })
  begun.ownership.assigned([PARTITION])
  await turn()
  const [worker] = begun.partitions.workers
  return { ...begun, worker }
}
