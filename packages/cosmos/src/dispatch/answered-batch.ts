import { errorOfAnswer } from '../client/cosmos-error.ts'
import type { OperationAnswer } from '../client/transport.ts'
import {
  type Action,
  type AnsweredBatch,
  BatchResult,
  completeAction,
  delayAction,
  failureAction,
  findContainerAction,
  RESET_FAILURES,
  RESET_MISSING,
  RESET_MOVES,
  RESET_THROTTLES,
  type ResponseContext,
  throttleAction,
  unknownWaitMs
} from './actions.ts'
import { bodyText, MAX_BATCH_BYTES, MAX_OPERATIONS } from './batch-encoder.ts'
import { isSameContent } from '../newest/judge.ts'
import { groupResult, newestResult } from './newest-answers.ts'
import { type Outcome, refused, rejected, toWritten, type WriteCode, written } from './outcome.ts'
import type { PendingOperation } from './pending-operation.ts'
import { type Verdict, verdictOnOperation } from './verdict.ts'

/** Actions for a request that Cosmos DB accepted. There is one answer for each operation, in order. */
export function answeredActions(
  batch: AnsweredBatch,
  answers: readonly OperationAnswer[],
  context: ResponseContext
): readonly Action[] {
  const { operations, elements } = batch
  const [{ group }] = operations
  const result = new BatchResult(context)
  result.actions.push(RESET_FAILURES, {
    kind: 'learnPrices',
    operations: elements,
    chargesRu: chargesOf(operations, answers)
  })
  if (group !== undefined) addGroup(result, operations[0], answers)
  else for (let index = 0; index < answers.length; index++) addOperation(result, operations[index], answers[index])
  const { throttled, again } = result
  let chargedRu = 0
  for (const { requestCharge } of answers) chargedRu += requestCharge ?? 0
  result.actions.push(
    { kind: 'report', chargedRu, throttledOperations: throttled, result: resultOf(batch, result) },
    { kind: 'requeue', operations: again }
  )
  addSeries(result, batch)
  return result.actions
}

/**
 * Returns the charges from which prices are learned: those of applied operations whose documents were not read for a
 * confirmation.
 */
function chargesOf(
  operations: readonly PendingOperation[],
  answers: readonly OperationAnswer[]
): readonly (number | undefined)[] {
  const [{ group }] = operations
  if (group !== undefined) {
    return answers.some(isFailedPart) || group.newest?.isReading === true
      ? NO_CHARGES
      : answers.map(({ requestCharge }) => requestCharge ?? 0)
  }
  return answers.map(({ statusCode, requestCharge }, index) =>
    isApplied(statusCode) && !operations[index].isReading ? requestCharge : undefined
  )
}

const NO_CHARGES: readonly undefined[] = []

function isApplied(statusCode: number): boolean {
  return statusCode >= 200 && statusCode < 300
}

function addOperation(result: BatchResult, operation: PendingOperation, answer: OperationAnswer): void {
  const { statusCode, subStatusCode = 0 } = answer
  if (operation.newest !== undefined && addNewest(result, operation, answer)) return
  const { isConfirming } = operation
  if (!isConfirming && isApplied(statusCode)) return result.complete(operation, written(answer))
  if (isConfirming && statusCode === 200) return addRead(result, operation, answer)
  const verdict = verdictOnOperation(statusCode, subStatusCode)
  if (verdict.kind !== 'rejected') return addUnapplied(result, operation, answer, verdict)
  if (isConfirming) return result.complete(operation, operation.retry!.unconfirmed!)
  addRefused(result, operation, answer, verdict.code)
}

/** Adds the actions for a write of a writer with `newest`; returns false if the answer is as for other writes. */
function addNewest(result: BatchResult, operation: PendingOperation, answer: OperationAnswer): boolean {
  const { context, actions, again } = result
  const newest = newestResult(operation, answer, context.orderRule!, context)
  if (newest === undefined) return false
  if (newest.kind === 'next') {
    actions.push(...newest.actions)
    if (!newest.isDelayed) again.push(operation)
    return true
  }
  if (newest.known !== undefined) actions.push(newest.known)
  result.complete(operation, newest.outcome)
  return true
}

