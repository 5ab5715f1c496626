import { suggestField } from '@keystamp/core/internal'
import type { PlanReport, Workload } from '@keystamp/planner'

/** Number of records in which a similar name is searched. */
const SUGGESTED_FROM = 100

/** Returns the fields of the workload that no record has, each with a similar name from the records if there is one. */
export function absentFields(workload: Workload, records: readonly unknown[]): PlanReport['assumptions'] {
  if (records.length === 0) return []
  return namedFields(workload).flatMap(({ field, where, couldChange }) => {
    if (isSystemField(field) || records.some((record) => hasField(record, field))) return []
    const [meant] = records.slice(0, SUGGESTED_FROM).flatMap((record) => suggestField(field, record) ?? [])
    const question = meant === undefined ? '' : ` Did you mean ${meant}?`
    return [{ what: `No record of the sample has ${field}, ${where}.${question}`, couldChange }]
  })
}

interface NamedField {
  readonly field: string
  readonly where: string
  readonly couldChange: string
}

function namedFields({ queries, timeField, transactions, changingFields, presentKey = [] }: Workload): NamedField[] {
  const ofQueries = queries.flatMap(({ name, equal, between }) =>
    [...equal, ...between.map(({ field }) => field)].map((field) => ({
      field,
      where: `which the query "${name}" filters by`,
      couldChange: 'which keys fit the query'
    }))
  )
  const others: readonly (readonly [readonly string[], string, string])[] = [
    [timeField === undefined ? [] : [timeField], 'the field with the time (--time)', 'all figures about time'],
    [transactions, 'the field of the transactions (--transaction)', 'which keys are possible'],
    [changingFields, 'a field that changes (--changes)', 'which keys are possible'],
    [presentKey, 'the present key (--present-key)', 'whether the present key can be kept']
  ]
  return [
    ...ofQueries,
    ...others.flatMap(([fields, where, couldChange]) => fields.map((field) => ({ field, where, couldChange })))
  ]
}

/** Cosmos DB adds these to every document. */
function isSystemField(field: string): boolean {
  return field === '/id' || /^\/_(?:ts|rid|self|etag)$/.test(field)
}

function hasField(record: unknown, pointer: string): boolean {
  let value = record
  for (const token of pointer.split('/').slice(1)) {
    if (typeof value !== 'object' || value === null) return false
    const name = token.replaceAll('~1', '/').replaceAll('~0', '~')
    if (!Object.hasOwn(value, name)) return false
    value = (value as Readonly<Record<string, unknown>>)[name]
  }
  return true
}
