import { createPlan, partitionHashHead } from '@keystamp/core'
import { parsePointer } from '@keystamp/core/internal'
import type { Candidate, CandidateSuffix } from '../candidates/candidate.ts'
import { rangeOf } from '../model/range-load.ts'

/** The ranges of more suffixes than this hardly differ from their expected number. */
const MAX_SUFFIXES = 100

/**
 * Counts the ranges that have the keys of one hot value, by the hash of each key. Undefined if the value alone does not
 * determine the keys: if the base has further parts.
 */
export function rangesOfHot(
  { plan, levels }: Candidate,
  { value, count }: CandidateSuffix['hot'][number],
  partitions: number
): number | undefined {
  const [{ parts }] = levels
  if (plan === null || value === undefined || count > MAX_SUFFIXES || levels.length > 1 || parts.length > 1)
    return undefined
  const { keysFor, partitionKey } = createPlan(plan)
  if (partitionKey.version !== 2) return undefined
  const names = parsePointer(parts[0].field) ?? []
  const known = names.reduceRight<unknown>((inner, name) => ({ [name]: inner }), value) as object
  return new Set(
    keysFor(known).map(({ values }) => rangeOf(partitionHashHead(values, partitionKey) / HEADS, partitions))
  ).size
}

/** The first 32 bits of an effective partition key of version 2 are below this number. */
const HEADS = 2 ** 30