/** Adds the actions for a document that was read: of an old twin, or of an operation that may have been applied. */
function addRead(result: BatchResult, operation: PendingOperation, answer: OperationAnswer): void {
  if (operation.retry!.twin === undefined) return result.complete(operation, confirmedOutcome(operation, answer))
  const etag = answer.eTag ?? String((answer.resourceBody as Record<string, unknown> | undefined)?.['_etag'])
  result.actions.push({ kind: 'twinRead', operation, etag })
}

/** Outcome of an operation whose document was read to find out whether an earlier attempt stored it. */
function confirmedOutcome(
  { body, retry }: PendingOperation,
  { requestCharge, eTag, resourceBody }: OperationAnswer
): Outcome {
  return isSameContent(bodyText(body!), resourceBody) ? toWritten(200, requestCharge ?? 0, eTag) : retry!.unconfirmed!
}

/** Adds the actions for an answer that neither applied the operation nor refused it finally. */
function addUnapplied(
  result: BatchResult,
  operation: PendingOperation,
  answer: OperationAnswer,
  verdict: Exclude<Verdict, { kind: 'rejected' }>
): void {
  const { actions, again, context } = result
  const { statusCode, subStatusCode = 0 } = answer
  const status = String(statusCode)
  switch (verdict.kind) {
    case 'done':
      return void actions.push(completeAction(operation, written(answer)))
    case 'throttled':
      return addThrottled(result, operation, answer, verdict.scope)
    case 'moved': {
      addFailed(result, status)
      result.moved = verdict
      const action = failureAction(operation, false, `${statusCode}/${subStatusCode}`, context)
      actions.push({ kind: 'countRetry', reason: status }, action)
      if (action.kind === 'recordFailure') again.push(operation)
      return
    }
    case 'again':
      addFailed(result, status)
      actions.push({ kind: 'countRetry', reason: status })
      return addDelayed(result, operation, verdict.isAmbiguous, status)
    case 'endpoint':
      addFailed(result, status)
      actions.push({ kind: 'refreshEndpoints' })
      return addDelayed(result, operation, false, status)
    case 'missing':
      addFailed(result, status)
      result.isMissing = true
      return void again.push(operation)
    case 'divide':
    case 'unauthorized':
    case 'fatal':
      return void actions.push({
        kind: 'stop',
        error: errorOfAnswer('writing', { status: statusCode, subStatus: subStatusCode })
      })
  }
}

/** Sends one operation again after a delay, unless this was its last attempt. */
function addDelayed(
  { actions, context }: BatchResult,
  operation: PendingOperation,
  isAmbiguous: boolean,
  reason: string
): void {
  const action = failureAction(operation, isAmbiguous, reason, context)
  actions.push(action)
  if (action.kind === 'recordFailure') actions.push(delayAction(operation, context))
}

function addThrottled(
  result: BatchResult,
  operation: PendingOperation,
  answer: OperationAnswer,
  scope: (Verdict & { kind: 'throttled' })['scope']
): void {
  const { actions, again, context } = result
  const ms = answer.retryAfterMilliseconds ?? unknownWaitMs(context)
  result.throttled++
  if (scope === 'key') return void actions.push({ kind: 'delay', operation, ms })
  if (scope === 'endpoint') actions.push({ kind: 'pauseAll', ms })
  else result.retryAfterMs = Math.max(result.retryAfterMs, ms)
  again.push(operation)
}

/** Adds a refusal, unless an earlier attempt of the same operation may have caused it. */
function addRefused(result: BatchResult, operation: PendingOperation, answer: OperationAnswer, code: WriteCode): void {
  const { type, conditions, isAmbiguous } = operation
  const { statusCode } = answer
  const outcome = refused(answer, code, conditions.ignore)
  if (!isAmbiguous || !MAY_BE_CAUSED_BY_RETRY.has(statusCode)) return result.complete(operation, outcome)
  if (type === 'Delete' && statusCode === 404) return result.complete(operation, written(answer))
  if (type === 'Create' || type === 'Replace') {
    result.actions.push({ kind: 'countRetry', reason: 'confirm' }, { kind: 'confirm', operation, outcome })
    return void result.again.push(operation)
  }
  const isUnambiguous = type === 'Delete' || statusCode === 404
  result.complete(operation, isUnambiguous ? outcome : rejected('OUTCOME_UNKNOWN', { status: statusCode }))
}

