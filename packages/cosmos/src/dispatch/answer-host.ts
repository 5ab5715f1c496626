import type { CosmosError } from '../client/cosmos-error.ts'
import type { PendingOperation } from './pending-operation.ts'
import type { Outcome } from './outcome.ts'
import type { Clock } from '../budget/clock.ts'
import type { Prices } from '../budget/prices.ts'
import type { BatchEvent } from './batch-event.ts'
import type { Lane } from './lane.ts'

/** What dealing with answers leads to. */
export interface AnswerHost {
  readonly clock: Clock
  /** From 0 up to, but not including, 1. */
  readonly random: () => number
  readonly prices: Prices
  /** How long an operation is sent again and again. */
  readonly retryForMs: number
  /** When signatures were last renewed. */
  readonly renewedMs: number
  readonly onBatch: ((event: BatchEvent) => void) | undefined

  readonly complete: (pending: PendingOperation, outcome: Outcome) => void
  readonly completeGroup: (pending: PendingOperation, outcomes: readonly Outcome[]) => void
  /** Ends an operation that must not be sent; a body that it superseded may still be. */
  readonly withdraw: (pending: PendingOperation) => void
  /** The time for an operation is over: nobody knows what becomes of it. */
  readonly giveUp: (pending: PendingOperation, reason: string) => void
  /** Puts operations back at the head of their lane, in their order. */
  readonly requeue: (lane: Lane, operations: readonly PendingOperation[]) => void
  /** Puts one operation back after a while; those behind it on the same document wait with it. */
  readonly delay: (pending: PendingOperation, ms: number) => void
  /** Sends taken operations at once, and puts them back where nothing may be sent. */
  readonly resend: (lane: Lane, operations: readonly PendingOperation[]) => void
  readonly moved: (lane: Lane, how: { readonly isMoving: boolean; readonly isNew: boolean }) => void
  readonly pauseAll: (ms: number) => void
  readonly renewSignatures: () => void
  /** Whether refused credentials are waited out. Undefined where they are not: then signatures are renewed once. */
  readonly onUnauthorized: ((error: CosmosError) => boolean) | undefined
  /** Credentials are accepted again. */
  readonly onAuthorized: (() => void) | undefined
  readonly refreshEndpoints: () => void
  /** The service does not know the container: `times` in a row. */
  readonly lookForContainer: (lane: Lane, times: number) => void
  /** The work cannot go on. */
  readonly stop: (error: Error) => void
}
