import type { Outcome } from '@keystamp/cosmos'
import { judgeApplied, judgeStored, type ReportedWrite } from '@keystamp/testkit'
import type { ScenarioResult, WriteEntry } from './run-scenario.ts'
import type { Expectation, Scenario } from './scenario.ts'

/** Violations of a scenario, a sentence each; empty when every law was kept. */
export function judge({ expect = {} }: Scenario, result: ScenarioResult): readonly string[] {
  const { entries, applied, stored } = result
  const wrong: string[] = []
  for (const { mark, outcomes } of entries)
    if (outcomes.length !== 1) wrong.push(`${mark} has ${outcomes.length} outcomes`)
  wrong.push(
    ...judgeErrors(expect, entries),
    ...judgeRejections(expect, entries),
    ...judgeOrder(entries, applied),
    ...judgePendingBytes(result)
  )
  // not checked: the stored documents if the writer had to stop, since operations were in flight; each still has one
  // outcome, in order
  if (expect.stops !== undefined) return wrong
  wrong.push(...judgeStats(expect, result))
  // wrong documents would only repeat these violations in other words
  if (wrong.length > 0) return wrong
  return documentsOf(entries).flatMap((document) => {
    const writes = entries.filter((entry) => documentOf(entry) === document).map((entry) => reportedWrite(entry))
    return judgeStored(document, writes, stored.get(document))
  })
}

function judgeErrors({ stops }: Expectation, entries: readonly WriteEntry[]): string[] {
  const errors = entries.flatMap(({ outcomes }) => outcomes).filter((outcome) => outcome instanceof Error)
  const codes = new Set(errors.map((error) => (error as Error & { code?: string }).code))
  if (stops === undefined) return [...codes].map((code) => `the work was stopped by ${code}: ${errors[0].message}`)
  return codes.has(stops) ? [] : [`the work was not stopped by ${stops}, but by ${[...codes].join() || 'nothing'}`]
}

function judgeRejections({ mayReject = [] }: Expectation, entries: readonly WriteEntry[]): string[] {
  return entries.flatMap(({ mark, outcomes: [outcome] }) => {
    if (
      outcome === undefined ||
      outcome instanceof Error ||
      outcome.kind !== 'rejected' ||
      mayReject.includes(outcome.code)
    )
      return []
    return [`${mark} was rejected: ${outcome.code} (${outcome.message})`]
  })
}

/**
 * Checks the log of the emulator by ETag: no document goes back to an older write. Writes without an ETag of their own
 * are not checked here, such as deletes and superseded writes: `judgeStored` checks their result.
 */
function judgeOrder(entries: readonly WriteEntry[], applied: ScenarioResult['applied']): string[] {
  const marks = new Map(entries.flatMap((entry) => etagsOf(entry)))
  return documentsOf(entries).flatMap((document) => {
    const own = applied.filter(
      ({ partitionKey, id }) => `${(JSON.parse(partitionKey) as string[])[0]}/${id}` === document
    )
    return judgeApplied(
      document,
      own.map(({ etag }) => marks.get(String(etag).replaceAll('"', ''))).filter((mark) => mark !== undefined)
    )
  })
}

function etagsOf({ mark, outcomes: [outcome] }: WriteEntry): (readonly [string, number])[] {
  if (outcome === undefined || outcome instanceof Error || outcome.kind !== 'written') return []
  return outcome.isSuperseded || outcome.etag === undefined ? [] : [[outcome.etag.replaceAll('"', ''), mark]]
}

function judgePendingBytes({ peakBytes, largestBytes, stats: { maxPendingBytes } }: ScenarioResult): string[] {
  return peakBytes > maxPendingBytes + largestBytes
    ? [`${peakBytes} bytes were pending, with a limit of ${maxPendingBytes}`]
    : []
}

function judgeStats({ meets = [], minThrottled = 0 }: Expectation, { stats }: ScenarioResult): string[] {
  const met = new Set(Object.keys(stats.retries))
  const wrong = meets.filter((status) => !met.has(status)).map((status) => `the status ${status} never occurred`)
  if (stats.throttledOperations < minThrottled)
    wrong.push(`only ${stats.throttledOperations} operations were throttled`)
  if (stats.pendingBytes !== 0) wrong.push(`${stats.pendingBytes} bytes are still pending`)
  return wrong
}

function documentsOf(entries: readonly WriteEntry[]): readonly string[] {
  return [...new Set(entries.map(documentOf))]
}

function documentOf({ key, id }: WriteEntry): string {
  return `${key}/${id}`
}

function reportedWrite({ mark, operation: { kind }, outcomes: [outcome] }: WriteEntry): ReportedWrite {
  const final = outcome as Outcome
  return { mark, kind, reported: nameOf(final, kind), isRefusable: final.kind === 'rejected' }
}

function nameOf(outcome: Outcome, kind: ReportedWrite['kind']): ReportedWrite['reported'] {
  if (outcome.kind === 'rejected') return outcome.code === 'OUTCOME_UNKNOWN' ? 'unknown' : 'refused'
  if (outcome.kind === 'unchanged') return 'refused'
  if (outcome.isSuperseded) return 'superseded'
  // after a lost answer, the document is gone, whichever attempt deleted it
  return kind === 'delete' && outcome.status === 404 ? 'gone' : 'applied'
}
