import type { Pending } from './pending-operation.ts'
import { type Outcome, rejected } from './outcome.ts'
import type { AnswerHost } from './answer-host.ts'
import { backoffMs, OPERATION_BACKOFF } from './backoff.ts'

/** Counts a failed attempt; true when it was the last one, and the operation has been dealt with. */
export function hasFailed(host: AnswerHost, pending: Pending, reason: string): boolean {
  if (pending.isAmbiguous && !pending.terms.isRepeatable) {
    settleWhole(host, pending, rejected('OUTCOME_UNKNOWN'))
    return true
  }
  const nowMs = host.clock.now()
  const trouble = pending.meetTrouble()
  if (trouble.attempts++ === 0) trouble.firstFailureMs = nowMs
  if (nowMs - trouble.firstFailureMs < host.retryForMs) return false
  host.giveUp(pending, reason)
  return true
}

/** Sends one operation again after a while, unless that was its last attempt. */
export function tryAgain(host: AnswerHost, pending: Pending, isAmbiguous: boolean, reason: string): void {
  if (isAmbiguous) pending.meetTrouble().isAmbiguous = true
  if (hasFailed(host, pending, reason)) return
  host.delay(pending, backoffMs(pending.trouble!.attempts, host.random, OPERATION_BACKOFF))
}

/** Gives an operation its outcome, and all parts of an atomic batch the same. */
export function settleWhole(host: AnswerHost, pending: Pending, outcome: Outcome): void {
  const { group } = pending
  if (group === undefined) host.settle(pending, outcome)
  else
    host.settleGroup(
      pending,
      group.parts.map(() => outcome)
    )
}
