import { collectDefaultMetrics, Counter, Gauge, Registry } from 'prom-client'
import { WAIT_REASONS } from '../lifecycle/waits.ts'
import type { ContainerStats, PartitionStats, SinkStats } from '../sink-stats.ts'
import type { LateCount } from '../write/late-requests.ts'

/** A sink, as far as its numbers go. */
export interface Measured {
  readonly name: string
  readonly stats: () => SinkStats
}

/** What Prometheus reads: all numbers are taken from the sinks at the moment it asks. */
export function createMetrics(
  sinks: readonly Measured[],
  wallClock: () => number
): { readonly contentType: string; readonly text: () => Promise<string> } {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const perSink = Object.entries(SINK_METRICS).map(([name, metric]) => ({ ...metric, instrument: instrumentOf(name, metric, registry) }))
  const perPartition = Object.entries(PARTITION_METRICS).map(([name, metric]) => ({
    ...metric,
    instrument: instrumentOf(name, metric, registry)
  }))
  const perContainer = Object.entries(CONTAINER_METRICS).map(([name, metric]) => ({
    ...metric,
    instrument: instrumentOf(name, metric, registry)
  }))

  async function text(): Promise<string> {
    const wallMs = wallClock()
    for (const { instrument } of [...perSink, ...perPartition, ...perContainer]) instrument.reset()
    for (const { name: sink, stats } of sinks) {
      const now = stats()
      for (const { instrument, of } of perSink) put(instrument, { sink }, of(now, wallMs))
      for (const partition of now.partitions) {
        const labels = { sink, topic: partition.topic, partition: partition.partition }
        for (const { instrument, of } of perPartition) put(instrument, labels, of(partition, wallMs))
      }
      for (const container of now.containers) {
        for (const { instrument, of } of perContainer) put(instrument, { sink, container: container.container }, of(container, wallMs))
      }
    }
    return await registry.metrics()
  }

  return { contentType: registry.contentType, text }
}

type Labels = Readonly<Record<string, string | number>>
type Sample = readonly [Labels, number]
/** A number, or one for each value of a further label; undefined where there is none. */
type Reading = number | readonly Sample[] | undefined

interface Metric<T> {
  readonly help: string
  readonly labels?: readonly string[]
  readonly of: (from: T, wallMs: number) => Reading
}

const SINK_METRICS: Readonly<Record<string, Metric<SinkStats> & { readonly labels: readonly string[] }>> = {
  keystamp_sink_up: { help: '1 while the sink is running.', labels: ['sink'], of: ({ state }) => (state === 'running' ? 1 : 0) },
  keystamp_sink_records_received_total: { help: 'Records that were opened.', labels: ['sink'], of: ({ received }) => received },
  keystamp_sink_bytes_received_total: {
    help: 'Bytes of the values of opened records.',
    labels: ['sink'],
    of: ({ receivedBytes }) => receivedBytes
  },
  keystamp_sink_records_settled_total: {
    help: 'Records that have their outcome.',
    labels: ['sink', 'outcome'],
    of: ({ written, unchanged, ignored, rejected }) => [
      [{ outcome: 'written' }, written],
      [{ outcome: 'unchanged' }, unchanged + ignored],
      [{ outcome: 'rejected' }, Object.values(rejected).reduce((sum, count) => sum + count, 0)]
    ]
  },
  keystamp_sink_records_rejected_total: {
    help: 'Rejected records by reason.',
    labels: ['sink', 'code'],
    of: ({ rejected }) => Object.entries(rejected).map(([code, count]) => [{ code }, count])
  },
  keystamp_sink_records_skipped_total: {
    help: 'Records that came again after a rebalance.',
    labels: ['sink'],
    of: ({ skipped }) => skipped
  },
  keystamp_sink_open_records: { help: 'Records without an outcome.', labels: ['sink'], of: ({ open }) => open },
  keystamp_sink_open_bytes: { help: 'Bytes of the records without an outcome.', labels: ['sink'], of: ({ openBytes }) => openBytes },
  keystamp_sink_partitions: { help: 'Partitions that this process owns.', labels: ['sink'], of: ({ partitions }) => partitions.length },
  keystamp_sink_pauses_total: { help: 'How often a partition was held back.', labels: ['sink'], of: ({ pauses }) => pauses },
  keystamp_sink_commits_total: { help: 'How often positions were committed.', labels: ['sink'], of: ({ commits }) => commits },
  keystamp_sink_commit_age_seconds: {
    help: 'Time since positions were committed.',
    labels: ['sink'],
    of: ({ commitAgeMs }) => commitAgeMs / 1000
  },
  keystamp_sink_late_requests_total: {
    help:
      'Requests that may have been applied after their partition had moved (stages written, answered), or that may be applied after their retry, ' +
      'without an answer (stage unanswered) or with 408 or 5xx as the answer (stage unknown); one that carried records of several partitions counts for each.',
    labels: ['sink', 'topic', 'partition', 'stage'],
    of: ({ partitions, lateRequests }) => [
      // a series that begins with its first late request would show no increase
      ...partitions.flatMap(({ topic, partition }) => LATE_STAGES.map((stage): Sample => [{ topic, partition, stage }, 0])),
      ...lateRequests.map(({ topic, partition, stage, count }): Sample => [{ topic, partition, stage }, count])
    ]
  },
  keystamp_sink_waiting: {
    help: '1 while the sink waits for this reason; a bounded set of reasons.',
    labels: ['sink', 'reason'],
    of: ({ waits }) => WAIT_REASONS.map((reason) => [{ reason }, waits.some((wait) => wait.reason === reason) ? 1 : 0])
  }
}