/** Statuses that an earlier attempt of the same operation may have caused. */
const MAY_BE_CAUSED_BY_RETRY: ReadonlySet<number> = new Set([404, 409, 412])

/** An atomic batch is applied as a whole or not at all: the answer of the first failed part decides. */
function addGroup(result: BatchResult, operation: PendingOperation, answers: readonly OperationAnswer[]): void {
  if (operation.group!.newest !== undefined && addNewestGroup(result, operation, answers)) return
  const failedAt = answers.findIndex(isFailedPart)
  if (failedAt < 0)
    return void result.actions.push({ kind: 'completeGroup', operation, outcomes: answers.map(written) })
  const answer = answers[failedAt]
  const { statusCode, subStatusCode = 0 } = answer
  const verdict = verdictOnOperation(statusCode, subStatusCode)
  if (verdict.kind !== 'rejected') return addUnapplied(result, operation, answer, verdict)
  const isAmbiguous = operation.isAmbiguous && MAY_BE_CAUSED_BY_RETRY.has(statusCode)
  const reason = isAmbiguous ? rejected('OUTCOME_UNKNOWN', { status: statusCode }) : refused(answer, verdict.code, [])
  const others = isAmbiguous ? reason : rejected('BATCH_FAILED', { status: 424 })
  const outcomes = answers.map((_, index) => (index === failedAt ? reason : others))
  result.actions.push({ kind: 'completeGroup', operation, outcomes })
}

/** Like `addNewest`, for an atomic batch. */
function addNewestGroup(
  result: BatchResult,
  operation: PendingOperation,
  answers: readonly OperationAnswer[]
): boolean {
  const { context, actions, again } = result
  const newest = groupResult(operation, answers, context.orderRule!, context)
  if (newest === undefined) return false
  if (newest.kind === 'complete') {
    actions.push(...newest.known, { kind: 'completeGroup', operation, outcomes: newest.outcomes })
    return true
  }
  actions.push(...newest.actions)
  if (newest.kind === 'next') {
    if (!newest.isDelayed) again.push(operation)
    return true
  }
  const { answer } = newest
  const verdict = verdictOnOperation(answer.statusCode, answer.subStatusCode ?? 0)
  if (verdict.kind === 'rejected') actions.push(completeAction(operation, refused(answer, verdict.code, [])))
  else addUnapplied(result, operation, answer, verdict)
  return true
}

/** True for the part that made the batch fail; the answers of the other parts have 424. */
function isFailedPart({ statusCode }: OperationAnswer): boolean {
  return statusCode >= 300 && statusCode !== 424
}

function addFailed(result: BatchResult, status: string): void {
  result.failed++
  result.failedWith = status
}

/** Adds the actions for the range, the container and the concurrency. */
function addSeries(
  { actions, context, throttled, retryAfterMs, isMissing, moved }: BatchResult,
  batch: AnsweredBatch
): void {
  if (throttled > 0) actions.push(throttleAction(throttled, retryAfterMs, context))
  else {
    actions.push(RESET_THROTTLES)
    if (batch.isAtLimit)
      actions.push({ kind: 'adaptConcurrency', latencyMs: isFull(batch) ? context.latencyMs : undefined })
  }
  actions.push(isMissing ? findContainerAction(context) : RESET_MISSING)
  actions.push(
    moved === undefined ? RESET_MOVES : { kind: 'refreshRanges', isMoving: moved.isMoving, isNew: moved.isNew }
  )
}

/**
 * Only latency limits a full batch. The RU budget limits a smaller batch, and needs as many requests as it can pay for.
 */
function isFull({ elements, bytes }: AnsweredBatch): boolean {
  return elements.length >= MAX_OPERATIONS || bytes >= MAX_BATCH_BYTES * ALMOST
}

const ALMOST = 0.9

/** Returns the result to report: a failed status if every operation failed or was throttled, otherwise `answered`. */
function resultOf({ operations }: AnsweredBatch, { failed, throttled, failedWith }: BatchResult): string {
  return failed > 0 && failed + throttled >= operations.length ? failedWith : 'answered'
}
