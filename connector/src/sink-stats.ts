import type { SinkState } from './sink-lifecycle.ts'
import type { SinkWait } from './lifecycle/waits.ts'
import type { PartitionWorker } from './partition/partition-worker.ts'
import type { RecordCounts } from './partition/record-counts.ts'
import type { LateCount } from './write/late-requests.ts'
import type { Target, TargetStats } from './write/target.ts'

/** Statistics of a sink. Counters begin with 0 when the sink is created and never decrease. */
export interface SinkStats extends Readonly<RecordCounts> {
  readonly state: SinkState
  /** By code. */
  readonly rejected: Readonly<Record<string, number>>
  /** Number and bytes of the records that have no outcome yet. */
  readonly open: number
  readonly openBytes: number
  readonly partitions: readonly PartitionStats[]
  readonly containers: readonly ContainerStats[]
  readonly commits: number
  /**
   * Number of requests that Cosmos DB may apply late: after their partition has moved to another member, or after their
   * own retry. By partition and stage.
   */
  readonly lateRequests: readonly LateCount[]
  /** Time since the last offset commit, in milliseconds. */
  readonly commitAgeMs: number
  readonly heartbeatAgeMs: number
  /** Everything that the sink waits for. */
  readonly waits: readonly SinkWait[]
}

export interface PartitionStats {
  readonly topic: string
  readonly partition: number
  readonly lag: number
  readonly open: number
  readonly openBytes: number
  readonly isPaused: boolean
  /** Timestamp of the record that was settled last, in milliseconds since 1970. */
  readonly settledTimestampMs: number | undefined
}

export interface ContainerStats extends TargetStats {
  readonly container: string
}

export interface StatsSources {
  readonly state: SinkState
  readonly counts: RecordCounts
  readonly workers: readonly PartitionWorker[]
  readonly targets: readonly Target[]
  readonly rejected: ReadonlyMap<string, number>
  readonly commits: number
  readonly lateRequests: readonly LateCount[]
  readonly commitAgeMs: number
  readonly heartbeatAgeMs: number
  readonly waits: readonly SinkWait[]
}

/** Collects the statistics. */
export function sinkStats({ counts, workers, targets, rejected, ...rest }: StatsSources): SinkStats {
  return {
    ...rest,
    ...counts,
    rejected: Object.fromEntries(rejected),
    open: sum(workers, ({ records }) => records.count),
    openBytes: sum(workers, ({ records }) => records.bytes),
    partitions: workers.map(({ topic, partition, isPaused, records }) => ({
      topic,
      partition,
      lag: records.lag,
      open: records.count,
      openBytes: records.bytes,
      isPaused,
      settledTimestampMs: records.settledTimestampMs
    })),
    containers: targets.map((target) => ({ container: target.container, ...target.stats() }))
  }
}

function sum(workers: readonly PartitionWorker[], of: (worker: PartitionWorker) => number): number {
  return workers.reduce((total, worker) => total + of(worker), 0)
}
