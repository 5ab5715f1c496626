import { BATCH_SIZE_BOUNDS, CHARGE_BOUNDS_RU, LATENCY_BOUNDS_MS, type RangeCounters } from '@keystamp/cosmos'
import { WAIT_REASONS } from '../lifecycle/waits.ts'
import type { ContainerStats, PartitionStats, SinkStats } from '../sink-stats.ts'
import type { LateCount } from '../write/late-requests.ts'
import type { HistogramOptions, HistogramSample } from './histogram.ts'

/** One metric, for `docs/sink-reference.md`. */
export interface MetricReference {
  readonly name: string
  readonly type: 'counter' | 'gauge' | 'histogram'
  readonly labels: readonly string[]
  readonly help: string
}

/** Lists every metric of the sink; those of the process are prom-client's default metrics. */
export function metricsReference(): readonly MetricReference[] {
  const all = Object.entries({ ...SINK_METRICS, ...PARTITION_METRICS, ...CONTAINER_METRICS })
  return [
    ...all.map(([name, { labels, help }]): MetricReference => ({ name, type: typeOf(name), labels, help })),
    ...CONTAINER_HISTOGRAMS.map(({ name, help }): MetricReference => ({
      name,
      type: 'histogram',
      labels: CONTAINER_LABELS,
      help
    })),
    { name: BUILD_INFO.name, type: 'gauge', labels: BUILD_INFO.labelNames, help: BUILD_INFO.help }
  ]
}

export function typeOf(name: string): 'counter' | 'gauge' {
  return name.endsWith('_total') ? 'counter' : 'gauge'
}

export const BUILD_INFO: {
  readonly name: string
  readonly help: string
  readonly labelNames: readonly ['version', 'node']
} = {
  name: 'keystamp_build_info',
  help: 'Always 1; the labels hold the versions of the package and of Node.',
  labelNames: ['version', 'node']
}

export type Labels = Readonly<Record<string, string | number>>
type Sample = readonly [Labels, number]
/** One number, or one for each value of a further label; undefined if there is none. */
export type Reading = number | readonly Sample[] | undefined

export interface Metric<T> {
  readonly help: string
  readonly labels: readonly string[]
  readonly of: (from: T, wallMs: number) => Reading
}

export const SINK_METRICS: Readonly<Record<string, Metric<SinkStats>>> = {
  keystamp_sink_up: {
    help: '1 while the sink is running.',
    labels: ['sink'],
    of: ({ state }) => (state === 'running' ? 1 : 0)
  },
  keystamp_sink_records_received_total: {
    help: 'Records read from Kafka.',
    labels: ['sink'],
    of: ({ received }) => received
  },
  keystamp_sink_received_bytes_total: {
    help: 'Bytes of the values of records read from Kafka.',
    labels: ['sink'],
    of: ({ receivedBytes }) => receivedBytes
  },
  keystamp_sink_records_settled_total: {
    help: 'Records with an outcome: written, unchanged or rejected.',
    labels: ['sink', 'outcome'],
    of: ({ written, unchanged, ignored, rejected }) => [
      [{ outcome: 'written' }, written],
      [{ outcome: 'unchanged' }, unchanged + ignored],
      [{ outcome: 'rejected' }, Object.values(rejected).reduce((sum, count) => sum + count, 0)]
    ]
  },
  keystamp_sink_records_rejected_total: {
    help: 'Rejected records by code.',
    labels: ['sink', 'code'],
    of: ({ rejected }) => Object.entries(rejected).map(([code, count]) => [{ code }, count])
  },
  keystamp_sink_records_redelivered_total: {
    help: 'Records that Kafka delivered again after a rebalance and that were settled before.',
    labels: ['sink'],
    of: ({ redelivered }) => redelivered
  },
  keystamp_sink_in_flight_records: { help: 'Records without an outcome.', labels: ['sink'], of: ({ open }) => open },
  keystamp_sink_in_flight_bytes: {
    help: 'Bytes of the records without an outcome.',
    labels: ['sink'],
    of: ({ openBytes }) => openBytes
  },
  keystamp_sink_assigned_partitions: {
    help: 'Topic partitions that are assigned to this process.',
    labels: ['sink'],
    of: ({ partitions }) => partitions.length
  },
  keystamp_sink_partition_pauses_total: {
    help: 'Times that a partition was paused.',
    labels: ['sink'],
    of: ({ pauses }) => pauses
  },
  keystamp_sink_offset_commits_total: {
    help: 'Offset commits, claims included.',
    labels: ['sink'],
    of: ({ commits }) => commits
  },
  keystamp_sink_last_commit_timestamp_seconds: {
    help: 'Time of the last offset commit, or the start time of the sink if there was no commit yet.',
    labels: ['sink'],
    of: ({ commitAgeMs }, wallMs) => Math.round(wallMs - commitAgeMs) / 1000
  },
  keystamp_sink_late_requests_total: {
    help:
      'Requests that Cosmos DB may apply late. Stages `written` and `answered`: after their partition has moved to another member. ' +
      'Stages `unanswered` (no response) and `unknown` (408 or 5xx): after their own retry. A request counts once for each partition of its records.',
    labels: ['sink', 'topic', 'partition', 'stage'],
    of: ({ partitions, lateRequests }) => [
      // a series that begins with its first late request would show no increase
      ...partitions.flatMap(({ topic, partition }) =>
        LATE_STAGES.map((stage): Sample => [{ topic, partition, stage }, 0])
      ),
      ...lateRequests.map(({ topic, partition, stage, count }): Sample => [{ topic, partition, stage }, count])
    ]
  },
  keystamp_sink_blocked: {
    help: '1 while the sink is blocked for this reason.',
    labels: ['sink', 'reason'],
    of: ({ waits }) => WAIT_REASONS.map((reason) => [{ reason }, waits.some((wait) => wait.reason === reason) ? 1 : 0])
  }
}

