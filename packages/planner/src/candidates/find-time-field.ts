import type { FieldSummary } from '../sample/field-summary.ts'
import type { Workload } from '../workload/workload.ts'

/** Share of the records that must have the field. */
const MIN_PRESENCE = 0.95

/**
 * Finds the field with the time of a record if the workload does not name it: a field for which queries have ranges, or
 * else the only field with times that are more exact than dates. Undefined if there are several such fields.
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
  // a date has fewer values than the time that it was made from
  const exact = times.filter(({ distinct }) => distinct > mostValues / 10)
  return exact.length === 1 ? exact[0].path : undefined
}
