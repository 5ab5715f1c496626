/**
 * Requests that a sink itself reported as late: perhaps applied after their partitions had moved, or without an answer.
 */
export interface LateReport {
  /** Partitions of each request in the log, by activity id. */
  readonly named: ReadonlyMap<string, ReadonlySet<number>>
  /** Counts of the metric. */
  readonly counted: number
}

/** A sink that reported nothing. */
export const NOTHING_LATE: LateReport = { named: new Map(), counted: 0 }

/**
 * Reads the log lines that contain "late request", with the fields `partition` and `activityId`, or `activityIds` if
 * one line reports several.
 */
export function namedAsLate(output: string): LateReport['named'] {
  const named = new Map<string, Set<number>>()
  for (const line of output.split('\n')) {
    if (!line.includes('late request')) continue
    const { activityId, activityIds = [activityId], partition } = parseLine(line)
    if (typeof partition !== 'number' || !Array.isArray(activityIds)) continue
    for (const id of activityIds) {
      if (typeof id !== 'string') continue
      const partitions = named.get(id)
      if (partitions === undefined) named.set(id, new Set([partition]))
      else partitions.add(partition)
    }
  }
  return named
}

/** Sums the counter over its labels; 0 if the text does not contain the counter. */
export function countedAsLate(metrics: string): number {
  const lines = metrics.split('\n').filter((line) => /^keystamp_sink_late_requests_total[{ ]/.test(line))
  return lines.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' ') + 1)), 0)
}

interface LateLine {
  readonly activityId?: unknown
  readonly activityIds?: unknown
  readonly partition?: unknown
}

function parseLine(line: string): LateLine {
  try {
    return JSON.parse(line) as LateLine
  } catch {
    return {}
  }
}
