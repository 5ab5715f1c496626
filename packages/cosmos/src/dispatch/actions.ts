import type { CosmosError } from '../client/cosmos-error.ts'
import { type Backoff, backoffMs } from '@keystamp/core/internal'
import type { Batch } from './dispatcher.ts'
import { type Outcome, rejected } from './outcome.ts'
import type { PendingOperation } from './pending-operation.ts'

/**
 * One consequence of an answer, as a plain value. The response handler applies the actions for an answer in their
 * order.
 */
export type Action =
  /** Ends operations with an outcome each. */
  | {
      readonly kind: 'complete'
      readonly operations: readonly PendingOperation[]
      readonly outcomes: readonly Outcome[]
    }
  /** Ends an atomic batch with an outcome for each of its parts. */
  | { readonly kind: 'completeGroup'; readonly operation: PendingOperation; readonly outcomes: readonly Outcome[] }
  /** Ends an operation with an error, since the time for its retries is over. */
  | { readonly kind: 'giveUp'; readonly operation: PendingOperation; readonly reason: string }
  /**
   * Ends an operation that must not be sent, since its fence is raised; a body that it superseded may still be sent.
   */
  | { readonly kind: 'withdraw'; readonly operation: PendingOperation }
  /** Counts a failed attempt; with `isAmbiguous` Cosmos DB may have applied it. */
  | { readonly kind: 'recordFailure'; readonly operation: PendingOperation; readonly isAmbiguous: boolean }
  /** Remembers an outcome that an earlier attempt can have caused: the document is read before the operation ends. */
  | { readonly kind: 'confirm'; readonly operation: PendingOperation; readonly outcome: Outcome }
  /** Puts operations back at the head of their queue, in their order. */
  | { readonly kind: 'requeue'; readonly operations: readonly PendingOperation[] }
  /** Puts one operation back after a delay; later operations on its document wait with it. */
  | { readonly kind: 'delay'; readonly operation: PendingOperation; readonly ms: number }
  /** Sends operations at once in a request of their own; requeues them where nothing may be sent. */
  | { readonly kind: 'resend'; readonly operations: readonly PendingOperation[] }
  /** Learns what operations cost, for the RU budget; an undefined charge says nothing. */
  | {
      readonly kind: 'learnPrices'
      readonly operations: readonly PendingOperation[]
      readonly chargesRu: readonly (number | undefined)[]
    }
  /**
   * Reports the batch; with `chargedRu` the RU budget gets back what was paid too much. Undefined where no charge is
   * known.
   */
  | {
      readonly kind: 'report'
      readonly chargedRu: number | undefined
      readonly throttledOperations: number
      readonly result: string
    }
  /** Returns the RU of a request that was not sent. */
  | { readonly kind: 'refund' }
  /** Counts operations or requests that are sent again, by the reason. */
  | { readonly kind: 'countRetry'; readonly reason: string }
  /** Counts an answer with throttled operations, pauses the lane, and lowers its concurrency. */
  | { readonly kind: 'throttle'; readonly operations: number; readonly ms: number }
  /** Pauses all lanes. */
  | { readonly kind: 'pauseAll'; readonly ms: number }
  /** Counts a request that failed as a whole, and pauses the lane. */
  | { readonly kind: 'requestFailed'; readonly pauseMs: number }
  /**
   * Adapts the concurrency of the lane to an answer without throttling; undefined where latency was not what limits it.
   */
  | { readonly kind: 'adaptConcurrency'; readonly latencyMs: number | undefined }
  /** Reads the list of physical partitions again: the range is not where it was. */
  | { readonly kind: 'refreshRanges'; readonly isMoving: boolean; readonly isNew: boolean }
  /** Asks the account for its regions again. */
  | { readonly kind: 'refreshEndpoints' }
  /** Counts an answer that did not know the container, pauses the lane, and reads the container. */
  | { readonly kind: 'findContainer'; readonly pauseMs: number }
  /** Signs with new credentials, or waits for them. */
  | { readonly kind: 'renewCredentials'; readonly error: CosmosError }
  /**
   * Ends a series: of requests that failed as a whole or were unauthorized, of throttled answers, of moves, of answers
   * without a container.
   */
  | { readonly kind: 'reset'; readonly series: 'failures' | 'throttles' | 'moves' | 'missing' }
  /** Ends the writer. */
  | { readonly kind: 'stop'; readonly error: CosmosError }

