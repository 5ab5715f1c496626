import type { Outcome } from '@keystamp/cosmos'
import { judgeApplied, judgeStored, type ToldWrite } from '@keystamp/testkit'
import type { ScenarioResult, Told } from './run-scenario.ts'
import type { Expectation, Scenario } from './scenario.ts'

/** Violations of a scenario, a sentence each; empty when every law was kept. */
export function judge({ expect = {} }: Scenario, result: ScenarioResult): readonly string[] {
  const { told, applied, stored } = result
  const wrong: string[] = []
  for (const { mark, outcomes } of told)
    if (outcomes.length !== 1) wrong.push(`${mark} was told ${outcomes.length} outcomes`)
  wrong.push(
    ...judgeErrors(expect, told),
    ...judgeRejections(expect, told),
    ...judgeOrder(told, applied),
    ...judgeRoom(result)
  )
  // forgiven: what is stored where the writer had to stop, since operations were on their way; each still has one
  // outcome, in order
  if (expect.stops !== undefined) return wrong
  wrong.push(...judgeStats(expect, result))
  // not forgiven, but said in other words already
  if (wrong.length > 0) return wrong
  return documentsOf(told).flatMap((document) => {
    const writes = told.filter((entry) => documentOf(entry) === document).map((entry) => toldWrite(entry))
    return judgeStored(document, writes, stored.get(document))
  })
}

function judgeErrors({ stops }: Expectation, told: readonly Told[]): string[] {
  const errors = told.flatMap(({ outcomes }) => outcomes).filter((outcome) => outcome instanceof Error)
  const codes = new Set(errors.map((error) => (error as Error & { code?: string }).code))
  if (stops === undefined) return [...codes].map((code) => `the work was stopped by ${code}: ${errors[0].message}`)
  return codes.has(stops) ? [] : [`the work was not stopped by ${stops}, but by ${[...codes].join() || 'nothing'}`]
}

function judgeRejections({ mayReject = [] }: Expectation, told: readonly Told[]): string[] {
  return told.flatMap(({ mark, outcomes: [outcome] }) => {
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
 * The emulator's log, by ETag: no document goes back to an older write. Forgiven: writes whose outcome has no ETag of
 * their own, deletes and superseded ones among them; what they leave behind shows in the store.
 */
function judgeOrder(told: readonly Told[], applied: ScenarioResult['applied']): string[] {
  const marks = new Map(told.flatMap((entry) => etagsOf(entry)))
  return documentsOf(told).flatMap((document) => {
    const own = applied.filter(
      ({ partitionKey, id }) => `${(JSON.parse(partitionKey) as string[])[0]}/${id}` === document
    )
    return judgeApplied(
      document,
      own.map(({ etag }) => marks.get(String(etag).replaceAll('"', ''))).filter((mark) => mark !== undefined)
    )
  })
}

function etagsOf({ mark, outcomes: [outcome] }: Told): (readonly [string, number])[] {
  if (outcome === undefined || outcome instanceof Error || outcome.kind !== 'written') return []
  return outcome.isSuperseded || outcome.etag === undefined ? [] : [[outcome.etag.replaceAll('"', ''), mark]]
}

function judgeRoom({ mostBytes, largestBytes, stats: { maxPendingBytes } }: ScenarioResult): string[] {
  return mostBytes > maxPendingBytes + largestBytes ? [`${mostBytes} bytes stood in a room of ${maxPendingBytes}`] : []
}

function judgeStats({ meets = [], leastThrottled = 0 }: Expectation, { stats }: ScenarioResult): string[] {
  const met = new Set(Object.keys(stats.retries))
  const wrong = meets.filter((status) => !met.has(status)).map((status) => `it never met ${status}`)
  if (stats.throttledOperations < leastThrottled)
    wrong.push(`only ${stats.throttledOperations} operations were throttled`)
  if (stats.pendingBytes !== 0) wrong.push(`${stats.pendingBytes} bytes are left in the room`)
  return wrong
}

function documentsOf(told: readonly Told[]): readonly string[] {
  return [...new Set(told.map(documentOf))]
}

function documentOf({ key, id }: Told): string {
  return `${key}/${id}`
}

function toldWrite({ mark, operation: { kind }, outcomes: [outcome] }: Told): ToldWrite {
  const told = outcome as Outcome
  return { mark, kind, told: nameOf(told, kind), isRefusable: told.kind === 'rejected' }
}

function nameOf(outcome: Outcome, kind: ToldWrite['kind']): ToldWrite['told'] {
  if (outcome.kind === 'rejected') return outcome.code === 'OUTCOME_UNKNOWN' ? 'unknown' : 'refused'
  if (outcome.kind === 'unchanged') return 'refused'
  if (outcome.isSuperseded) return 'superseded'
  // after a lost answer: the document is gone, whichever attempt removed it
  return kind === 'delete' && outcome.status === 404 ? 'gone' : 'applied'
}