const LATE_STAGES: readonly LateCount['stage'][] = ['written', 'answered', 'unanswered', 'unknown']

const PARTITION_LABELS = ['sink', 'topic', 'partition'] as const

export const PARTITION_METRICS: Readonly<Record<string, Metric<PartitionStats>>> = {
  keystamp_sink_lag_records: {
    help: 'Records after the offset that can be committed.',
    labels: PARTITION_LABELS,
    of: ({ lag }) => lag
  },
  keystamp_sink_lag_seconds: {
    help: 'Age of the last settled record by its timestamp; 0 if all records are settled.',
    labels: PARTITION_LABELS,
    of: ({ lag, settledTimestampMs }, wallMs) =>
      lag === 0 ? 0 : settledTimestampMs === undefined ? undefined : Math.max(0, wallMs - settledTimestampMs) / 1000
  },
  keystamp_sink_partition_paused: {
    help: '1 while the partition is paused.',
    labels: PARTITION_LABELS,
    of: ({ isPaused }) => (isPaused ? 1 : 0)
  }
}

const CONTAINER_LABELS = ['sink', 'container'] as const
const RANGE_LABELS = ['sink', 'container', 'range'] as const

export const CONTAINER_METRICS: Readonly<Record<string, Metric<ContainerStats>>> = {
  keystamp_cosmos_budget_ru_per_second: {
    help: 'Configured RU budget of this process; absent if the provisioned throughput is unknown.',
    labels: CONTAINER_LABELS,
    of: ({ budgetRuPerSecond }) => budgetRuPerSecond
  },
  keystamp_cosmos_request_units_total: {
    help: 'Request units charged.',
    labels: RANGE_LABELS,
    of: counted(({ chargedRu }) => chargedRu)
  },
  keystamp_cosmos_requests_total: {
    help: 'Requests sent.',
    labels: RANGE_LABELS,
    of: counted(({ batches }) => batches)
  },
  keystamp_cosmos_operations_total: {
    help: 'Operations sent, retries included. Divide by requests_total for the mean batch size.',
    labels: RANGE_LABELS,
    of: counted(({ operations }) => operations)
  },
  keystamp_cosmos_throttled_operations_total: {
    help: 'Operations throttled (429).',
    labels: RANGE_LABELS,
    of: counted(({ throttledOperations }) => throttledOperations)
  },
  keystamp_cosmos_throttled: {
    help: '1 for a physical partition that was throttled in the last ten seconds, by its reason.',
    labels: [...RANGE_LABELS, 'reason'],
    of: ({ throttledRanges }) => throttledRanges.map(({ range, reason }): Sample => [{ range, reason }, 1])
  },
  keystamp_cosmos_throttled_key_ratio: {
    help: 'Part of the request units of a throttled physical partition that its heaviest key takes.',
    labels: RANGE_LABELS,
    of: ({ throttledRanges }) =>
      throttledRanges.flatMap(({ range, heaviestKey }) =>
        heaviestKey === undefined ? [] : [[{ range }, heaviestKey.share] satisfies Sample]
      )
  },
  keystamp_cosmos_coalesced_operations_total: {
    help: 'Upserts replaced by a newer upsert of the same document before being sent.',
    labels: RANGE_LABELS,
    of: counted(({ superseded }) => superseded)
  },
  keystamp_cosmos_older_changes_total: {
    help: 'Changes that were not stored, since the document was newer (`write.newerBy`).',
    labels: CONTAINER_LABELS,
    of: ({ newest }) => newest?.older
  },
  keystamp_cosmos_reads_before_writes_total: {
    help: 'Documents that were read to compare them with a change (`write.newerBy`).',
    labels: CONTAINER_LABELS,
    of: ({ newest }) => newest?.reads
  },
  keystamp_cosmos_conflicts_total: {
    help: 'Conditional writes that another write came before (`write.newerBy`); each was tried again.',
    labels: CONTAINER_LABELS,
    of: ({ newest }) => newest?.conflicts
  },
  keystamp_cosmos_twins_total: {
    help: 'Documents under old keys (`write.rehome`) by their end: deleted; absent (not found); changed (kept, since another client changed them); newer (kept, since a newer change is stored there).',
    labels: ['sink', 'container', 'end'],
    of: ({ twins }) => [
      [{ end: 'deleted' }, twins.deleted],
      [{ end: 'absent' }, twins.absent],
      [{ end: 'changed' }, twins.changed],
      [{ end: 'newer' }, twins.newer]
    ]
  },
  keystamp_sink_records_without_image_total: {
    help: 'Records without a previous image (`write.rehome`): those of new documents.',
    labels: CONTAINER_LABELS,
    of: ({ withoutImage }) => withoutImage
  },
  keystamp_cosmos_queued_operations: {
    help: 'Operations in the queue of a physical partition.',
    labels: RANGE_LABELS,
    of: byRange(({ queued }) => queued)
  },
  keystamp_cosmos_in_flight_requests: {
    help: 'Requests without an answer yet.',
    labels: RANGE_LABELS,
    of: byRange(({ inFlight }) => inFlight)
  },
  keystamp_cosmos_retries_total: {
    help: 'Retries of operations and requests by status; `lost` if there was no answer.',
    labels: ['sink', 'container', 'status'],
    of: ({ retries }) => Object.entries(retries).map(([status, count]) => [{ status }, count])
  }
}

