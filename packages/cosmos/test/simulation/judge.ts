import { judgeApplied, judgeStored, type MarkedDocument, type ReportedWrite } from '@keystamp/testkit'
import type { Outcome } from '../../src/dispatch/outcome.ts'
import type { ScheduleResult, Told } from './run-schedule.ts'

/** Returns the violations of a schedule, one sentence each; empty if no law was violated. */
export function judge({ told, service, isComplete, bytesLeft, ignoredEvents }: ScheduleResult): readonly string[] {
  const wrong: string[] = []
  if (!isComplete)
    wrong.push(`${told.filter(({ outcomes }) => outcomes.length === 0).length} operations have no outcome`)
  if (isComplete && bytesLeft !== 0) wrong.push(`${bytesLeft} bytes are left in the byte budget`)
  for (const event of ignoredEvents) wrong.push(`an operation ignored the event ${event}`)
  for (const document of service.collisions) wrong.push(`${document} was in flight twice`)
  for (const { mark, outcomes } of told)
    if (outcomes.length > 1) wrong.push(`${mark} was told ${outcomes.length} outcomes`)
  for (const { mark, outcomes } of told)
    if (outcomes[0] instanceof Error) wrong.push(`${mark} failed: ${outcomes[0].message}`)
  for (const document of new Set(told.map((entry) => entry.document))) {
    const own = told.filter((entry) => entry.document === document)
    wrong.push(...judgeApplied(document, marksOn(document, service.applied)), ...judgeCounts(own, service.applied))
    if (isComplete) wrong.push(...judgeStored(document, own.map(toldWrite), storedOf(service, document)))
  }
  return wrong
}

function marksOn(document: string, applied: ScheduleResult['service']['applied']): readonly number[] {
  return applied.filter((one) => one.document === document && one.mark >= 0).map(({ mark }) => mark)
}

function judgeCounts(own: readonly Told[], applied: ScheduleResult['service']['applied']): string[] {
  return own.flatMap(({ mark, operation, outcomes: [outcome], isAtomic }) => {
    if (outcome === undefined || outcome instanceof Error) return []
    const times = applied.filter((one) => one.mark === mark).length
    const isOnce = operation.kind === 'create' || operation.kind === 'patch'
    if (isOnce && times > 1) return [`${mark} was applied ${times} times`]
    if (outcome.kind === 'rejected' && times > 0 && !isUnknown(outcome))
      return [`${mark} was rejected (${outcome.code}), yet applied`]
    const isApplied = outcome.kind === 'written' && !outcome.isSuperseded && operation.kind !== 'delete' && !isAtomic
    return isApplied && times === 0 ? [`${mark} was written, yet never applied`] : []
  })
}

function storedOf(service: ScheduleResult['service'], document: string): MarkedDocument | undefined {
  const stored = service.store.get(document)?.document
  return stored === undefined ? undefined : { mark: Number(stored['mark']), sum: Number(stored['sum'] ?? 0) }
}

function toldWrite({ mark, operation, outcomes: [outcome] }: Told): ReportedWrite {
  const isBad = operation.kind === 'upsert' && 'bad' in operation.record!
  return {
    mark,
    kind: operation.kind,
    reported: nameOf(outcome as Outcome, operation.kind),
    isRefusable: isBad || 'ifMatch' in operation
  }
}

function nameOf(outcome: Outcome, kind: ReportedWrite['kind']): ReportedWrite['reported'] {
  if (isUnknown(outcome)) return 'unknown'
  if (outcome.kind !== 'written') return 'refused'
  if (outcome.isSuperseded) return 'superseded'
  // after a lost response, the document is gone, because of this delete or another one
  return kind === 'delete' && outcome.status === 404 ? 'gone' : 'applied'
}

function isUnknown(outcome: Outcome): boolean {
  return outcome.kind === 'rejected' && outcome.code === 'OUTCOME_UNKNOWN'
}
