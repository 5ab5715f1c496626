import { backoffMs } from '@keystamp/core/internal'
import type { OperationAnswer } from '../client/transport.ts'
import { type Action, CONTENTION_BACKOFF, type ResponseContext } from './actions.ts'
import { bodyText } from './batch-encoder.ts'
import {
  baseOf,
  basesAfterRead,
  knownActions,
  type NewestGroup,
  outcomesOfWrite,
  outcomesWithoutWrite,
  planGroup
} from './newest-group.ts'
import { kept, type Outcome, rejected, toWritten, written } from './outcome.ts'
import type { PendingOperation } from './pending-operation.ts'
import { judge, type OrderRule } from '../newest/judge.ts'
import { isMarker, type Position, readPosition } from '../newest/position.ts'
import type { NewestStep } from './operation-state.ts'

/** Consequence of an answer: an outcome, or a next step with its actions. */
export type NewestResult =
  | { readonly kind: 'complete'; readonly outcome: Outcome; readonly known?: Action }
  | { readonly kind: 'next'; readonly actions: readonly Action[]; readonly isDelayed: boolean }
  | undefined

/**
 * Result of an answer for a write of a writer with `newest`; undefined if the answer means the same as for other
 * writes, for example for throttling.
 */
export function newestResult(
  operation: PendingOperation,
  answer: OperationAnswer,
  rule: OrderRule,
  context: ResponseContext
): NewestResult {
  const { phase, patch, position } = operation.newest!
  const { statusCode, subStatusCode = 0 } = answer
  if (phase === 'read') return readResult(operation, answer, rule, context)
  if (statusCode >= 200 && statusCode < 300)
    return completed(operation, { etag: answer.eTag, position, isMarker: operation.newest!.isMarker }, written(answer))
  if (isConflict(answer)) return next(operation, { phase: 'read', isConflict: true }, context)
  // the document is gone: it has expired, or another program has deleted it
  if (phase === 'replace' && patch === undefined && statusCode === 404 && subStatusCode === 0)
    return next(operation, { phase: 'create', isConflict: true }, context)
  return undefined
}

/** Whether a create or a condition was refused because of the stored document. */
function isConflict({ statusCode, subStatusCode = 0 }: OperationAnswer): boolean {
  return statusCode === 412 || (statusCode === 409 && subStatusCode !== UNIQUE_TAKEN)
}

const UNIQUE_TAKEN = 3301

function readResult(
  operation: PendingOperation,
  answer: OperationAnswer,
  rule: OrderRule,
  context: ResponseContext
): NewestResult {
  const { statusCode, subStatusCode = 0, resourceBody, requestCharge = 0 } = answer
  const { position, patch, conflicts } = operation.newest!
  const isCertain = conflicts > 0 && context.hadToken === true
  // only a read with a session token is certain; the answer to a write is
  const asked = (): NewestResult =>
    next(operation, { phase: patch === undefined ? 'create' : 'condition', isConflict: false }, context)
  const missing = (): NewestResult =>
    !isCertain ? asked() : { kind: 'complete', outcome: rejected('NOT_FOUND', { chargeRu: requestCharge }) }
  const isMissing = statusCode === 404 && subStatusCode === 0
  if (isMissing && patch !== undefined) return missing()
  if (isMissing) return next(operation, { phase: 'create', isConflict: false }, context)
  if (statusCode !== 200 || typeof resourceBody !== 'object' || resourceBody === null) return undefined
  const etag = answer.eTag ?? String((resourceBody as Record<string, unknown>)['_etag'])
  switch (judge(position, () => bodyText(operation.body!), resourceBody, rule)) {
    case 'ours':
      return completed(
        operation,
        { etag, position, isMarker: operation.newest!.isMarker },
        toWritten(200, requestCharge, etag)
      )
    case 'kept': {
      const stored = readPosition(resourceBody, rule)
      return completed(operation, { etag, position: stored, isMarker: isMarker(resourceBody) }, kept(requestCharge))
    }
    case 'reject':
      if (!isCertain) return asked()
      return { kind: 'complete', outcome: rejected('ORDER_UNKNOWN', { chargeRu: requestCharge }) }
    case 'replace':
      if (patch !== undefined && isMarker(resourceBody)) return missing()
      return next(operation, { phase: 'replace', etag }, context)
  }
}

