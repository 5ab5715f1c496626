import type { FieldSummary } from '../sample/field-summary.ts'
import type { Workload } from '../workload/workload.ts'

/** Share of the records that must have a time. */
const MIN_PRESENCE = 0.95

/**
 * Finds the time of a record where the workload does not name it: the field of which queries ask for ranges, or the only
 * one that has times with more than a date. Undefined if several fields may be meant.
 */
export function findTimeField(
  fields: readonly FieldSummary[],
  { queries, changingFields }: Pick<Workload, 'queries' | 'changingFields'>
): string | undefined {
  const times = fields.filter(
    ({ path, time, present, records }) =>
      time !== null && present >= records * MIN_PRESENCE && !changingFields.includes(path)
  )
  const asked = times.find(({ path }) => queries.some(({ between }) => between.some(({ field }) => field === path)))
  if (asked !== undefined) return asked.path
  const mostValues = Math.max(...times.map(({ distinct }) => distinct))
  // a date is made from the time, and has fewer values
  const exact = times.filter(({ distinct }) => distinct > mostValues / 10)
  return exact.length === 1 ? exact[0].path : undefined
}
