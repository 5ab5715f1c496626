/** Requests that a sink itself reported as late: applied, perhaps, after their partitions had moved. */
export interface LateReport {
  /** Partitions that the log names for each request, by activity id. */
  readonly named: ReadonlyMap<string, ReadonlySet<number>>
  /** What the metric counted. */
  readonly counted: number
}

/** A sink that reported nothing. */
export const NOTHING_LATE: LateReport = { named: new Map(), counted: 0 }

/** Reads the log lines that contain "late request", with the fields `partition` and `activityId`. */
export function namedAsLate(said: string): LateReport['named'] {
  const named = new Map<string, Set<number>>()
  for (const line of said.split('\n')) {
    if (!line.includes('late request')) continue
    const { activityId, partition } = parseLine(line)
    if (typeof activityId !== 'string' || typeof partition !== 'number') continue
    const partitions = named.get(activityId)
    if (partitions === undefined) named.set(activityId, new Set([partition]))
    else partitions.add(partition)
  }
  return named
}

/** Sums the counter over its labels; 0 where the text has none. */
export function countedAsLate(metrics: string): number {
  const lines = metrics.split('\n').filter((line) => /^keystamp_sink_late_requests_total[{ ]/.test(line))
  return lines.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' ') + 1)), 0)
}

function parseLine(line: string): { readonly activityId?: unknown; readonly partition?: unknown } {
  try {
    return JSON.parse(line) as { readonly activityId?: unknown; readonly partition?: unknown }
  } catch {
    return {}
  }
}
