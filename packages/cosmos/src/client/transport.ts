import type { CosmosError } from './cosmos-error.ts'

/** One request for operations on one range, or for an atomic batch on one key. */
export interface Request {
  readonly rangeId: string
  /** The key, as JSON array text, of an atomic batch; undefined for bulk. */
  readonly atomicKey: string | undefined
  /** A JSON array of operations; must not be kept after the answer. */
  readonly body: Uint8Array
  readonly operations: number
  /** Called directly before the bytes are written; false withholds the request. */
  readonly maySend: () => boolean
  /** Called directly after the last byte was written, and again when the operating system has taken it. */
  readonly wasWritten?: (activityId: string) => void
  /**
   * Called with an answer after which the request may have been applied, or when none is awaited any more: the network
   * may still deliver an `unanswered` request.
   */
  readonly wasAnswered?: (activityId: string, answer: Answer) => void
}

/** Answer for one operation. */
export interface OperationAnswer {
  readonly statusCode: number
  readonly subStatusCode?: number
  readonly requestCharge?: number
  readonly eTag?: string
  readonly retryAfterMilliseconds?: number
  readonly message?: string
  readonly resourceBody?: unknown
}

/** Answer for a request. */
export type Answer =
  /** One answer for each operation, in their order. */
  | { readonly kind: 'answered'; readonly operations: readonly OperationAnswer[] }
  /** The request was refused as a whole. */
  | {
      readonly kind: 'refused'
      readonly status: number
      readonly subStatus: number
      readonly retryAfterMs: number | undefined
      readonly chargeRu: number
      readonly activityId: string | undefined
    }
  /** The permission to send ended before the bytes were written: nothing was sent. */
  | { readonly kind: 'withheld' }
  /** No answer, or none that can be read: a sent request may have been applied. */
  | {
      readonly kind: 'unanswered'
      readonly reason: string
      readonly isSent: boolean
      /** Why there is no token. */
      readonly unauthorized?: CosmosError | undefined
    }

/**
 * Whether a request or an operation with this status may have been applied, or may be applied later: the service has
 * given up on it.
 */
export function isOutcomeUnknown(status: number): boolean {
  return status === 408 || status >= 500
}

/** Sends requests. `send` resolves with an answer also for failures; it rejects only where there is no token. */
export interface Transport {
  readonly send: (request: Request) => Promise<Answer>
  /** Ends all requests. */
  readonly close: () => void
}
