import type { Candidate } from '../candidates/candidate.ts'
import type { HygieneFinding } from '../report/plan-report.ts'
import type { FieldSummary } from '../sample/field-summary.ts'

/** Finds problems in the fields of candidate keys: missing, mixed or long values, and personal data. */
export function hygieneOf(
  fields: readonly FieldSummary[],
  candidates: readonly Candidate[]
): readonly HygieneFinding[] {
  const used = new Set(
    candidates
      .filter(({ kind }) => kind !== 'lookup')
      .flatMap(({ levels }) => levels.flatMap(({ parts }) => parts.map(({ field }) => field)))
  )
  return fields.filter(({ path }) => used.has(path)).flatMap(findingsOf)
}

function findingsOf(field: FieldSummary): readonly HygieneFinding[] {
  const { path, records, present, types, empty, over101, over2048, withSeparator, personal } = field
  const mixed = [types.string, types.number, types.boolean].filter((count) => count > 0)
  const found: readonly (readonly [string, number])[] = [
    ['is missing', records - present],
    ['is null', types.null],
    ['is an empty string: a key plan rejects the record unless the plan sets `empty`', empty],
    ['has values of several types: 7 and "7" are different keys', mixed.length > 1 ? Math.min(...mixed) : 0],
    ['is longer than 101 bytes: a container with hash version 1 hashes only the beginning', over101],
    ['is longer than 2,048 bytes, the maximum length of a partition key value', over2048],
    ['contains "-", the default separator: a key plan escapes it', withSeparator],
    [
      `looks like personal data (${personal}): keys appear in logs and metrics of Cosmos DB`,
      personal === null ? 0 : present
    ]
  ]
  return found.filter(([, count]) => count > 0).map(([finding, count]) => ({ path, finding, records: count }))
}
