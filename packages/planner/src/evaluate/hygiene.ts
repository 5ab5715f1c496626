import type { Candidate } from '../candidates/candidate.ts'
import type { HygieneFinding } from '../report/plan-report.ts'
import type { FieldSummary } from '../sample/field-summary.ts'

/** Findings about the fields of candidate keys that make keys wrong, missing or personal. */
export function hygieneOf(
  fields: readonly FieldSummary[],
  candidates: readonly Candidate[]
): readonly HygieneFinding[] {
  const used = new Set(
    candidates.flatMap(({ levels }) => levels.flatMap(({ parts }) => parts.map(({ field }) => field)))
  )
  return fields.filter(({ path }) => used.has(path)).flatMap(findingsOf)
}

function findingsOf(field: FieldSummary): readonly HygieneFinding[] {
  const { path, records, present, types, empty, over101, over2048, withSeparator, personal } = field
  const mixed = [types.string, types.number, types.boolean].filter((count) => count > 0)
  const found: readonly (readonly [string, number])[] = [
    ['is missing', records - present],
    ['is null', types.null],
    ['is an empty string, which a plan rejects unless it has `empty`', empty],
    ['has values of several types: 7 and "7" are different keys', mixed.length > 1 ? Math.min(...mixed) : 0],
    ['is longer than 101 bytes: a container of hash version 1 hashes the beginning only', over101],
    ['is longer than 2,048 bytes, the longest key', over2048],
    ['contains "-", the default separator, which a plan escapes', withSeparator],
    [
      `looks like personal data (${personal}): keys appear in logs and metrics of the service`,
      personal === null ? 0 : present
    ]
  ]
  return found.filter(([, count]) => count > 0).map(([finding, count]) => ({ path, finding, records: count }))
}
