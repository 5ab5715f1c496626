import type { CosmosError } from './cosmos-error.ts'

/** One request for operations on one range, or for an atomic batch on one key. */
export interface Request {
  readonly rangeId: string
  /** Key of an atomic batch, as the text of a JSON array; undefined for a bulk request. */
  readonly atomicKey: string | undefined
  /** JSON array of operations. A transport must not keep it after the answer. */
  readonly body: Uint8Array
  readonly operations: number
  /** Session token that a replica must have reached to answer; undefined: any replica may answer. */
  readonly sessionToken?: string
  /** Called directly before the bytes are written; false withholds the request. */
  readonly maySend: () => boolean
  /** Called directly after the last byte was written, and again when the operating system has accepted it. */
  readonly wasWritten?: (activityId: string) => void
  /**
   * Called with an answer after which the request may have been applied; also with `unanswered` when the transport
   * stops waiting, because the network may still deliver the request.
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
  /** One answer for each operation, in order. */
  | {
      readonly kind: 'answered'
      readonly operations: readonly OperationAnswer[]
      /** Only if the transport reads session tokens. */
      readonly sessionToken?: string | undefined
    }
  /** Cosmos DB refused the request as a whole. */
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
  /** No readable answer: a sent request may have been applied. */
  | {
      readonly kind: 'unanswered'
      readonly reason: string
      readonly isSent: boolean
      /** Reason why there is no token. */
      readonly unauthorized?: CosmosError | undefined
    }

/**
 * Whether a request or an operation with this status may have been applied, or may be applied later: the status means
 * that the service gave up, not that nothing was applied.
 */
export function isOutcomeUnknown(status: number): boolean {
  return status === 408 || status >= 500
}

/** Sends requests. `send` resolves with an answer even for failures; it rejects only if there is no token. */
export interface Transport {
  readonly send: (request: Request) => Promise<Answer>
  /** Ends all requests. */
  readonly close: () => void
}
