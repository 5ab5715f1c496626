import { type Rejection, reject } from '../errors/rejection.ts'
import { pointerText } from '../parse/pointer.ts'
import type { FieldValue } from '../plan/compiled.ts'
import type { BoundaryRules, PlanRules } from '../plan/rules.ts'
import { parseInstant } from '../time/instant.ts'
import type { FieldTable } from './field-table.ts'

/** Tells which version applies to a record: 0 for the newest. By an immutable property of the record, never by the clock. */
export type SelectVersion = (values: readonly FieldValue[]) => number | Rejection

export function compileBoundaries({ versions }: PlanRules, table: FieldTable): SelectVersion {
  const bounds = versions.flatMap(({ until }) => until ?? [])
  if (bounds.length === 0) return () => 0
  const { field, isTime } = bounds[0]
  const index = table.indexOf(field)
  return (values) => {
    const place = placeOf(values[index], isTime)
    if (place === undefined) return reject('BOUNDARY_MISSING', pointerText(field))
    return versionAt(place, bounds)
  }
}

// bounds descend from the newest version's end: the last one that the record lies before is its own
function versionAt(place: number, bounds: readonly BoundaryRules[]): number {
  let version = 0
  while (version < bounds.length && place < bounds[version].before) version++
  return version
}

export function placeOf(value: FieldValue, isTime: boolean): number | undefined {
  if (isTime) return typeof value === 'string' ? parseInstant(value) : undefined
  return typeof value === 'number' || typeof value === 'bigint' ? Number(value) : undefined
}