interface Found {
  readonly etag: string | undefined
  readonly position: Position
  readonly isMarker: boolean
}

function completed(operation: PendingOperation, found: Found, outcome: Outcome): NewestResult {
  return { kind: 'complete', outcome, known: { kind: 'newestKnown', operation, ...found } }
}

/** The first conflict is followed at once; after more of them, a random wait lets one of the writers get through. */
function next(operation: PendingOperation, step: NewestStep, context: ResponseContext): NewestResult {
  const { conflicts } = operation.newest!
  const actions: Action[] = [{ kind: 'newest', operation, step }]
  const isDelayed = 'isConflict' in step && step.isConflict && conflicts > 0
  if (isDelayed) actions.push(contentionDelay(operation, conflicts, context))
  return { kind: 'next', actions, isDelayed }
}

function contentionDelay(operation: PendingOperation, conflicts: number, { random }: ResponseContext): Action {
  return { kind: 'delay', operation, ms: backoffMs(conflicts, { ...CONTENTION_BACKOFF, random }) }
}

/** Consequence of the answers to an atomic batch; `failed`: the batch is sent again, or fails, because of this answer. */
export type GroupResult =
  | { readonly kind: 'complete'; readonly outcomes: readonly Outcome[]; readonly known: readonly Action[] }
  | { readonly kind: 'next'; readonly actions: readonly Action[]; readonly isDelayed: boolean }
  | { readonly kind: 'failed'; readonly answer: OperationAnswer; readonly actions: readonly Action[] }
  | undefined

/** Result of the answers to an atomic batch; undefined if they mean the same as for other batches. */
export function groupResult(
  operation: PendingOperation,
  answers: readonly OperationAnswer[],
  rule: OrderRule,
  context: ResponseContext
): GroupResult {
  const group = operation.group!.newest!
  if (group.isReading) return groupReadResult(operation, group, answers, rule, context)
  const failed = answers.findIndex(({ statusCode }) => statusCode >= 300 && statusCode !== 424)
  if (failed < 0) {
    const bases = group.documents.map(({ base }) => base)
    return {
      kind: 'complete',
      outcomes: outcomesOfWrite(group.fates, answers),
      known: knownActions(group, answers, bases, rule)
    }
  }
  const { statusCode, subStatusCode = 0 } = answers[failed]
  const { phase } = group.elements[failed].newest!
  const isGone = statusCode === 404 && subStatusCode === 0 && phase === 'replace'
  if (!isConflict(answers[failed]) && !isGone) return undefined
  const actions: Action[] = [{ kind: 'newestGroup', operation, step: { kind: 'conflict' } }]
  const isDelayed = group.conflicts > 0
  if (isDelayed) actions.push(contentionDelay(operation, group.conflicts, context))
  return { kind: 'next', actions, isDelayed }
}

function groupReadResult(
  operation: PendingOperation,
  group: NewestGroup,
  answers: readonly OperationAnswer[],
  rule: OrderRule,
  { hadToken = false }: ResponseContext
): GroupResult {
  const bases = basesAfterRead(group, answers)
  const step = planGroup(group, bases, rule, hadToken && group.conflicts > 0)
  const actions: readonly Action[] = [{ kind: 'newestGroup', operation, step }]
  if (step.kind !== 'write') {
    const failed = answers.find((answer) => baseOf(answer) === undefined)
    return failed === undefined
      ? { kind: 'next', actions, isDelayed: false }
      : { kind: 'failed', answer: failed, actions }
  }
  const outcomes = outcomesWithoutWrite(step.fates)
  if (outcomes === undefined) return { kind: 'next', actions, isDelayed: false }
  return { kind: 'complete', outcomes, known: knownActions(group, [], bases, rule) }
}
