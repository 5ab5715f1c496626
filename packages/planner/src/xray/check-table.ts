import type { CheckName, CheckUnit } from '../report/xray-report.ts'
import { MAX_LOGICAL_PARTITION_GB, MAX_PARTITION_GB } from '../service/limits.ts'

/** A check: what it measures, and from which number on it finds something. */
export interface CheckRule {
  readonly name: CheckName
  readonly title: string
  readonly unit: CheckUnit
  readonly measures: string
  readonly threshold: number
  /** Whether the threshold is a multiple of an even share of the physical partitions. */
  readonly isOfEvenShare: boolean
  /** Whether the verdict needs it: without it, a container without findings is not called healthy. */
  readonly isEssential: boolean
}

/** Part of an even share of one physical partition from which on a key is heavy. */
export const HEAVY_KEY_PART = 0.5
/** Load of a physical partition relative to its part of the throughput, from which on it is busy. */
export const BUSY_RANGE = 1.5

/** All checks, the most severe first. Every threshold of `keystamp xray` is here. */
export const CHECKS: readonly CheckRule[] = [
  {
    name: 'hot-key',
    title: 'hot key',
    unit: 'share',
    measures: `share of the load of one key, in a physical partition with ${BUSY_RANGE} times its even load or more; threshold: half of the throughput share of its physical partition`,
    threshold: HEAVY_KEY_PART,
    isOfEvenShare: true,
    isEssential: true
  },
  {
    name: 'many-keys-in-one-range',
    title: 'many keys in one range',
    unit: 'share',
    measures:
      'share of the load in one physical partition without its hot keys; threshold: a multiple of its share of the hash space',
    threshold: BUSY_RANGE,
    isOfEvenShare: true,
    isEssential: true
  },
  {
    name: 'moving-hot-spot',
    title: 'moving hot spot',
    unit: 'share',
    measures:
      'share of the busiest physical partition in the median window of time, where it changes from window to window; threshold: a multiple of an even share',
    threshold: BUSY_RANGE,
    isOfEvenShare: true,
    isEssential: false
  },
  {
    name: 'unusable-throughput',
    title: 'RU that cannot be used',
    unit: 'share',
    measures:
      'share of the provisioned RU/s that this load cannot use, because its busiest physical partition is full first',
    threshold: 0.3,
    isOfEvenShare: false,
    isEssential: true
  },
  {
    name: 'uneven-splits',
    title: 'uneven splits',
    unit: 'share',
    measures:
      'share of the provisioned RU/s that an even load can use with these sizes of physical partitions; found below the threshold',
    threshold: 0.9,
    isOfEvenShare: false,
    isEssential: true
  },
  {
    name: 'key-near-20-gb',
    title: 'key near 20 GB',
    unit: 'GB',
    measures: `size of the largest logical partition, which holds at most ${MAX_LOGICAL_PARTITION_GB} GB`,
    threshold: 0.8 * MAX_LOGICAL_PARTITION_GB,
    isOfEvenShare: false,
    isEssential: true
  },
  {
    name: 'range-near-50-gb',
    title: 'range near 50 GB',
    unit: 'GB',
    measures: `size of the largest physical partition, which is split at ${MAX_PARTITION_GB} GB`,
    threshold: 0.8 * MAX_PARTITION_GB,
    isOfEvenShare: false,
    isEssential: true
  },
  {
    name: 'merge-possible',
    title: 'merge possible',
    unit: 'partitions',
    measures: 'physical partitions that the RU/s and the data do not need',
    threshold: 1,
    isOfEvenShare: false,
    isEssential: false
  },
  {
    name: 'wide-queries',
    title: 'wide queries',
    unit: 'share',
    measures:
      'share of the queries that ask several physical partitions; threshold: 50 % with up to 5 physical partitions, 40 % with up to 50, 30 % with more',
    threshold: 0.5,
    isOfEvenShare: false,
    isEssential: false
  }
]

/** Share of wide queries that is too high: each of them asks more physical partitions in a larger container. */
export function wideShareLimit(partitions: number): number {
  if (partitions <= 5) return 0.5
  return partitions <= 50 ? 0.4 : 0.3
}

/** Writes that must have been seen before shares of the load mean something. */
export const MIN_EVENTS = 500
/** Writes of a window that counts for a moving hot spot, and the least number of such windows. */
export const MIN_WINDOW_EVENTS = 30
export const MIN_WINDOWS = 5

/** Whether enough of a load was seen to compare its keys and physical partitions. */
export function fitsLoad({ events }: { readonly events: number }): boolean {
  return events >= MIN_EVENTS
}