export interface ContainerHistogram extends HistogramOptions {
  readonly of: (range: RangeCounters) => Pick<HistogramSample, 'counts' | 'sum'>
}

/** By container and not by physical partition, which would multiply the series. */
export const CONTAINER_HISTOGRAMS: readonly ContainerHistogram[] = [
  {
    name: 'keystamp_cosmos_request_duration_seconds',
    help: 'Time from sending a request until it was answered or the writer gave it up.',
    bounds: LATENCY_BOUNDS_MS.map((ms) => ms / 1000),
    of: ({ latency, latencySumMs }) => ({ counts: latency, sum: latencySumMs / 1000 })
  },
  {
    name: 'keystamp_cosmos_request_operations',
    help: 'Operations of a request (batch size).',
    bounds: BATCH_SIZE_BOUNDS,
    of: ({ fill, operations }) => ({ counts: fill, sum: operations })
  },
  {
    name: 'keystamp_cosmos_request_charge_request_units',
    help: 'Request units charged for a request.',
    bounds: CHARGE_BOUNDS_RU,
    of: ({ charge, chargedRu }) => ({ counts: charge, sum: chargedRu })
  }
]

/**
 * Counters keep the series of ranges that were split or merged, since `rate()` takes the end of a series for a reset.
 */
function counted(of: (range: RangeCounters) => number): (container: ContainerStats) => readonly Sample[] {
  return ({ ranges, retiredRanges }) => [...retiredRanges, ...ranges].map((range) => [{ range: range.id }, of(range)])
}

function byRange(
  of: (range: ContainerStats['ranges'][number]) => number
): (container: ContainerStats) => readonly Sample[] {
  return ({ ranges }) => ranges.map((range) => [{ range: range.id }, of(range)])
}
