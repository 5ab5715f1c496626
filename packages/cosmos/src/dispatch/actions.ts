import type { CosmosError } from '../client/cosmos-error.ts'
import { type Backoff, backoffMs } from '@keystamp/core/internal'
import type { OrderRule } from '../newest/judge.ts'
import type { Position } from '../newest/position.ts'
import type { Batch } from './dispatcher.ts'
import type { Verdict } from './verdict.ts'
import { type Outcome, rejected } from './outcome.ts'
import type { NewestStep } from './operation-state.ts'
import type { Base, Fate } from './newest-group.ts'
import type { PendingOperation } from './pending-operation.ts'

/** One consequence of an answer, as a plain value. The response handler applies the actions for an answer in order. */
export type Action =
  /** Ends each operation with its outcome. */
  | {
      readonly kind: 'complete'
      readonly operations: readonly PendingOperation[]
      readonly outcomes: readonly Outcome[]
    }
  /** Ends an atomic batch with an outcome for each of its parts. */
  | { readonly kind: 'completeGroup'; readonly operation: PendingOperation; readonly outcomes: readonly Outcome[] }
  /** Ends an operation with an error, because the time for its retries is over. */
  | { readonly kind: 'giveUp'; readonly operation: PendingOperation; readonly reason: string }
  /**
   * Ends an operation that must not be sent, because its fence is raised. A body that it superseded may still be sent.
   */
  | { readonly kind: 'withdraw'; readonly operation: PendingOperation }
  /** Counts a failed attempt. `isAmbiguous`: Cosmos DB may have applied it. */
  | { readonly kind: 'recordFailure'; readonly operation: PendingOperation; readonly isAmbiguous: boolean }
  /**
   * Keeps an outcome that an earlier attempt of the operation may have caused. The document is read before the
   * operation ends.
   */
  | { readonly kind: 'confirm'; readonly operation: PendingOperation; readonly outcome: Outcome }
  /** Makes the delete of an old twin that was read conditional, and sends it once the upsert is written. */
  | { readonly kind: 'twinRead'; readonly operation: PendingOperation; readonly etag: string }
  /** Sets the next step of a write of a writer with `newest`. */
  | { readonly kind: 'newest'; readonly operation: PendingOperation; readonly step: NewestStep }
  /** Remembers the document that such a write has stored, or a newer one that it has found. */
  | {
      readonly kind: 'newestKnown'
      readonly operation: PendingOperation
      readonly etag: string | undefined
      readonly position: Position
      readonly isMarker: boolean
    }
  /** Sets the next step of an atomic batch of a writer with `newest`. */
  | { readonly kind: 'newestGroup'; readonly operation: PendingOperation; readonly step: GroupStep }
  /** Puts operations back at the head of their queue, in their order. */
  | { readonly kind: 'requeue'; readonly operations: readonly PendingOperation[] }
  /** Puts one operation back after a delay; later operations on its document wait with it. */
  | { readonly kind: 'delay'; readonly operation: PendingOperation; readonly ms: number }
  /** Sends operations at once in a separate request; requeues them if nothing may be sent. */
  | { readonly kind: 'resend'; readonly operations: readonly PendingOperation[] }
  /** Learns prices of operations for the RU budget; ignores undefined charges. */
  | {
      readonly kind: 'learnPrices'
      readonly operations: readonly PendingOperation[]
      readonly chargesRu: readonly (number | undefined)[]
    }
  /** Reports the batch, and corrects its payment in the RU budget. `chargedRu` is undefined if no charge is known. */
  | {
      readonly kind: 'report'
      readonly chargedRu: number | undefined
      readonly throttledOperations: number
      readonly result: string
    }
  /** Gives the RU of a request that was not sent back to the RU budget. */
  | { readonly kind: 'refund' }
  /** Counts a retry by its reason. */
  | { readonly kind: 'countRetry'; readonly reason: string }
  /** Counts an answer with throttled operations, pauses the lane, and lowers its concurrency. */
  | { readonly kind: 'throttle'; readonly operations: number; readonly ms: number }
  /** Pauses all lanes. */
  | { readonly kind: 'pauseAll'; readonly ms: number }
  /** Counts a request that failed as a whole, and pauses the lane. */
  | { readonly kind: 'requestFailed'; readonly pauseMs: number }
  /**
   * Adapts the concurrency of the lane after an answer without throttling. `latencyMs` is undefined if latency did not
   * limit the lane.
   */
  | { readonly kind: 'adaptConcurrency'; readonly latencyMs: number | undefined }
  /** Reads the list of physical partitions again, because the range has moved. */
  | { readonly kind: 'refreshRanges'; readonly isMoving: boolean; readonly isNew: boolean }
  /** Reads the regions of the account again. */
  | { readonly kind: 'refreshEndpoints' }
  /** Counts an answer that says that the container does not exist, pauses the lane, and reads the container. */
  | { readonly kind: 'findContainer'; readonly pauseMs: number }
  /** Signs with new credentials, or waits for new credentials. */
  | { readonly kind: 'renewCredentials'; readonly error: CosmosError }
  /**
   * Resets the count of consecutive requests that failed as a whole or were unauthorized, of consecutive throttled
   * answers, of moves, or of answers without a container.
   */
  | { readonly kind: 'reset'; readonly series: 'failures' | 'throttles' | 'moves' | 'missing' }
  /** Ends the writer. */
  | { readonly kind: 'stop'; readonly error: CosmosError }

/**
 * `conflict`: another write came between. `read`: the documents without a base have to be read. `write`: the fate of each
 * part is known.
 */
export type GroupStep =
  | { readonly kind: 'conflict' }
  | { readonly kind: 'read'; readonly bases: readonly (Base | undefined)[] }
  | { readonly kind: 'write'; readonly bases: readonly (Base | undefined)[]; readonly fates: readonly Fate[] }

