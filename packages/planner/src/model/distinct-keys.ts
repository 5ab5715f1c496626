import type { KeyCounts } from '../sample/key-profile.ts'

/** Distinct keys of the population: `mid` and `high` are null if its size is unknown. */
export interface DistinctKeys {
  readonly low: number
  readonly mid: number | null
  readonly high: number | null
}

export function distinctKeys(
  counts: Pick<KeyCounts, 'distinct' | 'once' | 'atLeast' | 'isExact'>,
  records: number,
  population: number | null
): DistinctKeys {
  void records
  void population
  return { low: counts.atLeast, mid: null, high: null }
}
