import { type Consumer, partitionName } from '../kafka/consumer-port.ts'
import { hasRefusedCredentials } from '../kafka/kafka-errors.ts'
import { type Clock, waitFor } from '../lifecycle/clock.ts'
import type { PartitionWorker } from './partition-worker.ts'

export interface CommitterOptions {
  readonly consumer: Pick<Consumer, 'commit'>
  readonly clock: Clock
  readonly everyMs: number
  readonly everyRecords: number
  readonly workers: () => Iterable<PartitionWorker>
  /**
   * Returns false while nothing may be committed: from the beginning of a rebalance until the kept partitions are
   * confirmed.
   */
  readonly mayCommit: () => boolean
  readonly metadataFor: (worker: PartitionWorker, hasLeft: boolean) => string
  /** A commit failed; it is retried. */
  readonly onCommitFailed: (error: Error) => void
}

/** Commits the offsets up to which partitions are settled: at intervals, after a number of records, and at the end. */
export class Committer {
  readonly #options: CommitterOptions
  #settledSince = 0
  #last: Promise<void> = Promise.resolve()
  #isQueued = false
  #cancelTimer: (() => void) | undefined
  /** When offsets were stored the last time, by the clock. */
  lastMs: number
  commits = 0
  /** Error of the last commit; undefined if it did not fail. */
  #failure: Error | undefined

  constructor(options: CommitterOptions) {
    this.#options = options
    this.lastMs = options.clock.now()
  }

  /** Starts to commit at intervals. */
  begin(): void {
    this.#schedule()
  }

  /** Called when one more record has its outcome. */
  settled(): void {
    if (++this.#settledSince >= this.#options.everyRecords) void this.commit()
  }

  /**
   * Commits offsets that are not stored yet, one request at a time. Never throws: the next commit includes what this
   * one has not stored.
   */
  commit(hasLeft = false): Promise<void> {
    this.#settledSince = 0
    if (this.#isQueued && !hasLeft) return this.#last
    this.#isQueued = true
    this.#last = this.#last.then(() => {
      this.#isQueued = false
      return this.#commitNow(hasLeft)
    })
    return this.#last
  }

  /**
   * Commits for the last time. If that fails, retries until all offsets are stored, or until the partitions are given
   * up: the coordinator of the group may be moving to another broker.
   */
  async commitLast(hasLeft: boolean): Promise<void> {
    const { clock, workers } = this.#options
    await this.commit(hasLeft)
    while (
      this.#failure !== undefined &&
      !hasRefusedCredentials(this.#failure) &&
      [...workers()].some((worker) => worker.hasUncommitted)
    ) {
      await waitFor(RETRY_MS, clock)
      await this.commit(hasLeft)
    }
  }

  stop(): void {
    this.#cancelTimer?.()
  }

  #schedule(): void {
    this.#cancelTimer = this.#options.clock.schedule(this.#options.everyMs, () => {
      void this.commit()
      this.#schedule()
    })
  }

  async #commitNow(hasLeft: boolean): Promise<void> {
    const { consumer, clock, workers, mayCommit, metadataFor, onCommitFailed } = this.#options
    this.#failure = undefined
    // nothing is awaited between this check and the call of `commit`
    if (!mayCommit()) return
    const owned = [...workers()].filter((worker) => worker.hasUncommitted || (hasLeft && worker.isClaimed))
    if (owned.length === 0) return
    try {
      const stored = await storeOffsets(consumer, owned, (worker) =>
        metadataFor(worker, hasLeft && worker.records.count === 0)
      )
      if (stored.length === 0) return
      this.commits++
      this.lastMs = clock.now()
    } catch (error) {
      this.#failure = error as Error
      onCommitFailed(error as Error)
    }
  }
}

const RETRY_MS = 100

/**
 * Commits the current committable offsets with one request. Returns the partitions whose offsets the group has stored.
 */
export async function storeOffsets(
  consumer: Pick<Consumer, 'commit'>,
  workers: readonly PartitionWorker[],
  metadataFor: (worker: PartitionWorker) => string
): Promise<readonly PartitionWorker[]> {
  const byName = new Map(workers.map((worker) => [partitionName(worker), worker]))
  const commits = workers.map((worker) => {
    const { topic, partition, records } = worker
    return { topic, partition, position: records.committable!, metadata: metadataFor(worker) }
  })
  // a partition may be drained while the commit is in flight
  const drained = new Map(workers.map((worker) => [worker, worker.drained]))
  const stored = await consumer.commit(commits)
  return stored.map((commit) => {
    const worker = byName.get(partitionName(commit))!
    worker.committed(commit.position, drained.get(worker))
    return worker
  })
}