/** Facts that decide about an answer, in addition to the answer and its batch. */
export interface ResponseContext {
  /** Milliseconds in which the process ran: while it was stopped, nothing failed. */
  readonly ranMs: number
  readonly latencyMs: number
  /** Returns random numbers from 0 up to, but not including, 1. */
  readonly random: () => number
  /** Time for which an operation is retried. */
  readonly retryForMs: number
  /** Number of consecutive requests of the lane that failed as a whole. */
  readonly failures: number
  /** Number of consecutive answers for the lane with throttled operations. */
  readonly throttles: number
  /** Number of consecutive answers that say that the container does not exist. */
  readonly missing: number
  /** Whether the writer waits for other credentials after a refusal, and if there is no token. */
  readonly waitsForCredentials: boolean
  /** Rule of writes of a writer with `newest`. */
  readonly orderRule?: OrderRule | undefined
  /** Whether the request had a session token: then documents that it has read are no older than the last conflict. */
  readonly hadToken?: boolean
}

/** The part of a batch that decides about its answer. */
export type AnsweredBatch = Pick<Batch, 'operations' | 'elements' | 'bytes' | 'isAtLimit'>

/** Collects the actions for the operations of one batch, and facts about the whole batch. */
export class BatchResult {
  readonly context: ResponseContext
  readonly actions: Action[] = []
  /** Operations to be sent again from the head of the queue. */
  readonly again: PendingOperation[] = []
  throttled = 0
  /** The longest retry-after of the batch. */
  retryAfterMs = 0
  /** Number of operations that failed with a retriable status, and the last such status. */
  failed = 0
  failedWith = ''
  moved: (Verdict & { kind: 'moved' }) | undefined
  isMissing = false
  /** Operations and outcomes of the last action, if it is `complete`. */
  #completed: { readonly operations: PendingOperation[]; readonly outcomes: Outcome[]; readonly at: number } | undefined

  constructor(context: ResponseContext) {
    this.context = context
  }

  /** Completes an operation. Consecutive operations share one action. */
  complete(operation: PendingOperation, outcome: Outcome): void {
    if (this.#completed === undefined || this.#completed.at !== this.actions.length) {
      const operations: PendingOperation[] = []
      const outcomes: Outcome[] = []
      this.actions.push({ kind: 'complete', operations, outcomes })
      this.#completed = { operations, outcomes, at: this.actions.length }
    }
    this.#completed.operations.push(operation)
    this.#completed.outcomes.push(outcome)
  }
}

export const RESET_FAILURES: Action = { kind: 'reset', series: 'failures' }
export const RESET_THROTTLES: Action = { kind: 'reset', series: 'throttles' }
export const RESET_MOVES: Action = { kind: 'reset', series: 'moves' }
export const RESET_MISSING: Action = { kind: 'reset', series: 'missing' }

/** Returns the action for a failed attempt: `recordFailure` if the operation may be sent again, otherwise its end. */
export function failureAction(
  operation: PendingOperation,
  isAmbiguous: boolean,
  reason: string,
  { ranMs, retryForMs }: ResponseContext
): Action {
  const { retry, conditions } = operation
  if ((isAmbiguous || operation.isAmbiguous) && !conditions.isRepeatable)
    return completeAction(operation, rejected('OUTCOME_UNKNOWN'))
  const firstFailureMs = retry === undefined || retry.attempts === 0 ? ranMs : retry.firstFailureMs
  if (ranMs - firstFailureMs >= retryForMs) return { kind: 'giveUp', operation, reason }
  return { kind: 'recordFailure', operation, isAmbiguous }
}

/** Returns the delay of an operation. The action that records the failure must come before. */
export function delayAction(operation: PendingOperation, { random }: ResponseContext): Action {
  const attempts = (operation.retry?.attempts ?? 0) + 1
  return { kind: 'delay', operation, ms: backoffMs(attempts, { ...OPERATION_BACKOFF, random }) }
}

/** Completes an operation with an outcome; an atomic batch, with the same outcome for every part. */
export function completeAction(operation: PendingOperation, outcome: Outcome): Action {
  const { group } = operation
  if (group === undefined) return { kind: 'complete', operations: [operation], outcomes: [outcome] }
  return { kind: 'completeGroup', operation, outcomes: group.parts.map(() => outcome) }
}

export function throttleAction(operations: number, retryAfterMs: number, { throttles }: ResponseContext): Action {
  // Cosmos DB may request a wait of 0 again and again: retries as fast as the network allows would cost both sides
  const minMs = Math.min(MIN_THROTTLE_MS, 2 ** throttles)
  return { kind: 'throttle', operations, ms: Math.max(retryAfterMs, minMs) }
}

/** Backoff for a request that failed as a whole, and for a range that has moved. */
export const REQUEST_BACKOFF: Backoff = { firstMs: 50, maxMs: 5000 }
/** Backoff for a single operation that failed. */
const OPERATION_BACKOFF: Backoff = { firstMs: 20, maxMs: 2000 }
/** Backoff for a single operation that other writers came before. */
export const CONTENTION_BACKOFF: Backoff = { firstMs: 5, maxMs: 500 }

/** Wait after a throttled answer without a retry-after. */
export function unknownWaitMs({ random }: ResponseContext): number {
  return 20 + random() * 80
}

const MIN_THROTTLE_MS = 16

/** Pauses the lane, longer each time, and reads the container. */
export function findContainerAction({ missing, random }: ResponseContext): Action {
  return { kind: 'findContainer', pauseMs: backoffMs(missing, { ...REQUEST_BACKOFF, random }) }
}
