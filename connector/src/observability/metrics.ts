import { readFileSync } from 'node:fs'
import { collectDefaultMetrics, Counter, Gauge, Registry } from 'prom-client'
import type { ContainerStats, SinkStats } from '../sink-stats.ts'
import { type HistogramSample, registerHistogram } from './histogram.ts'
import {
  BUILD_INFO,
  CONTAINER_HISTOGRAMS,
  CONTAINER_METRICS,
  type ContainerHistogram,
  type Labels,
  type Metric,
  PARTITION_METRICS,
  type Reading,
  SINK_METRICS,
  typeOf
} from './metric-definitions.ts'

/** The parts of a sink that its metrics need. */
export interface Measured {
  readonly name: string
  readonly stats: () => SinkStats
}

/**
 * Creates the page for Prometheus. Each call of `text` reads the current numbers of all sinks; `wallClock` gives
 * milliseconds since 1970.
 */
export function createMetrics(
  sinks: readonly Measured[],
  wallClock: () => number
): { readonly contentType: string; readonly text: () => Promise<string> } {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  registerBuildInfo(registry)
  const perSink = register(SINK_METRICS, registry)
  const perPartition = register(PARTITION_METRICS, registry)
  const perContainer = register(CONTAINER_METRICS, registry)
  const histograms = CONTAINER_HISTOGRAMS.map((histogram) => ({
    ...histogram,
    replace: registerHistogram(histogram, registry)
  }))

  async function text(): Promise<string> {
    const wallMs = wallClock()
    const current = sinks.map(({ name, stats }) => ({ sink: name, stats: stats() }))
    for (const { instrument } of [...perSink, ...perPartition, ...perContainer]) instrument.reset()
    for (const { sink, stats } of current) {
      for (const { instrument, of } of perSink) put(instrument, { sink }, of(stats, wallMs))
      for (const partition of stats.partitions) {
        const labels = { sink, topic: partition.topic, partition: partition.partition }
        for (const { instrument, of } of perPartition) put(instrument, labels, of(partition, wallMs))
      }
      for (const container of stats.containers) {
        for (const { instrument, of } of perContainer)
          put(instrument, { sink, container: container.container }, of(container, wallMs))
      }
    }
    const containers = current.flatMap(({ sink, stats }) => stats.containers.map((container) => ({ sink, container })))
    for (const { replace, of } of histograms) {
      replace(
        containers.map(({ sink, container }) => sampleOf(container, { sink, container: container.container }, of))
      )
    }
    return await registry.metrics()
  }

  return { contentType: registry.contentType, text }
}

function registerBuildInfo(registry: Registry): void {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
    readonly version: string
  }
  const info = new Gauge({ ...BUILD_INFO, registers: [registry] })
  info.set({ version, node: process.version }, 1)
}

/** Sums all ranges of a container, including those that were split or merged: otherwise the counts would fall. */
function sampleOf(
  { ranges, retiredRanges }: ContainerStats,
  labels: Labels,
  of: ContainerHistogram['of']
): HistogramSample {
  const samples = [...retiredRanges, ...ranges].map(of)
  const length = Math.max(0, ...samples.map(({ counts }) => counts.length))
  return {
    labels,
    counts: Array.from({ length }, (_, bucket) => samples.reduce((sum, { counts }) => sum + (counts[bucket] ?? 0), 0)),
    sum: samples.reduce((total, { sum }) => total + sum, 0)
  }
}

type Registered<T> = Metric<T> & { readonly instrument: Counter | Gauge }

function register<T>(metrics: Readonly<Record<string, Metric<T>>>, registry: Registry): readonly Registered<T>[] {
  return Object.entries(metrics).map(([name, metric]) => {
    const options = { name, help: metric.help, labelNames: [...metric.labels], registers: [registry] }
    return { ...metric, instrument: typeOf(name) === 'counter' ? new Counter(options) : new Gauge(options) }
  })
}

function put(instrument: Counter | Gauge, labels: Labels, reading: Reading): void {
  if (reading === undefined) return
  if (typeof reading === 'number') return instrument.inc(labels, reading)
  for (const [further, value] of reading) instrument.inc({ ...labels, ...further }, value)
}
