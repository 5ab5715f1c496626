import { isKeystampError } from '@keystamp/core'
import { writeMetadata } from '../kafka/commit-metadata.ts'
import { type Consumer, partitionName } from '../kafka/consumer-port.ts'
import { RetryDelay } from '../lifecycle/auth-grace.ts'
import type { Clock } from '../lifecycle/clock.ts'
import type { Wait } from '../lifecycle/waits.ts'
import type { Join } from './join.ts'
import type { PartitionFlow } from './partition-flow.ts'

export interface ClaimsOptions {
  readonly consumer: Pick<Consumer, 'commit'>
  readonly clock: Pick<Clock, 'now'>
  /** Name of this process in the metadata of its commits. */
  readonly self: string
  /** Whether the container of this topic is open. */
  readonly isOpen: (topic: string) => boolean
  readonly metadataFor: (flow: PartitionFlow) => string
  /** The claim is stored: work on the partition may begin. */
  readonly onReady: (flow: PartitionFlow) => void
  /** A commit failed; it is retried. */
  readonly onTrouble: (error: Error) => void
}

/**
 * Claims partitions: commits their offsets with the identity of this process before anything is written. The next owner reads from a claim
 * whether writes of this member may still be in flight, also where this member never came to commit what it wrote.
 */
export class Claims {
  /** How often claims were stored. */
  count = 0
  /** When claims were stored the last time, by the clock. */
  lastMs: number = Number.NEGATIVE_INFINITY
  readonly #options: ClaimsOptions
  /** Partitions without a stored offset, of which no record has come yet. */
  readonly #withoutOffset: Set<PartitionFlow> = new Set()
  /** Partitions whose claim the group has not stored. */
  #uncommitted = 0
  readonly #delay: RetryDelay = new RetryDelay(RETRY_MS)
  /** Whether Kafka refused the credentials of the last claim. */
  #isRefused = false
  /** Commit of starts that is in flight: it would replace a claim that overtakes it. */
  #storingStarts: Promise<unknown> = Promise.resolve()

  constructor(options: ClaimsOptions) {
    this.#options = options
  }

  get hasUncommitted(): boolean {
    return this.#uncommitted > 0
  }

  get waits(): readonly Wait[] {
    if (this.#uncommitted === 0) return []
    return [{ reason: 'kafka', subject: 'claim', detail: `claims of ${this.#uncommitted} partitions are not stored yet` }]
  }

  joinEnded(): void {
    this.#withoutOffset.clear()
    this.#uncommitted = 0
  }

  /** Claims the partition once it has an offset. */
  claimOnceBegun(flow: PartitionFlow): void {
    this.#withoutOffset.add(flow)
  }

  /** The partition has an offset: claims it where that was waited for. */
  begun(join: Join, flow: PartitionFlow): void {
    if (this.#withoutOffset.delete(flow)) void this.claim(join, [flow])
  }

  /** Claims the partitions until the group has stored all claims, or the join ends. */
  async claim(join: Join, flows: readonly PartitionFlow[]): Promise<void> {
    let left = flows.filter(isUnclaimed)
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
  async #commit(join: Join, asked: readonly PartitionFlow[]): Promise<void> {
    const { consumer, clock, metadataFor, onReady, onTrouble } = this.#options
    await this.#storingStarts
    const flows = asked.filter(isUnclaimed)
    if (join.hasEnded || flows.length === 0) return
    const commits = flows.map((flow) => {
      const { topic, partition, committable } = flow
      return { topic, partition, position: committable!, metadata: metadataFor(flow) }
    })
    try {
      const stored = new Map((await consumer.commit(commits)).map((commit) => [partitionName(commit), commit]))
      if (stored.size > 0) {
        this.count++
        this.lastMs = clock.now()
      }
      for (const flow of flows) {
        const commit = stored.get(partitionName(flow))
        if (commit === undefined || flow.isLost) continue
        flow.committed = commit.position
        // stored in a generation that has ended: claimed again in the next one
        if (join.hasEnded) continue
        flow.isReady = true
        onReady(flow)
      }
      this.#isRefused = false
    } catch (error) {
      this.#isRefused = hasRefusedCredentials(error)
      onTrouble(error as Error)
    }
  }

  /**
   * Stores where partitions begin that have no stored offset and cannot be claimed yet, since their container is not open. Otherwise the next
   * owner would begin at the latest record again, after records that arrived meanwhile. Nothing was written, hence no handover period.
   */
  async storeStarts(join: Join, flows: () => Iterable<PartitionFlow>): Promise<void> {
    for (let starts = this.#unstoredStarts(flows()); starts.length > 0 && !join.hasEnded; starts = this.#unstoredStarts(flows())) {
      const storing = this.#commitStarts(starts)
      this.#storingStarts = storing
      const isRefused = await storing
      if (this.#unstoredStarts(flows()).length > 0) await join.wait(this.#delay.next(isRefused))
    }
  }

  #unstoredStarts(flows: Iterable<PartitionFlow>): readonly PartitionFlow[] {
    return [...flows].filter(
      ({ isReady, expected, committed, topic }) =>
        !isReady && expected !== undefined && committed === undefined && !this.#options.isOpen(topic)
    )
  }

  /** Sends one commit. Returns whether Kafka refused the credentials; does not throw. */
  async #commitStarts(flows: readonly PartitionFlow[]): Promise<boolean> {
    const { consumer, self, onTrouble } = this.#options
    const byName = new Map(flows.map((flow) => [partitionName(flow), flow]))
    const commits = flows.map(({ topic, partition, committable, initialPartitions }) => ({
      topic,
      partition,
      position: committable!,
      metadata: writeMetadata({ plan: undefined, by: self, hasLeft: true, partitions: initialPartitions })
    }))
    try {
      for (const commit of await consumer.commit(commits)) byName.get(partitionName(commit))!.committed = commit.position
      return false
    } catch (error) {
      onTrouble(error as Error)
      return hasRefusedCredentials(error)
    }
  }
}

const RETRY_MS = 100

function isUnclaimed({ isLost, isReady }: PartitionFlow): boolean {
  return !isLost && !isReady
}

/** Whether Kafka refused the credentials. */
export function hasRefusedCredentials(error: unknown): boolean {
  return isKeystampError(error) && error.code === 'KAFKA_UNAUTHORIZED'
}
