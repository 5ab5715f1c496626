import type { SystemClock } from '@keystamp/core/internal'
import type { RuBudget } from '../budget/ru-budget.ts'
import type { ContainerRange } from '../client/container.ts'
import type { CosmosError } from '../client/cosmos-error.ts'
import type { Transport } from '../client/transport.ts'
import type { OrderRule } from '../newest/judge.ts'
import type { ThrottledRange } from '../throttle/throttled-range.ts'
import type { BatchEvent } from './response-handler.ts'
import type { LateRequest } from './send-permit.ts'

/** Settings and dependencies of a router. */
export interface RouterOptions {
  readonly ranges: readonly ContainerRange[]
  readonly transport: Transport
  readonly clock: SystemClock
  /** Returns random numbers from 0 up to, but not including, 1. */
  readonly random: () => number
  /**
   * Limit of the bytes of pending operations. Infinity: bytes are not counted, and the caller limits its operations
   * itself.
   */
  readonly maxBytes: number
  readonly retryForMs: number
  /**
   * Creates the RU budget of one of `count` ranges. After an infinite wait, the budget calls `wake` when it can pay
   * again.
   */
  readonly createBudget: (range: ContainerRange, count: number, wake: () => void) => RuBudget
  readonly refreshRanges: () => Promise<readonly ContainerRange[]>
  /** Checks that the container exists and is still the same. Throws the error that stops the writer. */
  readonly checkContainer: () => Promise<void>
  readonly renewSignatures: () => void
  /** Returns true to wait for other credentials after a refusal. Default: signatures are renewed once. */
  readonly onUnauthorized?: ((error: CosmosError) => boolean) | undefined
  /** Called when credentials are accepted again. */
  readonly onAuthorized?: (() => void) | undefined
  readonly refreshEndpoints: () => void
  /** While it returns false, nothing is sent. Default: always true. */
  readonly maySend?: (() => boolean) | undefined
  readonly onBatch?: ((event: BatchEvent) => void) | undefined
  readonly onLate?: ((late: LateRequest) => void) | undefined
  /** Provisioned RU/s of the container, to explain throttling. Default: unknown. */
  readonly provisionedRuPerSecond?: (() => number | undefined) | undefined
  /** Called at most once a second for each range that is throttled. */
  readonly onThrottled?: ((throttled: ThrottledRange) => void) | undefined
  /** Rule and memory of writes of a writer with `newest`. Default: there are no such writes. */
  readonly newest?: { readonly rule: OrderRule; readonly maxKnown: number } | undefined
  /** Called when an error has stopped the router; not when it is closed. */
  readonly onStop: (error: Error) => void
}
