import { binomialTail, solveRising } from './special-functions.ts'

/** An estimate: the middle, and bounds between which the true value lies with 95 % confidence. */
export interface Interval {
  readonly low: number
  readonly mid: number
  readonly high: number
}

/** A figure, or the reason why it is not known. */
export type Figure<T> = { readonly value: T; readonly reason: null } | { readonly value: null; readonly reason: string }

/** How the records of a sample were taken, which decides what may be concluded from them. */
export interface SampleBasis {
  readonly method: 'whole' | 'uniform' | 'reservoir' | 'head' | 'described'
  /** Documents in all; null if unknown. With `population <= records` all figures are exact. */
  readonly population: number | null
}

export function known<T>(value: T): Figure<T> {
  return { value, reason: null }
}

export function unknown<T>(reason: string): Figure<T> {
  return { value: null, reason }
}

/** Whether the sample has all documents, so that nothing is estimated. */
export function isComplete(records: number, population: number | null): boolean {
  return population !== null && population <= records
}

/**
 * Part of the variance that a sample without replacement has of one with replacement: nothing is uncertain about the
 * records that were seen.
 */
export function unseenShare(records: number, population: number | null): number {
  return population === null ? 1 : Math.max(0, 1 - records / population)
}

// Intervals are stated at 95 % and built at 99 %, since a model is only an approximation.
const NORMAL_99 = 2.5758293035489
export const TAIL_99 = 0.005

/** Wilson's interval for the share of `hits` among `records` of a population. */
export function wilsonInterval(hits: number, records: number, population: number | null): Interval {
  const mid = hits / records
  const square = (NORMAL_99 ** 2 * unseenShare(records, population)) / records
  const center = (mid + square / 2) / (1 + square)
  const half = (Math.sqrt(square) / (1 + square)) * Math.sqrt(mid * (1 - mid) + square / 4)
  return { low: Math.max(0, center - half), mid, high: Math.min(1, center + half) }
}

/**
 * Bounds for the largest of at most `shares` shares, from the largest count; they hold whatever the shares are. Upper
 * bound: the largest share has at most this count. Lower bound: at most 1 / p shares are as large as p, and smaller
 * ones reach the count even less often, so that the probability that any reaches it has a bound.
 */
export function boundsOfLargest(count: number, records: number, shares: number): { low: number; high: number } {
  const mid = count / records
  const reaches = (p: number) => Math.min(shares, 1 / p) * binomialTail(count, records, p)
  return {
    low: solveRising(reaches, TAIL_99, 0, mid),
    high: count === records ? 1 : solveRising((p) => binomialTail(count + 1, records, p), 1 - TAIL_99, mid, 1)
  }
}
