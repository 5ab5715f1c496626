import { createOwnership, type Ownership, type SinkCommit, wasTaken } from './ownership.ts'
import type { Applied } from './applied-writes.ts'
import type { ScenarioResult } from './run-scenario.ts'

/** The parts of a result that `judgeWrites` checks. */
export type WrittenResult = Pick<ScenarioResult, 'applied' | 'commits' | 'produced' | 'sinks'>

/** Wrong writes, and late writes that are excused. */
export interface WritesVerdict {
  readonly wrong: readonly string[]
  /** Whether a write was late and is excused. */
  readonly isExcused: (write: Applied) => boolean
  /** Number of requests that were late and are excused. */
  readonly lateRequests: number
}

/**
 * Compares every applied write with the commits of its partition. A write is right if its sink had claimed the
 * partition before it sent the write, and still owned the partition when the write was applied. In addition, the record
 * must not have been committed at that moment, and no earlier write of the same claim may be newer.
 *
 * A late write is a write whose partition moved between `end()` and the moment at which the write was applied: sent
 * bytes cannot be withdrawn. A late write is excused in two cases only. The sink itself reported the request with
 * activity id and partition, and counted the request. Or the scenario names the sink as `lateFrom`, because the sink
 * was killed before it could report.
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
    // a record that compaction removed has no offset any more: only the order of its document can be checked
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
 * Deletes are not checked here, since their requests do not contain the mark of the record. A late delete removes a
 * document that was committed, which the checks of the samples and of the store find.
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
 * A document may go back to an older value only if its owner replays from a commit: the claim is later than the newer
 * value, the sender of the write made the claim, and the record lies at or after the claimed offset.
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

/** Describes a write, with the duration of its request. */
export function describe({ document, by, mark, activity, endMs, appliedMs }: Applied): string {
  return `${document}: ${by} wrote ${mark} (activity ${activity}, applied ${appliedMs - endMs} ms after end())`
}

/** Checks that a sink reports no more late requests than it counts. */
export function judgeLateReports(sinks: ScenarioResult['sinks']): readonly string[] {
  return [...sinks].flatMap(([name, { late }]) =>
    late.named.size <= late.counted
      ? []
      : [`${name} named ${late.named.size} late requests and counted ${late.counted}`]
  )
}

/**
 * Checks that the offsets of the group never decrease, and that the log of commits is complete, since other checks rely
 * on it.
 */
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

/** Checks that a sink that was suspended between its last check and its write reports this request as late. */
export function judgeNamed(sinks: ScenarioResult['sinks'], name: string): readonly string[] {
  const { stop, late } = sinks.get(name) ?? {}
  if (stop === undefined) return [`${name} was not stopped`]
  return late?.named.has(String(stop.about)) === true
    ? []
    : [`${name} did not name request ${stop.about}, in which it was stopped, as late`]
}

/** Checks that the scenario took effect: while the sink was suspended, another one claimed one of its partitions. */
export function judgeTakeover(
  { commits, sinks }: Pick<ScenarioResult, 'commits' | 'sinks'>,
  from: string
): readonly string[] {
  const stop = sinks.get(from)?.stop
  if (stop === undefined) return [`${from} was not stopped`]
  return wasTaken(commits, { from, stoppedMs: stop.atMs })
    ? []
    : [`no other sink claimed a partition that ${from} owned when it was stopped`]
}
