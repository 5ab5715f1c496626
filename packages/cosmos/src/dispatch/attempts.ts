import type { PendingOperation } from './pending-operation.ts'
import { type Outcome, rejected } from './outcome.ts'
import type { AnswerHost } from './answer-host.ts'
import { backoffMs, OPERATION_BACKOFF } from './backoff.ts'

/** Counts a failed attempt; true when it was the last one, and the operation has been dealt with. */
export function hasFailed(host: AnswerHost, pending: PendingOperation, reason: string): boolean {
  if (pending.isAmbiguous && !pending.conditions.isRepeatable) {
    completeWhole(host, pending, rejected('OUTCOME_UNKNOWN'))
    return true
  }
  const nowMs = host.clock.now()
  const retry = pending.ensureRetryState()
  if (retry.attempts++ === 0) retry.firstFailureMs = nowMs
  if (nowMs - retry.firstFailureMs < host.retryForMs) return false
  host.giveUp(pending, reason)
  return true
}

/** Sends one operation again after a while, unless that was its last attempt. */
export function tryAgain(host: AnswerHost, pending: PendingOperation, isAmbiguous: boolean, reason: string): void {
  if (isAmbiguous) pending.ensureRetryState().isAmbiguous = true
  if (hasFailed(host, pending, reason)) return
  host.delay(pending, backoffMs(pending.retry!.attempts, host.random, OPERATION_BACKOFF))
}

/** Gives an operation its outcome, and all parts of an atomic batch the same. */
export function completeWhole(host: AnswerHost, pending: PendingOperation, outcome: Outcome): void {
  const { group } = pending
  if (group === undefined) host.complete(pending, outcome)
  else
    host.completeGroup(
      pending,
      group.parts.map(() => outcome)
    )
}
