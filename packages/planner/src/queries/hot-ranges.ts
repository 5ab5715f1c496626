import { createPlan, partitionHashHead } from '@keystamp/core'
import { parsePointer } from '@keystamp/core/internal'
import type { Candidate, CandidateSuffix } from '../candidates/candidate.ts'
import { rangeOf } from '../model/range-load.ts'

type HotValue = CandidateSuffix['hot'][number]

/** The ranges of more suffixes than this hardly differ from their expected number. */
const MAX_SUFFIXES = 100

/**
 * Counts the ranges that have the keys of one hot value, by the hash of each key. Undefined if the value alone does not
 * determine the keys: if the base has further parts.
 */
export function rangesOfHot(candidate: Candidate, hot: HotValue, partitions: number): number | undefined {
  const positions = hot.count > MAX_SUFFIXES ? undefined : positionsOf(candidate).get(hot)
  return positions && new Set(positions.map((position) => rangeOf(position, partitions))).size
}

type Positions = ReadonlyMap<HotValue, readonly number[]>

// a search asks for many numbers of partitions
const known = new WeakMap<Candidate, Positions>()

/** Positions of the keys of all named hot values in the hash space. */
function positionsOf(candidate: Candidate): Positions {
  let positions = known.get(candidate)
  if (positions === undefined) {
    positions = hashHotValues(candidate)
    known.set(candidate, positions)
  }
  return positions
}

function hashHotValues({ plan, levels }: Candidate): Positions {
  const [{ parts, suffix }] = levels
  if (plan === null || suffix === null || levels.length > 1 || parts.length > 1) return new Map()
  const { keysFor, partitionKey } = createPlan(plan)
  if (partitionKey.version !== 2) return new Map()
  const names = parsePointer(parts[0].field) ?? []
  const positions = new Map<HotValue, readonly number[]>()
  for (const hot of suffix.hot) {
    if (hot.value === undefined || hot.count > MAX_SUFFIXES) continue
    const fields = names.reduceRight<unknown>((inner, name) => ({ [name]: inner }), hot.value) as object
    const keys = keysFor(fields)
    positions.set(
      hot,
      keys.map(({ values }) => partitionHashHead(values, partitionKey) / HEADS)
    )
  }
  return positions
}

/** The first 32 bits of an effective partition key of version 2 are below this number. */
const HEADS = 2 ** 30
