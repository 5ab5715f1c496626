import type { Reservoir } from '../sample/profiler.ts'
import { type Figure, type SampleBasis, unknown } from './interval.ts'

/** Number of keys that take load at the same time, over windows of one length. */
export interface WindowFigure {
  readonly p01: number
  readonly median: number
  readonly windows: number
}

export interface WindowOptions extends SampleBasis {
  /** Number of the candidate. */
  readonly candidate: number
  readonly ranges: number
  readonly random: () => number
}

/** Effective number of keys that are active at once, over windows of `seconds`. */
export function effectiveKeys(
  reservoir: Reservoir,
  options: WindowOptions & { readonly seconds: 1 | 60 | 3600 }
): Figure<WindowFigure> {
  void reservoir
  void options
  return unknown('not implemented')
}

/** The minute that needs the most throughput: that with the highest load of its busiest range. */
export interface WorstMinute {
  /** Start of the minute, ISO 8601. */
  readonly at: string
  readonly usableShare: number
  /** Load of the minute, divided by the mean load of all minutes from the first to the last record. */
  readonly relativeLoad: number
}

export function worstMinute(reservoir: Reservoir, options: WindowOptions): Figure<WorstMinute> {
  void reservoir
  void options
  return unknown('not implemented')
}

/** Load by window of time and range: at most 240 windows and 100 ranges. */
export interface TimeHeat {
  /** Start of each window, ISO 8601. */
  readonly minutes: readonly string[]
  readonly ranges: number
  /** For each window: the share of its load by range. */
  readonly values: readonly (readonly number[])[]
}

export function timeHeat(reservoir: Reservoir, options: WindowOptions): Figure<TimeHeat> {
  void reservoir
  void options
  return unknown('not implemented')
}
