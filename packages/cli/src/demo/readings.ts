import type { SinkStats } from '@keystamp/connector'

/** What one sink did in the last second. */
export interface Reading {
  readonly recordsPerSecond: number
  /** RU in each range. */
  readonly rangeRu: readonly number[]
  readonly throttled: number
  readonly lag: number
}

/** Numbers of a moment, as far as the demo shows them. */
export interface Snapshot {
  readonly atMs: number
  readonly written: number
  readonly throttled: number
  readonly lag: number
  readonly rangeRu: ReadonlyMap<string, number>
}

/** `produced` records are there by now. */
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

/** What happened between two moments, as rates. */
export function readingBetween(before: Snapshot, after: Snapshot): Reading {
  const seconds = Math.max(0.001, (after.atMs - before.atMs) / 1000)
  return {
    recordsPerSecond: (after.written - before.written) / seconds,
    rangeRu: [...after.rangeRu].map(([id, ru]) => (ru - (before.rangeRu.get(id) ?? 0)) / seconds),
    throttled: after.throttled - before.throttled,
    lag: after.lag
  }
}

/** The share of what was bought that does work. */
export function usedShare({ rangeRu }: Reading, boughtRu: number): number {
  return rangeRu.reduce((sum, ru) => sum + ru, 0) / boughtRu
}
