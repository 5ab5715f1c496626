import type { Histogram, Registry } from 'prom-client'

/** Counts of one series of a histogram. */
export interface HistogramSample {
  readonly labels: Readonly<Record<string, string | number>>
  /**
   * Count of each bucket alone, not cumulative. The last count, after those of the bounds, is for values above the last
   * bound.
   */
  readonly counts: readonly number[]
  /** Sum of all counted values. */
  readonly sum: number
}

export interface HistogramOptions {
  readonly name: string
  readonly help: string
  /** Upper bounds of the buckets, ascending. */
  readonly bounds: readonly number[]
}

/**
 * Registers a histogram whose values are counted elsewhere: prom-client itself takes single observations only. Returns
 * a function that sets the current values.
 */
export function registerHistogram(
  { name, help, bounds }: HistogramOptions,
  registry: Registry
): (samples: readonly HistogramSample[]) => void {
  let current: readonly HistogramSample[] = []
  const metric = {
    name,
    help,
    type: 'histogram',
    aggregator: 'sum',
    get: () =>
      Promise.resolve({
        name,
        help,
        type: 'histogram',
        aggregator: 'sum',
        values: current.flatMap((sample) => seriesOf(name, bounds, sample))
      })
  }
  // the registry calls only `get`; prom-client has no type for custom metrics
  registry.registerMetric(metric as unknown as Histogram)
  return (samples) => {
    current = samples
  }
}

interface Series {
  readonly metricName: string
  readonly labels: Readonly<Record<string, string | number>>
  readonly value: number
}

/** Cumulative buckets, sum and count, as Prometheus expects them. */
function seriesOf(
  name: string,
  bounds: readonly number[],
  { labels, counts, sum }: HistogramSample
): readonly Series[] {
  const series: Series[] = []
  let total = 0
  for (const [bucket, bound] of bounds.entries()) {
    total += counts[bucket] ?? 0
    series.push({ metricName: `${name}_bucket`, labels: { ...labels, le: bound }, value: total })
  }
  total += counts[bounds.length] ?? 0
  series.push({ metricName: `${name}_bucket`, labels: { ...labels, le: '+Inf' }, value: total })
  series.push({ metricName: `${name}_sum`, labels, value: sum })
  series.push({ metricName: `${name}_count`, labels, value: total })
  return series
}
