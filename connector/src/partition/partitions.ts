import { type Consumer, partitionName, type TopicPartition } from '../kafka/consumer-port.ts'
import type { Clock } from '../lifecycle/clock.ts'
import { PartitionWorker, type WorkerOptions } from './partition-worker.ts'

export interface PartitionsOptions extends Omit<WorkerOptions, 'consumer' | 'onRefused' | 'shareBytes'> {
  readonly consumer: Pick<Consumer, 'ends' | 'pause' | 'resume'>
  readonly clock: Pick<Clock, 'schedule'>
  /** Memory of all partitions, in bytes; each has the same share. */
  readonly maxBytes: number
}

/** The partitions that this member owns, with a worker for each, and the open records of all of them. */
export class Partitions {
  readonly #options: PartitionsOptions
  readonly #workerOptions: WorkerOptions
  readonly #workers: Map<string, PartitionWorker> = new Map()
  #isStopped = false
  #done: (() => void) | undefined
  /** Records that stopped the sink: they get no outcome. */
  #refused = 0

  constructor(options: PartitionsOptions) {
    this.#options = options
    this.#workerOptions = {
      ...options,
      shareBytes: () => options.maxBytes / Math.max(1, this.#workers.size),
      onSettled: () => {
        options.onSettled()
        this.#checkDone()
      },
      onRefused: () => {
        this.#refused++
        this.#checkDone()
      }
    }
  }

  get size(): number {
    return this.#workers.size
  }

  get workers(): Iterable<PartitionWorker> {
    return this.#workers.values()
  }

  /** The worker of a partition; undefined if this member does not own the partition. */
  of(topicPartition: TopicPartition): PartitionWorker | undefined {
    return this.#workers.get(partitionName(topicPartition))
  }

  gain(topicPartitions: readonly TopicPartition[]): void {
    if (topicPartitions.length === 0) return
    const delivery = this.#isStopped ? 'stopped' : 'flowing'
    for (const topicPartition of topicPartitions)
      this.#workers.set(
        partitionName(topicPartition),
        new PartitionWorker(topicPartition, this.#workerOptions, delivery)
      )
    // a partition that was paused when it was lost is still paused
    this.#options.consumer.resume(topicPartitions.map(({ topic, partition }) => ({ topic, partition })))
  }

  lose(workers: readonly PartitionWorker[]): void {
    for (const worker of workers) {
      worker.lose()
      this.#workers.delete(partitionName(worker))
    }
    // the records of a lost partition do not delay a shutdown
    this.#checkDone()
  }

  /** Gives up all partitions. Their open records are still counted. */
  loseAll(): void {
    for (const worker of this.workers) worker.lose()
  }

  /** Takes no more records. */
  stop(): void {
    this.#isStopped = true
    for (const worker of this.workers) worker.stop()
  }

  /** Number of records that were taken and have no outcome. */
  get openCount(): number {
    let count = 0
    for (const { records } of this.workers) count += records.count
    return count
  }

  /** Oldest open record of one partition, named by topic, partition and offset. */
  get oldestOpen(): string | undefined {
    for (const worker of this.workers) {
      const { oldest } = worker.records
      if (oldest !== undefined) return `${partitionName(worker)} at offset ${oldest}`
    }
    return undefined
  }

  /** Resolves when no records are open except those that stopped the sink, or after `giveUp`. */
  whenDone(): Promise<void> {
    return new Promise((resolve) => {
      this.#done = resolve
      this.#checkDone()
    })
  }

  giveUp(): void {
    this.#done?.()
  }

  #checkDone(): void {
    if (this.#done !== undefined && this.openCount <= this.#refused) this.#done()
  }

  /**
   * Reads the end offsets of partitions that are paused or had no delivery yet, every 5 s: fetches do not report their
   * lag.
   */
  watchEnds(): { readonly stop: () => void } {
    let isStopped = false
    const schedule = (): (() => void) =>
      this.#options.clock.schedule(EVERY_MS, () => {
        void this.#readEnds().then(() => {
          if (!isStopped) cancel = schedule()
          return undefined
        })
      })
    let cancel = schedule()
    return {
      stop: () => {
        isStopped = true
        cancel()
      }
    }
  }

  async #readEnds(): Promise<void> {
    const unknown = [...this.workers].filter(({ isPaused, records }) => isPaused || records.end === undefined)
    if (unknown.length === 0) return
    try {
      const ends = await this.#options.consumer.ends(unknown)
      for (const worker of unknown) worker.endsAt(ends.get(partitionName(worker)) ?? worker.records.end)
    } catch {
      // the lag stays as it was until the next attempt
    }
  }
}

const EVERY_MS = 5000
