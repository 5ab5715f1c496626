import type { SinkStats } from '@keystamp/connector'

/** Rates of one sink between two snapshots. */
export interface Reading {
  readonly recordsPerSecond: number
  /** RU per second in each physical partition. */
  readonly rangeRu: readonly number[]
  readonly throttled: number
  readonly lag: number
}

/** Counters of a sink at one moment. */
export interface Snapshot {
  readonly atMs: number
  readonly written: number
  readonly throttled: number
  readonly lag: number
  readonly rangeRu: ReadonlyMap<string, number>
}

/** Takes a snapshot; `produced` is the number of records in the topic. */
export function takeSnapshot({ written, containers }: SinkStats, produced: number, atMs: number): Snapshot {
  const [container] = containers
  return {
    atMs,
    written,
    throttled: container?.throttledOperations ?? 0,
    lag: produced - written,
    rangeRu: new Map(container?.ranges.map(({ id, chargedRu }) => [id, chargedRu]))
  }
}

/** Rates between two snapshots. */
export function readingBetween(before: Snapshot, after: Snapshot): Reading {
  const seconds = Math.max(0.001, (after.atMs - before.atMs) / 1000)
  return {
    recordsPerSecond: (after.written - before.written) / seconds,
    rangeRu: [...after.rangeRu].map(([id, ru]) => (ru - (before.rangeRu.get(id) ?? 0)) / seconds),
    throttled: after.throttled - before.throttled,
    lag: after.lag
  }
}

/** Share of the provisioned throughput that is used. */
export function usedShare({ rangeRu }: Reading, provisionedRu: number): number {
  return rangeRu.reduce((sum, ru) => sum + ru, 0) / provisionedRu
}
