import type { JournalState, RangePosition } from '../journal/journal.ts'

/** How far a move has read the change feed of all versions and deletes. */
export interface VersionsAge {
  /** All deletes before this time are known. */
  readonly readTo: string
  /** Minutes for which Cosmos DB keeps them. */
  readonly retentionMinutes: number
  /** Whether the container tells the retention. Otherwise it is the shortest one of a continuous backup, 7 days. */
  readonly isRetentionTold: boolean
}

const SHORTEST_RETENTION_MINUTES = 7 * 24 * 60

/** Part of the retention after which a warning is due. */
const WARNED_PART = 0.8

/** The age of the oldest position; undefined if the feed is not read. */
export function versionsAgeOf(
  positions: readonly RangePosition[],
  retentionMinutes: number | undefined
): VersionsAge | undefined {
  const read = positions.filter(({ versions }) => versions !== null).map(({ versionsAt }) => versionsAt ?? 0)
  if (read.length === 0) return undefined
  return {
    readTo: new Date(Math.min(...read)).toISOString(),
    retentionMinutes: retentionMinutes ?? SHORTEST_RETENTION_MINUTES,
    isRetentionTold: retentionMinutes !== undefined
  }
}

/**
 * A sentence that deletes are found by comparisons only, and how to change that; undefined if the feed of all versions
 * and deletes shows them. `positions`: those of a copy that has begun.
 */
export function feedSentence(name: string, isOn: boolean, positions: readonly RangePosition[]): string | undefined {
  if (!isOn)
    return `${name} has no change feed of all versions and deletes, so deletes are found by comparisons only. To see them at once, turn on continuous backup and this feed for the account (page Features of the portal), and begin a new move.`
  if (!positions.some(({ versions }) => versions === null)) return undefined
  return `${name} has the change feed of all versions and deletes, but the copy began without it, or stood still for longer than its retention: deletes are found by comparisons only.`
}

/**
 * The warning that deletes will soon be known by comparisons only; undefined if there is none. `phase`: an ended move
 * needs no deletes.
 */
export function versionsWarning(
  age: VersionsAge | undefined,
  phase: JournalState['phase'],
  nowMs: number
): string | undefined {
  if (age === undefined || phase === 'finished' || phase === 'aborted') return undefined
  const { readTo, retentionMinutes, isRetentionTold } = age
  const retentionMs = retentionMinutes * 60_000
  const endMs = Date.parse(readTo) + retentionMs
  if (nowMs < endMs - retentionMs * (1 - WARNED_PART)) return undefined
  const end = new Date(endMs).toISOString()
  const assumed = isRetentionTold ? '' : ' (for a continuous backup of 7 days)'
  return nowMs < endMs
    ? `Deletes are read up to ${readTo}, and Cosmos DB keeps them until ${end}${assumed}. Let the move continue before: after that it finds deletes by comparisons only.`
    : `Deletes are read up to ${readTo}, and Cosmos DB has kept them until ${end}${assumed}. If it does not have them any more, the move finds deletes by comparisons only.`
}
