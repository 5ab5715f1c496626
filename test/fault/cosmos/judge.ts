import type { Outcome } from '@keystamp/cosmos'
import type { Scenario } from './scenario.ts'
import type { ScenarioResult, Told } from './run-scenario.ts'

interface State {
  readonly mark: number
  readonly sum: number
}

/** What a scenario did wrong, a sentence each; empty when every promise was kept. */
export function judge(scenario: Scenario, { told, applied, stored, stats }: ScenarioResult): readonly string[] {
  const wrong: string[] = []
  for (const { mark, outcomes } of told) if (outcomes.length !== 1) wrong.push(`${mark} was told ${outcomes.length} outcomes`)
  wrong.push(...judgeErrors(scenario, told), ...judgeRejections(scenario, told), ...judgeOrder(told, applied))
  if (scenario.stops === undefined) wrong.push(...judgeStats(scenario, stats))
  if (wrong.length === 0 && scenario.stops === undefined && scenario.isStoreLost !== true) wrong.push(...judgeStore(told, stored))
  return wrong
}

function judgeErrors({ stops }: Scenario, told: readonly Told[]): string[] {
  const errors = told.flatMap(({ outcomes }) => outcomes).filter((outcome) => outcome instanceof Error)
  const codes = new Set(errors.map((error) => (error as Error & { code?: string }).code))
  if (stops === undefined) return [...codes].map((code) => `the work was stopped by ${code}: ${errors[0].message}`)
  return codes.has(stops) ? [] : [`the work was not stopped by ${stops}, but by ${[...codes].join() || 'nothing'}`]
}

function judgeRejections({ mayEndUnknown, mayBeRejected }: Scenario, told: readonly Told[]): string[] {
  return told.flatMap(({ mark, outcomes: [outcome] }) => {
    if (outcome === undefined || outcome instanceof Error || outcome.kind !== 'rejected') return []
    const isAllowed = outcome.code === 'OUTCOME_UNKNOWN' ? mayEndUnknown === true : mayBeRejected === true
    return isAllowed ? [] : [`${mark} was rejected: ${outcome.code} (${outcome.message})`]
  })
}

/** The emulator's log, by ETag: no document goes back to an older write. */
function judgeOrder(told: readonly Told[], applied: ScenarioResult['applied']): string[] {
  const marks = new Map(
    told.flatMap(({ mark, outcomes: [outcome] }) =>
      isWritten(outcome) && outcome.etag !== undefined ? [[outcome.etag, mark] as const] : []
    )
  )
  const newest = new Map<string, number>()
  const wrong: string[] = []
  for (const { partitionKey, id, etag } of applied) {
    const mark = etag === undefined ? undefined : (marks.get(etag) ?? marks.get(`"${etag}"`))
    if (mark === undefined) continue
    const document = `${partitionKey}/${id}`
    if (mark < (newest.get(document) ?? 0)) wrong.push(`${document}: ${mark} was applied after ${newest.get(document)}`)
    newest.set(document, mark)
  }
  return wrong
}

function isWritten(outcome: Outcome | Error | undefined): outcome is Outcome & { kind: 'written' } {
  return outcome !== undefined && !(outcome instanceof Error) && outcome.kind === 'written' && !outcome.isSuperseded
}

function judgeStats({ meets = [], leastThrottled = 0 }: Scenario, stats: ScenarioResult['stats']): string[] {
  const met = new Set(Object.keys(stats.retries))
  const wrong = meets.filter((status) => !met.has(status)).map((status) => `it never met ${status}`)
  if (stats.throttledOperations < leastThrottled) wrong.push(`only ${stats.throttledOperations} operations were throttled`)
  if (stats.bytesInRoom !== 0) wrong.push(`${stats.bytesInRoom} bytes are left in the room`)
  return wrong
}

/** Last write wins: the outcomes, replayed in the order in which the operations came, lead to what is stored. */
function judgeStore(told: readonly Told[], stored: ScenarioResult['stored']): string[] {
  const wrong: string[] = []
  for (const document of new Set(told.map(({ key, id }) => `${key}/${id}`))) {
    let possible: readonly (State | undefined)[] = [undefined]
    for (const entry of told.filter(({ key, id }) => `${key}/${id}` === document)) {
      const next = possible.flatMap((state) => after(entry, state))
      if (next.length === 0) wrong.push(`${document}: the outcome of ${entry.mark} cannot be: ${JSON.stringify(entry.outcomes[0])}`)
      else possible = next
    }
    const found = stored.get(document)
    const isPossible = possible.some((state) => state?.mark === found?.mark && state?.sum === found?.sum)
    if (!isPossible) wrong.push(`${document} holds ${JSON.stringify(found)} instead of ${JSON.stringify(possible)}`)
  }
  return wrong
}

/** The states that an operation with this outcome can lead to; none when the outcome cannot be. */
function after({ operation, mark, outcomes: [told] }: Told, state: State | undefined): readonly (State | undefined)[] {
  const outcome = told as Outcome
  const changed = changeOf(operation.kind, mark, state)
  if (outcome.kind === 'rejected') return outcome.code === 'OUTCOME_UNKNOWN' && changed !== 'impossible' ? [state, changed] : [state]
  if (outcome.kind === 'unchanged') return changed === 'impossible' ? [state] : []
  if (outcome.isSuperseded) return [state]
  // after a lost answer: the document is gone, whoever removed it
  if (operation.kind === 'delete') return [undefined]
  return changed === 'impossible' ? [] : [changed]
}

function changeOf(kind: Told['operation']['kind'], mark: number, state: State | undefined): State | undefined | 'impossible' {
  switch (kind) {
    case 'upsert':
      return { mark, sum: 0 }
    case 'create':
      return state === undefined ? { mark, sum: 0 } : 'impossible'
    case 'replace':
      return state === undefined ? 'impossible' : { mark, sum: 0 }
    case 'delete':
      return state === undefined ? 'impossible' : undefined
    case 'patch':
      return state === undefined ? 'impossible' : { mark: state.mark, sum: state.sum + mark }
  }
}
