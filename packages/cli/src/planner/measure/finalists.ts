import type { Candidate, PlanReport } from '@keystamp/planner'

const MAX_FINALISTS = 3

/** A candidate to measure, and the physical partitions of its container. */
export interface Finalist {
  readonly candidate: Candidate
  readonly partitions: number
}

/** Returns three candidates to measure: the best one, the present key, key plans of the user, then the next best. */
export function findFinalists(
  { candidates: reports }: PlanReport,
  candidates: readonly Candidate[],
  given: readonly Candidate[]
): readonly Finalist[] {
  const ranked = reports.flatMap(({ name, physicalPartitions }) => {
    const candidate = candidates.find((each) => each.name === name)
    return candidate === undefined ? [] : [{ candidate, partitions: partitionsFor(physicalPartitions) }]
  })
  const first = ranked.filter(
    ({ candidate }, rank) =>
      rank === 0 || candidate.kind === 'present' || given.some(({ name }) => name === candidate.name)
  )
  return [...new Set([...first, ...ranked])].slice(0, MAX_FINALISTS)
}

/** Limits the number of partitions: with more, the emulator would be too slow; with one, the key does not matter. */
function partitionsFor(needed: number | null): number {
  return Math.min(MAX_PARTITIONS, Math.max(MIN_PARTITIONS, needed ?? MAX_PARTITIONS))
}

const MIN_PARTITIONS = 2
const MAX_PARTITIONS = 8
