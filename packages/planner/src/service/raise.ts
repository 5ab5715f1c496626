import type { ThroughputMode } from './limits.ts'

/** A container whose ranges are equally wide, as they are when it is new. */
export interface PresentContainer {
  readonly partitions: number
  readonly ruPerSecond: number
  /** Highest rate, or autoscale maximum, that it ever had; `ruPerSecond` if missing. */
  readonly highestRuPerSecond?: number | undefined
}

/** A rate to set, and what it makes of the container. */
export interface RateStep {
  readonly kind: 'create' | 'raise' | 'lower'
  readonly ruPerSecond: number
  /** Physical partitions once the splits are done. */
  readonly partitions: number
  /** Whether the rate needs splits, which take hours. */
  readonly splits: boolean
}

/** A container under even load, after a rate was set and the splits are done. */
export interface EvenUse {
  readonly ruPerSecond: number
  readonly partitions: number
  /** Share of the hash space of the widest range. */
  readonly widestShare: number
  /** RU/s that load which is spread evenly over the hash space can use. */
  readonly usableRuPerSecond: number
  readonly usableShare: number
}

export interface Raise {
  readonly before: EvenUse
  /** After the rate is set directly. */
  readonly direct: EvenUse
  /** After the rates of `path`; equal to `direct` if that uses all of the rate. */
  readonly better: EvenUse
  readonly path: readonly RateStep[]
  /** Least rate that can be set afterwards. */
  readonly leastRuPerSecond: number
}

/** Computes what another rate really gives: only as many partitions split as needed, and halves keep the same RU/s. */
export function planRaise(
  container: PresentContainer,
  toRuPerSecond: number,
  options?: { readonly mode?: ThroughputMode; readonly gb?: number | null }
): Raise {
  throw new Error(`not written yet: ${container.partitions} ${toRuPerSecond} ${options?.mode}`)
}

/** The container after a rate is set directly, under even load. */
export function evenUseAfter(partitions: number, ruPerSecond: number): EvenUse {
  throw new Error(`not written yet: ${partitions} ${ruPerSecond}`)
}

/** Steps as sentences in the imperative. */
export function describeSteps(steps: readonly RateStep[], mode: ThroughputMode): readonly string[] {
  throw new Error(`not written yet: ${steps.length} ${mode}`)
}
