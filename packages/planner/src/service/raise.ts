import { formatCount, formatMany } from '../workload/quantity-text.ts'
import type { PresentContainer } from '../workload/workload.ts'
import { instantRuPerSecond, leastRuPerSecond, MAX_PARTITION_RU, type ThroughputMode } from './limits.ts'

/** Rate to set, and the physical partitions that the container then has. */
export interface RateStep {
  readonly kind: 'create' | 'raise' | 'lower'
  readonly ruPerSecond: number
  /** Number of physical partitions after the splits. */
  readonly partitions: number
  /** Whether the rate needs splits, which take hours. */
  readonly splits: boolean
}

/** A container under even load, after a rate is set and the splits are complete. */
export interface EvenUse {
  readonly ruPerSecond: number
  readonly partitions: number
  /** Share of the hash space of the widest range. */
  readonly widestShare: number
  /** RU/s that a load can use if it is spread evenly over the hash space. */
  readonly usableRuPerSecond: number
  readonly usableShare: number
}

export interface Raise {
  readonly before: EvenUse
  /** After the new rate is set in one step. */
  readonly direct: EvenUse
  /** After the rates of `path`; equal to `direct` if an even load can then use all of the rate. */
  readonly better: EvenUse
  readonly path: readonly RateStep[]
  /** Minimum rate that can be set after the path. */
  readonly leastRuPerSecond: number
}

export interface RaiseOptions {
  /** Default: `manual`. */
  readonly mode?: ThroughputMode | undefined
  readonly gb?: number | null | undefined
}

/** Computes the usable part of another rate, and the path of rates after which all of it is usable. */
export function planRaise(container: PresentContainer, toRuPerSecond: number, options: RaiseOptions = {}): Raise {
  const { mode = 'manual', gb } = options
  const { partitions, ruPerSecond, highestRuPerSecond = ruPerSecond } = container
  const direct = evenUseAfter(partitions, toRuPerSecond)
  const full = doubledUntil(partitions, toRuPerSecond)
  const isUneven = direct.partitions < full
  const path = isUneven ? pathThrough(container, full, toRuPerSecond) : directPath(container, direct)
  return {
    before: evenUse(ruPerSecond, partitions, partitions),
    direct,
    better: isUneven ? evenUse(toRuPerSecond, full, full) : direct,
    path,
    leastRuPerSecond: leastRuPerSecond(mode, {
      gb,
      highestRuPerSecond: Math.max(highestRuPerSecond, ...path.map((step) => step.ruPerSecond))
    })
  }
}

/**
 * Computes the use of a container under even load, after a rate is set in one step. Cosmos DB splits only as many
 * partitions as needed, and all partitions get the same RU/s, so the widest range limits the load.
 */
export function evenUseAfter(partitions: number, ruPerSecond: number): EvenUse {
  const after = Math.max(partitions, Math.ceil(ruPerSecond / MAX_PARTITION_RU))
  let whole = partitions
  while (whole * 2 <= after) whole *= 2
  return evenUse(ruPerSecond, after, whole)
}

/** Computes the use under even load, if the widest range is 1 / `wholeRanges` of the hash space. */
function evenUse(ruPerSecond: number, partitions: number, wholeRanges: number): EvenUse {
  const usableRuPerSecond = (ruPerSecond / partitions) * wholeRanges
  return {
    ruPerSecond,
    partitions,
    widestShare: 1 / wholeRanges,
    usableRuPerSecond,
    usableShare: wholeRanges / partitions
  }
}

/** Doubles the number of partitions until the rate is possible. All ranges are then equally wide. */
function doubledUntil(partitions: number, ruPerSecond: number): number {
  let doubled = partitions
  while (instantRuPerSecond(doubled) < ruPerSecond) doubled *= 2
  return doubled
}

function directPath({ partitions, ruPerSecond }: PresentContainer, direct: EvenUse): readonly RateStep[] {
  return direct.ruPerSecond === ruPerSecond
    ? []
    : [
        {
          kind: direct.ruPerSecond > ruPerSecond ? 'raise' : 'lower',
          ruPerSecond: direct.ruPerSecond,
          partitions: direct.partitions,
          splits: direct.partitions > partitions
        }
      ]
}

/** Path after which all ranges are equally wide: raise the rate until all partitions have split, then lower it. */
export function pathThrough(
  { partitions: present }: PresentContainer,
  partitions: number,
  ruPerSecond: number
): readonly RateStep[] {
  const peak = instantRuPerSecond(partitions)
  const raise: RateStep = { kind: 'raise', ruPerSecond: peak, partitions, splits: partitions > present }
  return peak === ruPerSecond ? [raise] : [raise, { kind: 'lower', ruPerSecond, partitions, splits: false }]
}

/** Steps as sentences in the imperative. */
export function describeSteps(steps: readonly RateStep[], mode: ThroughputMode = 'manual'): readonly string[] {
  return steps.map((step) => {
    const isManual = mode === 'manual'
    const throughput = isManual ? 'the throughput' : 'the autoscale maximum'
    const rate = `${formatCount(step.ruPerSecond)} RU/s`
    const partitions = formatMany(step.partitions, 'physical partition')
    if (step.kind === 'create')
      return `Create the container with ${isManual ? rate : `an autoscale maximum of ${rate}`}: it then has ${partitions}.`
    if (step.kind === 'lower') return `Lower ${throughput} to ${rate}: the container keeps its ${partitions}.`
    return step.splits
      ? `Raise ${throughput} to ${rate}, and wait for the splits, which usually take 4 to 6 hours: the container then has ${partitions}.`
      : `Raise ${throughput} to ${rate}: this takes effect immediately, without a split.`
  })
}
