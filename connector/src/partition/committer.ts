import type { Clock } from '../lifecycle/clock.ts'
import type { Commit, Consumer } from '../kafka/consumer-port.ts'
import { partitionName } from '../kafka/consumer-port.ts'
import type { PartitionFlow } from './partition-flow.ts'

export interface CommitterOptions {
  readonly consumer: Pick<Consumer, 'commit'>
  readonly clock: Clock
  readonly everyMs: number
  readonly everyRecords: number
  readonly flows: () => Iterable<PartitionFlow>
  /** Returns false from the beginning of a rebalance until the kept partitions are confirmed: nothing is committed then. */
  readonly mayCommit: () => boolean
  readonly metadataFor: (flow: PartitionFlow, hasLeft: boolean) => string
  /** A commit failed; it is retried. */
  readonly onTrouble: (error: Error) => void
}

/** Commits the offsets up to which partitions are settled: by time, by count, and at the end. */
export class Committer {
  readonly #options: CommitterOptions
  #settledSince = 0
  #last: Promise<void> = Promise.resolve()
  #isQueued = false
  #cancelTimer: (() => void) | undefined
  /** When offsets were stored the last time, by the clock. */
  lastMs: number
  commits = 0

  constructor(options: CommitterOptions) {
    this.#options = options
    this.lastMs = options.clock.now()
  }

  /** Starts to commit by time. */
  begin(): void {
    this.#schedule()
  }

  /** One more record has its outcome. */
  settled(): void {
    if (++this.#settledSince >= this.#options.everyRecords) void this.commit()
  }

  /** Commits offsets that are not stored yet, one request at a time. Never throws: the next commit includes what this one has not stored. */
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
    // nothing is awaited between this check and the call of `commit`
    if (!this.#options.mayCommit()) return
    const flows = new Map<string, PartitionFlow>()
    const commits: Commit[] = []
    for (const flow of this.#options.flows()) {
      const position = flow.committable
      if (!flow.isReady || position === undefined || (position === flow.committed && !hasLeft)) continue
      flows.set(partitionName(flow), flow)
      commits.push({
        topic: flow.topic,
        partition: flow.partition,
        position,
        metadata: this.#options.metadataFor(flow, hasLeft && flow.openCount === 0)
      })
    }
    if (commits.length === 0) return
    try {
      const stored = await this.#options.consumer.commit(commits)
      for (const commit of stored) flows.get(partitionName(commit))!.committed = commit.position
      if (stored.length === 0) return
      this.commits++
      this.lastMs = this.#options.clock.now()
    } catch (error) {
      this.#options.onTrouble(error as Error)
    }
  }
}
