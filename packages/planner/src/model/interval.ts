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
