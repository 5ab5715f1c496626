import type { KeyCounts, KeyProfile } from '../sample/key-profile.ts'
import { isComplete, type SampleBasis } from './interval.ts'
import { judgeOrder, populationOf } from './sample-quality.ts'

/** Distinct keys of the population: `mid` and `high` are null if its size is unknown. */
export interface DistinctKeys {
  readonly low: number
  readonly mid: number | null
  readonly high: number | null
}

/**
 * Distinct keys of all documents. Where the order of the records matters, a sample has more records of a key than a
 * random one would have: then only those that were seen are certain.
 */
export function distinctKeys(profile: KeyProfile, basis: SampleBasis): DistinctKeys {
  const { records } = profile
  const population = populationOf(profile, basis)
  const counted = distinctInterval(profile, records, population)
  if (population === null || isComplete(records, population) || judgeOrder(profile, basis).value === 0) return counted
  const most = Math.min(population, profile.distinct + errorOf(profile) + population - records)
  return { low: counted.low, mid: null, high: Math.ceil(most) }
}

/**
 * Distinct keys of a population, of which a uniform sample has `distinct`, and one record each of `once` of them. Lower
 * bound: those that were seen. Middle: the GEE estimate of Charikar and others (2000). Upper bound: for each key that
 * one record has there are at most `population / records` such keys in the population, and the number of keys that one
 * record has is itself uncertain.
 */
export function distinctInterval(counts: SeenKeys, records: number, population: number | null): DistinctKeys {
  const { distinct, once, atLeast } = counts
  const error = errorOf(counts)
  const low = Math.max(atLeast, Math.floor(distinct - error))
  if (population === null) return { low, mid: null, high: null }
  const factor = Math.max(1, population / records)
  const mid = distinct + once * (Math.sqrt(factor) - 1)
  const unseen = Math.min(upperCount(once) * (factor - 1), population - Math.min(population, records))
  return {
    low,
    mid: Math.round(Math.max(low, mid)),
    high: Math.ceil(Math.min(Math.max(population, records), distinct + error + unseen))
  }
}

type SeenKeys = Pick<KeyCounts, 'distinct' | 'once' | 'atLeast' | 'isExact'>

function errorOf({ distinct, isExact }: SeenKeys): number {
  return isExact ? 0 : SKETCH_ERROR * distinct
}

/** Relative error of a sketch with 2^14 registers, at 99 %. */
const SKETCH_ERROR = 2.576 * (1.04 / 128)

/** Upper bound at 99.5 % for the mean of a Poisson variable that was observed once, by Wilson and Hilferty. */
function upperCount(observed: number): number {
  const next = observed + 1
  return next * (1 - 1 / (9 * next) + NORMAL_99 / (3 * Math.sqrt(next))) ** 3
}

const NORMAL_99 = 2.5758293035489