/** Facts for judging an answer, apart from the answer and its batch. */
export interface ResponseContext {
  readonly nowMs: number
  readonly latencyMs: number
  /** From 0 up to, but not including, 1. */
  readonly random: () => number
  /** How long an operation is retried. */
  readonly retryForMs: number
  /** Requests of the lane in a row that failed as a whole. */
  readonly failures: number
  /** Answers for the lane in a row with throttled operations. */
  readonly throttles: number
  /** Answers in a row that did not know the container. */
  readonly missing: number
  /** Whether refused credentials are waited out, also where no token could be had. */
  readonly waitsForCredentials: boolean
}

/** The part of a batch that its answer is judged with. */
export type AnsweredBatch = Pick<Batch, 'operations' | 'elements' | 'bytes' | 'isAtLimit'>

export const RESET_FAILURES: Action = { kind: 'reset', series: 'failures' }
export const RESET_THROTTLES: Action = { kind: 'reset', series: 'throttles' }
export const RESET_MOVES: Action = { kind: 'reset', series: 'moves' }
export const RESET_MISSING: Action = { kind: 'reset', series: 'missing' }

/** Decides what a failed attempt means: `recordFailure` where the operation may be sent again, otherwise its end. */
export function failureAction(
  operation: PendingOperation,
  isAmbiguous: boolean,
  reason: string,
  { nowMs, retryForMs }: ResponseContext
): Action {
  const { retry, conditions } = operation
  if ((isAmbiguous || operation.isAmbiguous) && !conditions.isRepeatable)
    return completeAction(operation, rejected('OUTCOME_UNKNOWN'))
  const firstFailureMs = retry === undefined || retry.attempts === 0 ? nowMs : retry.firstFailureMs
  if (nowMs - firstFailureMs >= retryForMs) return { kind: 'giveUp', operation, reason }
  return { kind: 'recordFailure', operation, isAmbiguous }
}

/** The delay of an operation whose failure is recorded before. */
export function delayAction(operation: PendingOperation, { random }: ResponseContext): Action {
  const attempts = (operation.retry?.attempts ?? 0) + 1
  return { kind: 'delay', operation, ms: backoffMs(attempts, { ...OPERATION_BACKOFF, random }) }
}

/** Gives an operation its outcome, and every part of an atomic batch the same. */
export function completeAction(operation: PendingOperation, outcome: Outcome): Action {
  const { group } = operation
  if (group === undefined) return { kind: 'complete', operations: [operation], outcomes: [outcome] }
  return { kind: 'completeGroup', operation, outcomes: group.parts.map(() => outcome) }
}

export function throttleAction(operations: number, retryAfterMs: number, { throttles }: ResponseContext): Action {
  // Cosmos DB may say 0, again and again: retrying as fast as the network allows would cost both sides
  const minMs = Math.min(MIN_THROTTLE_MS, 2 ** throttles)
  return { kind: 'throttle', operations, ms: Math.max(retryAfterMs, minMs) }
}

/** For a request that failed as a whole, or a range that has moved. */
export const REQUEST_BACKOFF: Backoff = { firstMs: 50, maxMs: 5000 }
/** For one operation that failed alone. */
const OPERATION_BACKOFF: Backoff = { firstMs: 20, maxMs: 2000 }

/** Wait after a throttled answer that does not say how long. */
export function unknownWaitMs({ random }: ResponseContext): number {
  return 20 + random() * 80
}

const MIN_THROTTLE_MS = 16

/** Pauses the lane, longer each time, and looks for the container. */
export function findContainerAction({ missing, random }: ResponseContext): Action {
  return { kind: 'findContainer', pauseMs: backoffMs(missing, { ...REQUEST_BACKOFF, random }) }
}
