import { type Consumer, writeMetadata } from '../kafka/consumer-port.ts'
import { hasRefusedCredentials } from '../kafka/kafka-errors.ts'
import { RetryDelay } from '../lifecycle/auth-grace.ts'
import type { Clock } from '../lifecycle/clock.ts'
import type { Wait } from '../lifecycle/waits.ts'
import { storeOffsets } from './committer.ts'
import type { PartitionWorker } from './partition-worker.ts'

export interface ClaimsOptions {
  readonly consumer: Pick<Consumer, 'commit'>
  readonly clock: Pick<Clock, 'now'>
  /** Name of this process in the metadata of its commits. */
  readonly self: string
  /** Whether the container of this topic is open. */
  readonly isOpen: (topic: string) => boolean
  readonly metadataFor: (worker: PartitionWorker, hasLeft: boolean) => string
  /** A claim is stored: work on its partition begins. */
  readonly onClaimed: (worker: PartitionWorker) => void
  /** A commit failed; it is retried. */
  readonly onCommitFailed: (error: Error) => void
  readonly fail: (error: Error) => void
}

/**
 * Claims partitions: commits their offsets with the identity of this process before anything is written. From a claim,
 * the next owner learns that writes of this member may still be in flight, even if this member has committed nothing
 * else.
 */
export class Claims {
  /** How often claims were stored. */
  count = 0
  /** When claims were stored the last time, by the clock. */
  lastMs: number = Number.NEGATIVE_INFINITY
  readonly #options: ClaimsOptions
  /** Partitions that have no stored offset, and no record yet. */
  readonly #withoutOffset: Set<PartitionWorker> = new Set()
  /** Partitions whose claim the group has not stored. */
  #uncommitted = 0
  readonly #delay: RetryDelay = new RetryDelay(RETRY_MS)
  /** Whether Kafka refused the credentials of the last claim. */
  #isRefused = false
  /**
   * Commit of start offsets that is in flight. Claims wait for it: arriving after a claim, it would replace the claim.
   */
  #storingStarts: Promise<unknown> = Promise.resolve()

  constructor(options: ClaimsOptions) {
    this.#options = options
  }

  get hasUncommitted(): boolean {
    return this.#uncommitted > 0
  }

  get waits(): readonly Wait[] {
    if (this.#uncommitted === 0) return []
    return [
      { reason: 'kafka', subject: 'claim', detail: `claims of ${this.#uncommitted} partitions are not stored yet` }
    ]
  }

  joinEnded(): void {
    this.#withoutOffset.clear()
    this.#uncommitted = 0
  }

  /** Claims the partition once it has an offset. */
  claimOnceBegun(worker: PartitionWorker): void {
    this.#withoutOffset.add(worker)
  }

  /** Called when the partition has an offset. Claims the partition if `claimOnceBegun` was called for it. */
  begun(join: Join, worker: PartitionWorker): void {
    if (this.#withoutOffset.delete(worker)) void this.claim(join, [worker])
  }

  /** Claims the partitions until the group has stored all claims, or the join ends. */
  async claim(join: Join, workers: readonly PartitionWorker[]): Promise<void> {
    let left = workers.filter(isUnclaimed)
    while (left.length > 0 && !join.hasEnded) {
      await this.#commit(join, left)
      left = left.filter(isUnclaimed)
      if (left.length === 0 || join.hasEnded) return
      this.#uncommitted += left.length
      await join.wait(this.#delay.next(this.#isRefused))
      this.#uncommitted -= left.length
      left = left.filter(isUnclaimed)
    }
  }

  /** Commits claims once. The group stores none during a rebalance, or while the coordinator is away. */
  async #commit(join: Join, asked: readonly PartitionWorker[]): Promise<void> {
    const { consumer, clock, metadataFor, onCommitFailed } = this.#options
    await this.#storingStarts
    const workers = asked.filter(isUnclaimed)
    if (join.hasEnded || workers.length === 0) return
    try {
      const stored = await storeOffsets(consumer, workers, (worker) => metadataFor(worker, false))
      if (stored.length > 0) {
        this.count++
        this.lastMs = clock.now()
      }
      // stored in a generation that has ended: claimed again in the next one
      if (!join.hasEnded) for (const worker of stored) this.#begin(worker)
      this.#isRefused = false
    } catch (error) {
      this.#isRefused = hasRefusedCredentials(error)
      onCommitFailed(error as Error)
    }
  }

  #begin(worker: PartitionWorker): void {
    // two claims of a partition may be in flight: work begins with the first one that is stored
    if (!isUnclaimed(worker)) return
    try {
      this.#options.onClaimed(worker)
      worker.claimed()
    } catch (error) {
      this.#options.fail(error as Error)
    }
  }

  /**
   * Commits the start offset of partitions that have no stored offset and cannot be claimed yet, since their container
   * is not open. Otherwise, with `from: latest`, the next owner would begin after records that arrived meanwhile.
   * Nothing was written, so the commit asks for no handover period.
   */
  async storeStarts(join: Join, workers: () => Iterable<PartitionWorker>): Promise<void> {
    for (
      let starts = this.#unstoredStarts(workers());
      starts.length > 0 && !join.hasEnded;
      starts = this.#unstoredStarts(workers())
    ) {
      const storing = this.#commitStarts(starts)
      this.#storingStarts = storing
      const isRefused = await storing
      if (this.#unstoredStarts(workers()).length > 0) await join.wait(this.#delay.next(isRefused))
    }
  }

  #unstoredStarts(workers: Iterable<PartitionWorker>): readonly PartitionWorker[] {
    return [...workers].filter(
      ({ isClaimed, records, stored, topic }) =>
        !isClaimed && records.expected !== undefined && stored.position === undefined && !this.#options.isOpen(topic)
    )
  }

  /** Sends one commit. Returns whether Kafka refused the credentials; does not throw. */
  async #commitStarts(starts: readonly PartitionWorker[]): Promise<boolean> {
    const { consumer, self, onCommitFailed } = this.#options
    try {
      await storeOffsets(consumer, starts, ({ stored }) =>
        writeMetadata({ plan: undefined, by: self, hasLeft: true, partitions: stored.initialPartitions })
      )
      return false
    } catch (error) {
      onCommitFailed(error as Error)
      return hasRefusedCredentials(error)
    }
  }
}

/** Time from one join of the group to the next rebalance. When it ends, the waits that began in it never resolve. */
export class Join {
  hasEnded = false
  readonly #clock: Pick<Clock, 'schedule'>
  readonly #cancels: Set<() => void> = new Set()

  constructor(clock: Pick<Clock, 'schedule'>) {
    this.#clock = clock
  }

  /** Resolves after `ms`; never if the join ends before that. */
  wait(ms: number): Promise<void> {
    return new Promise((resolve) => {
      if (this.hasEnded) return
      const cancel = this.#clock.schedule(ms, () => {
        this.#cancels.delete(cancel)
        resolve()
      })
      this.#cancels.add(cancel)
    })
  }

  end(): void {
    this.hasEnded = true
    for (const cancel of this.#cancels) cancel()
    this.#cancels.clear()
  }
}

const RETRY_MS = 100

function isUnclaimed({ isLost, isClaimed }: PartitionWorker): boolean {
  return !isLost && !isClaimed
}
