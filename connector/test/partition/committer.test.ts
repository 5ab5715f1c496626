import { toPosition } from '@keystamp/core'
import { describe, expect, it } from 'vitest'
import type { Commit } from '../../src/kafka/consumer-port.ts'
import { Committer, type CommitterOptions } from '../../src/partition/committer.ts'
import type { PartitionWorker } from '../../src/partition/partition-worker.ts'
import { turn, VirtualClock } from '../simulation/virtual-clock.ts'
import { create } from './worker/begin.ts'

describe('commits', () => {
  it('are sent at intervals, but only if records were settled since the last commit', async () => {
    const { committer, clock, stored } = begin()
    await clock.runUntil(1000)
    await clock.runUntil(2000)
    committer.stop()

    expect(stored.map(({ position }) => position)).toEqual([5])
  })

  it('are sent after a number of records, one request at a time', async () => {
    const { committer, stored, asked } = begin({ everyRecords: 3 })
    for (let record = 0; record < 9; record++) committer.settled()
    await turn()
    committer.stop()

    // the second request finds nothing that the first has not stored
    expect(stored).toHaveLength(1)
    expect(asked()).toBe(1)
  })

  it('are not sent for a partition that is not claimed yet', async () => {
    const { worker } = create()
    worker.beginAt(toPosition(5))
    const { committer, stored } = begin({ workers: () => [worker] })
    await committer.commit()
    committer.stop()

    expect(stored).toEqual([])
  })

  it('L5 are not sent at intervals, by count or at the end before the stored offsets have confirmed the partitions, but are sent afterwards', async () => {
    let isConfirmed = false
    const { committer, clock, stored, asked } = begin({ mayCommit: () => isConfirmed, everyRecords: 3 })
    await clock.runUntil(1000)
    for (let record = 0; record < 3; record++) committer.settled()
    await committer.commit(true)
    expect(asked()).toBe(0)

    isConfirmed = true
    await committer.commit()
    committer.stop()

    expect(stored.map(({ position }) => position)).toEqual([5])
  })

  it('are retried after a failure', async () => {
    let fails = true
    const errors: string[] = []
    const { committer, stored, store } = begin({
      onCommitFailed: ({ message }) => errors.push(message),
      consumer: { commit: (commits) => (fails ? Promise.reject(new Error('rebalance')) : store(commits)) }
    })
    await committer.commit()
    fails = false
    await committer.commit()
    committer.stop()

    expect(errors).toEqual(['rebalance'])
    expect(stored).toHaveLength(1)
  })

  it('report that the owner has left only if none of its requests is in flight', async () => {
    const { committer, stored, metadata } = begin()
    await committer.commit(true)
    committer.stop()

    expect(stored).toHaveLength(1)
    expect(metadata).toEqual([true])
  })
})

interface Begun {
  readonly committer: Committer
  readonly clock: VirtualClock
  readonly stored: Commit[]
  readonly metadata: boolean[]
  readonly store: (commits: readonly Commit[]) => Promise<readonly Commit[]>
  readonly asked: () => number
}

function begin(changes: Partial<CommitterOptions> = {}): Begun {
  const clock = new VirtualClock()
  const stored: Commit[] = []
  const metadata: boolean[] = []
  const worker = claimedAt(5)
  let asked = 0
  const store = (commits: readonly Commit[]): Promise<readonly Commit[]> => {
    asked++
    stored.push(...commits)
    return Promise.resolve(commits)
  }
  const committer = new Committer({
    consumer: { commit: store },
    clock,
    everyMs: 1000,
    everyRecords: 1000,
    workers: () => [worker],
    mayCommit: () => true,
    metadataFor: (_worker, hasLeft) => {
      metadata.push(hasLeft)
      return ''
    },
    onCommitFailed: () => undefined,
    ...changes
  })
  committer.begin()
  return { committer, clock, stored, metadata, store, asked: () => asked }
}

function claimedAt(position: number): PartitionWorker {
  const { worker } = create()
  worker.beginAt(toPosition(position))
  worker.claimed()
  return worker
}
