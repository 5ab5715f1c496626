import { backoffMs } from '@keystamp/core/internal'
import type { OperationAnswer } from '../client/transport.ts'
import { type Action, CONTENTION_BACKOFF, type ResponseContext } from './actions.ts'
import { bodyText } from './batch-encoder.ts'
import { type Outcome, rejected, toWritten, written } from './outcome.ts'
import type { PendingOperation } from './pending-operation.ts'
import { judge, type OrderRule } from '../newest/judge.ts'
import type { NewestStep } from '../newest/newest-state.ts'
import { type Position, readPosition } from '../newest/position.ts'

/** Consequence of an answer: an outcome, or a next step with its actions. */
export type NewestResult =
  | { readonly kind: 'complete'; readonly outcome: Outcome; readonly known?: Action }
  | { readonly kind: 'next'; readonly actions: readonly Action[]; readonly isDelayed: boolean }
  | undefined

/**
 * Result of an answer for a write that stores only what is newer; undefined if the answer means the same as for other
 * writes, for example for throttling.
 */
export function newestResult(
  operation: PendingOperation,
  answer: OperationAnswer,
  rule: OrderRule,
  context: ResponseContext
): NewestResult {
  const { phase } = operation.newest!
  const { statusCode, subStatusCode = 0 } = answer
  if (phase === 'read') return readResult(operation, answer, rule, context)
  if (statusCode >= 200 && statusCode < 300)
    return completed(operation, answer.eTag, operation.newest!.position, written(answer))
  if (phase === 'create' && statusCode === 409 && subStatusCode !== UNIQUE_TAKEN)
    return next(operation, { phase: 'read', isConflict: true }, context)
  if (phase === 'replace' && statusCode === 412) return next(operation, { phase: 'read', isConflict: true }, context)
  // the document is gone: it has expired, or another program has deleted it
  if (phase === 'replace' && statusCode === 404 && subStatusCode === 0)
    return next(operation, { phase: 'create', isConflict: true }, context)
  return undefined
}

const UNIQUE_TAKEN = 3301

function readResult(
  operation: PendingOperation,
  answer: OperationAnswer,
  rule: OrderRule,
  context: ResponseContext
): NewestResult {
  const { statusCode, subStatusCode = 0, resourceBody, requestCharge = 0 } = answer
  if (statusCode === 404 && subStatusCode === 0) return next(operation, { phase: 'create', isConflict: false }, context)
  if (statusCode !== 200 || typeof resourceBody !== 'object' || resourceBody === null) return undefined
  const etag = answer.eTag ?? String((resourceBody as Record<string, unknown>)['_etag'])
  const { position } = operation.newest!
  switch (judge(position, () => bodyText(operation.body!), resourceBody, rule)) {
    case 'ours':
      return completed(operation, etag, position, toWritten(200, requestCharge, etag))
    case 'kept':
      return completed(operation, etag, readPosition(resourceBody, rule), kept(requestCharge))
    case 'reject':
      return { kind: 'complete', outcome: rejected('ORDER_UNKNOWN', { chargeRu: requestCharge }) }
    case 'replace':
      return next(operation, { phase: 'replace', etag }, context)
  }
}

/** Outcome of a change that is not stored, because a newer one is. */
export function kept(chargeRu: number): Outcome {
  return { kind: 'written', status: 200, chargeRu, isSuperseded: true }
}

function completed(
  operation: PendingOperation,
  etag: string | undefined,
  position: Position,
  outcome: Outcome
): NewestResult {
  return { kind: 'complete', outcome, known: { kind: 'newestKnown', operation, etag, position } }
}

/** The first conflict is followed at once; after more of them, a random wait lets one of the writers get through. */
function next(operation: PendingOperation, step: NewestStep, context: ResponseContext): NewestResult {
  const { conflicts } = operation.newest!
  const actions: Action[] = [{ kind: 'newest', operation, step }]
  const isDelayed = step.phase !== 'replace' && step.isConflict && conflicts > 0
  if (isDelayed) {
    const ms = backoffMs(conflicts, { ...CONTENTION_BACKOFF, random: context.random })
    actions.push({ kind: 'delay', operation, ms })
  }
  return { kind: 'next', actions, isDelayed }
}