const LATE_STAGES: readonly LateCount['stage'][] = ['written', 'answered', 'unanswered', 'unknown']

const PARTITION_LABELS = ['sink', 'topic', 'partition'] as const

const PARTITION_METRICS: Readonly<Record<string, Metric<PartitionStats> & { readonly labels: readonly string[] }>> = {
  keystamp_sink_lag_records: { help: 'Records behind the committable position.', labels: PARTITION_LABELS, of: ({ lag }) => lag },
  keystamp_sink_lag_seconds: {
    help: 'Age of the record that was settled last, while there are more.',
    labels: PARTITION_LABELS,
    of: ({ lag, settledTimestampMs }, wallMs) =>
      lag === 0 ? 0 : settledTimestampMs === undefined ? undefined : Math.max(0, wallMs - settledTimestampMs) / 1000
  },
  keystamp_sink_partition_paused: {
    help: '1 while the partition is held back.',
    labels: PARTITION_LABELS,
    of: ({ isPaused }) => (isPaused ? 1 : 0)
  }
}

const CONTAINER_LABELS = ['sink', 'container'] as const
const RANGE_LABELS = ['sink', 'container', 'range'] as const

const CONTAINER_METRICS: Readonly<Record<string, Metric<ContainerStats> & { readonly labels: readonly string[] }>> = {
  keystamp_cosmos_budget_request_units: {
    help: 'RU per second that this process may use; absent where none is known.',
    labels: CONTAINER_LABELS,
    of: ({ budgetRuPerSecond }) => budgetRuPerSecond
  },
  keystamp_cosmos_request_units_total: { help: 'RU that were charged.', labels: RANGE_LABELS, of: counted(({ chargedRu }) => chargedRu) },
  keystamp_cosmos_batches_total: { help: 'Requests that were sent.', labels: RANGE_LABELS, of: counted(({ batches }) => batches) },
  keystamp_cosmos_operations_total: {
    help: 'Operations that were sent; by the number of batches this is how full they are.',
    labels: RANGE_LABELS,
    of: counted(({ operations }) => operations)
  },
  keystamp_cosmos_throttled_operations_total: {
    help: 'Operations that were told to come back later.',
    labels: RANGE_LABELS,
    of: counted(({ throttledOperations }) => throttledOperations)
  },
  keystamp_cosmos_superseded_operations_total: {
    help: 'Writes whose place a later write of the same document took before they were sent.',
    labels: RANGE_LABELS,
    of: counted(({ superseded }) => superseded)
  },
  keystamp_cosmos_queued_operations: { help: 'Operations that wait.', labels: RANGE_LABELS, of: byRange(({ queued }) => queued) },
  keystamp_cosmos_requests_in_flight: { help: 'Requests that are out.', labels: RANGE_LABELS, of: byRange(({ inFlight }) => inFlight) },
  keystamp_cosmos_retries_total: {
    help: 'Operations or requests that are sent again, by status; `lost` where no answer came.',
    labels: ['sink', 'container', 'status'],
    of: ({ retries }) => Object.entries(retries).map(([status, count]) => [{ status }, count])
  }
}

/** Counters keep the series of ranges that were split or merged, since `rate()` takes a series that ends for a reset. */
function counted(of: (range: ContainerStats['retiredRanges'][number]) => number): (container: ContainerStats) => readonly Sample[] {
  return ({ ranges, retiredRanges }) => [...retiredRanges, ...ranges].map((range) => [{ range: range.id }, of(range)])
}

function byRange(of: (range: ContainerStats['ranges'][number]) => number): (container: ContainerStats) => readonly Sample[] {
  return ({ ranges }) => ranges.map((range) => [{ range: range.id }, of(range)])
}

function instrumentOf(
  name: string,
  { help, labels = [] }: { readonly help: string; readonly labels?: readonly string[] },
  registry: Registry
): Counter | Gauge {
  const options = { name, help, labelNames: [...labels], registers: [registry] }
  return name.endsWith('_total') ? new Counter(options) : new Gauge(options)
}

function put(instrument: Counter | Gauge, labels: Labels, reading: Reading): void {
  if (reading === undefined) return
  if (typeof reading === 'number') return instrument.inc(labels, reading)
  for (const [further, value] of reading) instrument.inc({ ...labels, ...further }, value)
}
