import { type LogExport, routePresentKey, withoutLiterals, type Workload, type XrayedQuery } from '@keystamp/planner'

/** Queries of the log export with the physical partitions that they asked; without one, those of the workload. */
export function queriesOf(
  log: LogExport | undefined,
  { queries, pointReadsPerSecond = 0 }: Workload,
  { paths, partitions, showValues }: { paths: readonly string[]; partitions: number; showValues: boolean }
): readonly XrayedQuery[] {
  if (log !== undefined && log.queries.length > 0)
    return log.queries.map(({ text, perSecond, ranges }) => ({
      name: showValues ? text : withoutLiterals(text),
      perSecond,
      // a range that was split since then is asked as often as its parts
      ranges: Math.min(ranges, partitions),
      source: 'log'
    }))
  const seen: XrayedQuery[] = queries.map((query) => ({
    name: query.name,
    perSecond: query.perSecond,
    ranges: routePresentKey(query, paths, partitions),
    source: 'workload'
  }))
  return pointReadsPerSecond === 0
    ? seen
    : [...seen, { name: 'point reads', perSecond: pointReadsPerSecond, ranges: 1, source: 'workload' }]
}
