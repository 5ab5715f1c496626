import { backoffMs } from '@keystamp/core/internal'
import { errorOfAnswer } from '../client/cosmos-error.ts'
import type { Answer } from '../client/transport.ts'
import {
  type Action,
  type AnsweredBatch,
  completeAction,
  failureAction,
  findContainerAction,
  REQUEST_BACKOFF,
  type ResponseContext,
  throttleAction,
  unknownWaitMs
} from './actions.ts'
import { answeredActions } from './answered-batch.ts'
import { rejected, type WriteCode } from './outcome.ts'
import { isFenced, type PendingOperation } from './pending-operation.ts'
import { verdictOnRequest } from './verdict.ts'

/**
 * Returns the actions for an answer, in order. Changes nothing: the same answer in the same context has the same
 * actions.
 */
export function actionsFor(batch: AnsweredBatch, answer: Answer, context: ResponseContext): readonly Action[] {
  switch (answer.kind) {
    case 'withheld':
      return withheldActions(batch)
    case 'answered':
      return answeredActions(batch, answer.operations, context)
    case 'refused':
      return refusedActions(batch, answer, context)
    case 'unanswered':
      return unansweredActions(batch, answer, context)
  }
}

/**
 * Actions for a request that was not sent: fenced operations are withdrawn, and the others return to the head of their
 * queue. No attempt is counted.
 */
function withheldActions({ operations }: AnsweredBatch): Action[] {
  // checks the fences once: callbacks of withdrawn operations may raise another fence, which the next request checks
  const fenced = operations.filter(isFenced)
  const rest = fenced.length === 0 ? operations : operations.filter((operation) => !fenced.includes(operation))
  return [
    { kind: 'refund' },
    ...fenced.map((operation): Action => ({ kind: 'withdraw', operation })),
    // after the withdrawals, so that these operations are first in their queue
    { kind: 'requeue', operations: rest }
  ]
}

function unansweredActions(
  batch: AnsweredBatch,
  { reason, isSent, unauthorized }: Answer & { kind: 'unanswered' },
  context: ResponseContext
): Action[] {
  const actions: Action[] = [
    { kind: 'report', chargedRu: undefined, throttledOperations: 0, result: reason },
    { kind: 'countRetry', reason: 'lost' }
  ]
  if (unauthorized === undefined || !context.waitsForCredentials) {
    return [...actions, ...requestFailedActions(batch, isSent, `no answer: ${reason}`, context)]
  }
  return [
    ...actions,
    { kind: 'renewCredentials', error: unauthorized },
    { kind: 'requeue', operations: batch.operations }
  ]
}

type Refused = Answer & { kind: 'refused' }

/** Actions for a request that Cosmos DB refused as a whole. */
function refusedActions(batch: AnsweredBatch, answer: Refused, context: ResponseContext): Action[] {
  const { operations, elements } = batch
  const { status, subStatus, chargeRu } = answer
  const verdict = verdictOnRequest(status, subStatus)
  const isThrottled = verdict.kind === 'throttled'
  const throttledOperations = isThrottled ? elements.length : 0
  const actions: Action[] = [{ kind: 'report', chargedRu: chargeRu, throttledOperations, result: String(status) }]
  if (!isThrottled) actions.push({ kind: 'countRetry', reason: String(status) })
  switch (verdict.kind) {
    case 'throttled': {
      const retryAfterMs = answer.retryAfterMs ?? unknownWaitMs(context)
      if (verdict.scope === 'endpoint') actions.push({ kind: 'pauseAll', ms: retryAfterMs })
      return [...actions, { kind: 'requeue', operations }, throttleAction(elements.length, retryAfterMs, context)]
    }
    case 'again':
      return [...actions, ...requestFailedActions(batch, verdict.isAmbiguous, String(status), context)]
    case 'moved': {
      const { isMoving, isNew } = verdict
      return [
        ...actions,
        ...failedActions(operations, false, `${status}/${subStatus}`, context),
        { kind: 'refreshRanges', isMoving, isNew }
      ]
    }
    case 'endpoint':
      return [
        ...actions,
        { kind: 'refreshEndpoints' },
        ...requestFailedActions(batch, false, `${status}/${subStatus}`, context)
      ]
    case 'divide':
    case 'rejected':
      return [...actions, ...divideActions(operations, verdict.code, answer)]
    case 'unauthorized':
      return [
        ...actions,
        { kind: 'renewCredentials', error: errorOfAnswer('writing', answer) },
        { kind: 'requeue', operations }
      ]
    case 'missing':
      return [...actions, findContainerAction(context), ...requestFailedActions(batch, false, String(status), context)]
    case 'done':
    case 'fatal':
      return [...actions, { kind: 'stop', error: errorOfAnswer('writing', answer) }]
  }
}

/**
 * Divides a request that Cosmos DB cannot read, until one operation is left. So this operation does not delay the
 * others.
 */
function divideActions(
  operations: readonly PendingOperation[],
  code: WriteCode,
  { status, subStatus, chargeRu }: Refused
): Action[] {
  if (operations.length === 1) return [completeAction(operations[0], rejected(code, { status, subStatus, chargeRu }))]
  const middle = Math.ceil(operations.length / 2)
  return [
    { kind: 'resend', operations: operations.slice(0, middle) },
    { kind: 'resend', operations: operations.slice(middle) }
  ]
}

/** Actions for a request that failed as a whole: the lane pauses, longer each time. */
function requestFailedActions(
  { operations }: AnsweredBatch,
  isAmbiguous: boolean,
  reason: string,
  context: ResponseContext
): Action[] {
  const pauseMs = backoffMs(context.failures, { ...REQUEST_BACKOFF, random: context.random })
  return [{ kind: 'requestFailed', pauseMs }, ...failedActions(operations, isAmbiguous, reason, context)]
}

/** Counts a failed attempt for each operation. Operations that may be sent again return to their queue. */
function failedActions(
  operations: readonly PendingOperation[],
  isAmbiguous: boolean,
  reason: string,
  context: ResponseContext
): Action[] {
  const actions = operations.map((operation) => failureAction(operation, isAmbiguous, reason, context))
  const again = operations.filter((_, index) => actions[index].kind === 'recordFailure')
  return [...actions, { kind: 'requeue', operations: again }]
}
