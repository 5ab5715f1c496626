import { createOwnership, type Ownership, type SinkCommit, wasTaken } from './ownership.ts'
import type { Applied } from './applied-writes.ts'
import type { ScenarioResult } from './run-scenario.ts'

/** Input of the judge of writes. */
export type WrittenResult = Pick<ScenarioResult, 'applied' | 'commits' | 'produced' | 'sinks'>

/** Which writes landed wrongly, and which of them have an excuse. */
export interface WritesVerdict {
  readonly wrong: readonly string[]
  /** Activity id and partition of writes that came late and have an excuse: `isExcused` looks them up. */
  readonly isExcused: (write: Applied) => boolean
  /** How many requests were late with an excuse. */
  readonly lateRequests: number
}

/**
 * Compares every applied write with the commits of its partition. A write is right if its sink had claimed the
 * partition before it sent the write and still owned it when the write was applied; its record was not committed at
 * that moment; and it is not older than a write of the same claim before it.
 *
 * Forgiven are late writes, those whose partition moved between `end()` and the moment in which they were applied,
 * since nothing can call bytes back: but only where the sink itself named the request by activity id and partition, and
 * counted it; or, where the scenario says `lateFrom`, because that sink was killed before it could say anything.
 */
export function judgeWrites(
  { applied, commits, produced, sinks }: WrittenResult,
  lateFrom: string | undefined
): WritesVerdict {
  const ownership = createOwnership(commits)
  const offsets = new Map(produced.map(({ mark, offset }) => [mark, offset]))
  const wrong: string[] = []
  const excused = new Set<Applied>()
  const documents = new Map<string, Marked>()
  for (const write of applied) {
    if (ownership.hasMovedUnder(write) && (write.by === lateFrom || isNamed(write, sinks))) {
      excused.add(write)
      continue
    }
    if (!isMarked(write)) continue
    const offset = offsets.get(write.mark)
    // forgiven: a record that compaction removed has no offset any more; only the order of its document can be judged
    const before = documents.get(write.document)
    wrong.push(
      ...(offset === undefined ? [] : judgeClaim(write, offset, ownership)),
      ...judgeOrder(write, before, offset, ownership)
    )
    if (before === undefined || before.mark <= write.mark || isNewer(write, before, ownership))
      documents.set(write.document, write)
  }
  return {
    wrong,
    isExcused: (write) => excused.has(write),
    lateRequests: new Set([...excused].map(({ activity }) => activity)).size
  }
}

type Marked = Applied & { readonly mark: number }

/**
 * Forgiven: deletes, whose requests do not say which record they come from. A delete that lands late removes a document
 * that was committed, which the samples and the store show.
 */
function isMarked(write: Applied): write is Marked {
  return write.mark !== null
}

function isNamed({ by, activity, partition }: Applied, sinks: ScenarioResult['sinks']): boolean {
  return sinks.get(by)?.late.named.get(activity)?.has(partition) === true
}

function judgeClaim(write: Marked, offset: number, ownership: Ownership): string[] {
  const { partition, by, endMs, appliedMs } = write
  const owner = ownership.ownerAt(partition, endMs)
  const committed = ownership.committedBefore(partition, appliedMs)
  return [
    ...(owner === undefined || owner.by === by
      ? []
      : [`${describe(write)}: sent after ${owner.by} had claimed partition ${partition}`]),
    ...(offset >= committed
      ? []
      : [
          `${describe(write)}: its record is at offset ${offset} of partition ${partition}, and ${committed} was committed`
        ])
  ]
}

/**
 * A document goes back only where its owner replays from a commit: the claim is younger than the newer value, the write
 * is its sender's, and its record lies at or after the offset that was claimed.
 */
function judgeOrder(
  write: Marked,
  before: Marked | undefined,
  offset: number | undefined,
  ownership: Ownership
): string[] {
  if (before === undefined || write.mark >= before.mark) return []
  const claim = ownership.ownerAt(write.partition, write.appliedMs)
  const isReplay =
    claim !== undefined &&
    claim.by === write.by &&
    claim.atMs <= write.endMs &&
    claim !== ownership.ownerAt(before.partition, before.endMs) &&
    (offset === undefined || offset >= claim.offset)
  return isReplay
    ? []
    : [`${describe(write)} after ${before.by} had written ${before.mark}, which no replay from a commit explains`]
}

function isNewer(write: Marked, before: Marked, { ownerAt }: Ownership): boolean {
  return ownerAt(write.partition, write.endMs) !== ownerAt(before.partition, before.endMs)
}

/** Names a write, and how long its request took. */
export function describe({ document, by, mark, activity, endMs, appliedMs }: Applied): string {
  return `${document}: ${by} wrote ${mark} (activity ${activity}, applied ${appliedMs - endMs} ms after end())`
}

/** A sink names no more late requests than it counts, and does not count what it does not name. */
export function judgeLateReports(sinks: ScenarioResult['sinks']): readonly string[] {
  return [...sinks].flatMap(([name, { late }]) =>
    late.named.size <= late.counted
      ? []
      : [`${name} named ${late.named.size} late requests and counted ${late.counted}`]
  )
}

/** The group's offsets only grow; and the log of commits is complete, or nothing could be held against it. */
export function judgeCommits({ commits, committed }: Pick<ScenarioResult, 'commits' | 'committed'>): readonly string[] {
  const highest = new Map<number, SinkCommit>()
  const wrong = commits.flatMap((commit) => {
    const before = highest.get(commit.partition)
    if (before === undefined || commit.offset >= before.offset) {
      highest.set(commit.partition, commit)
      return []
    }
    return [
      `${commit.by} committed ${commit.offset} of partition ${commit.partition} after ${before.by} had committed ${before.offset}`
    ]
  })
  const missing = [...committed].filter(
    ([partition, offset]) =>
      offset > 0 && commits.findLast((commit) => commit.partition === partition)?.offset !== offset
  )
  return [
    ...wrong,
    ...missing.map(
      ([partition, offset]) => `the commit of ${offset} of partition ${partition} is not in the log of commits`
    )
  ]
}

/** A sink that was stopped between its check and its write says so. */
export function judgeNamed(sinks: ScenarioResult['sinks'], name: string): readonly string[] {
  const { stop, late } = sinks.get(name) ?? {}
  if (stop === undefined) return [`${name} was not stopped`]
  return late?.named.has(String(stop.about)) === true
    ? []
    : [`${name} did not name request ${stop.about}, in which it was stopped, as late`]
}

/** The scenario did happen: while the sink stood, another one claimed what it had. */
export function judgeTakeover(
  { commits, sinks }: Pick<ScenarioResult, 'commits' | 'sinks'>,
  from: string
): readonly string[] {
  const stop = sinks.get(from)?.stop
  if (stop === undefined) return [`${from} was not stopped`]
  return wasTaken(commits, { from, stoppedMs: stop.atMs })
    ? []
    : [`nobody claimed what ${from} had when it was stopped`]
}
