import type { Outcome } from '../../src/classify/outcome.ts'
import type { ScheduleResult, Told } from './run-schedule.ts'

/** A document as the replay has it: the mark of the last body, and the sum of what was patched in. */
interface State {
  readonly mark: number
  readonly sum: number
}

/** What a schedule did wrong, a sentence each; empty when every law held. */
export function judge({ told, service, isComplete, bytesLeft }: ScheduleResult): readonly string[] {
  const wrong: string[] = []
  if (!isComplete) wrong.push(`${told.filter(({ outcomes }) => outcomes.length === 0).length} operations have no outcome`)
  if (isComplete && bytesLeft !== 0) wrong.push(`${bytesLeft} bytes are left in the room`)
  for (const document of service.collisions) wrong.push(`${document} was in flight twice`)
  for (const { mark, outcomes } of told) if (outcomes.length > 1) wrong.push(`${mark} was told ${outcomes.length} outcomes`)
  for (const { mark, outcomes } of told) if (outcomes[0] instanceof Error) wrong.push(`${mark} failed: ${outcomes[0].message}`)
  for (const document of new Set(told.map((entry) => entry.document))) {
    const own = told.filter((entry) => entry.document === document)
    wrong.push(...judgeOrder(document, service.applied), ...judgeCounts(own, service.applied))
    if (isComplete) wrong.push(...judgeFinal(document, own, service.store.get(document)?.document))
  }
  return wrong
}

function judgeOrder(document: string, applied: ScheduleResult['service']['applied']): string[] {
  const marks = applied.filter((one) => one.document === document && one.mark >= 0).map(({ mark }) => mark)
  return marks.flatMap((mark, index) =>
    index > 0 && mark < marks[index - 1] ? [`${document}: ${mark} was applied after ${marks[index - 1]}`] : []
  )
}

function judgeCounts(own: readonly Told[], applied: ScheduleResult['service']['applied']): string[] {
  return own.flatMap(({ mark, operation, outcomes: [outcome], isAtomic }) => {
    if (outcome === undefined || outcome instanceof Error) return []
    const times = applied.filter((one) => one.mark === mark).length
    const isOnce = operation.kind === 'create' || operation.kind === 'patch'
    if (isOnce && times > 1) return [`${mark} was applied ${times} times`]
    if (outcome.kind === 'rejected' && times > 0 && !isUnknown(outcome)) return [`${mark} was rejected (${outcome.code}), yet applied`]
    const isApplied = outcome.kind === 'written' && !outcome.isSuperseded && operation.kind !== 'delete' && !isAtomic
    return isApplied && times === 0 ? [`${mark} was written, yet never applied`] : []
  })
}

function judgeFinal(document: string, own: readonly Told[], stored: Readonly<Record<string, unknown>> | undefined): string[] {
  const wrong: string[] = []
  let possible: readonly (State | undefined)[] = [undefined]
  for (const entry of own) {
    const next = possible.flatMap((state) => after(entry, state))
    if (next.length === 0) wrong.push(`${document}: the outcome of ${entry.mark} cannot be: ${JSON.stringify(entry.outcomes[0])}`)
    else possible = next
  }
  const found = stored === undefined ? undefined : { mark: stored['mark'], sum: stored['sum'] ?? 0 }
  if (!possible.some((state) => state?.mark === found?.mark && state?.sum === found?.sum)) {
    wrong.push(`${document} holds ${JSON.stringify(found)} instead of ${JSON.stringify(possible)}`)
  }
  return wrong
}

/** The states that an operation with this outcome can lead to; none when the outcome cannot be. */
function after({ operation, mark, outcomes: [outcome] }: Told, state: State | undefined): readonly (State | undefined)[] {
  const told = outcome as Outcome
  const changed = change(operation.kind, mark, state)
  if (isUnknown(told)) return changed === 'impossible' ? [state] : [state, changed]
  if (told.kind === 'written') {
    if (told.isSuperseded) return [state]
    // after a lost answer: the document is gone, whoever removed it
    if (operation.kind === 'delete' && told.status === 404) return [undefined]
    return changed === 'impossible' ? [] : [changed]
  }
  const isBad = operation.kind === 'upsert' && 'bad' in operation.record!
  const isConditional = 'ifMatch' in operation
  return isBad || isConditional || changed === 'impossible' ? [state] : []
}

function change(kind: Told['operation']['kind'], mark: number, state: State | undefined): State | undefined | 'impossible' {
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

function isUnknown(outcome: Outcome): boolean {
  return outcome.kind === 'rejected' && outcome.code === 'OUTCOME_UNKNOWN'
}
