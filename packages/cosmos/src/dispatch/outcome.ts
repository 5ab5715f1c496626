import type { RecordCode } from '@keystamp/core'
import type { OperationAnswer } from '../client/transport.ts'

/** Outcome of an operation. */
export type Outcome = Written | Unchanged | Rejected

/** The document, or a later write of the same document, is stored. */
export interface Written {
  readonly kind: 'written'
  readonly status: number
  readonly chargeRu: number
  /** Absent if Cosmos DB sent none, for example for a delete. */
  readonly etag?: string | undefined
  /** True if a later upsert of the same document was sent instead. */
  readonly isSuperseded: boolean
  /** End of the document under the old key; absent if the operation has no `before`, or if it has the same key and id. */
  readonly twin?: TwinEnd
}

/**
 * End of a document under an old key. `absent`: there was none. `changed`: another client changed it, so it was kept.
 * `newer`: with `newest`, a change that is not older is stored under the old key, and was kept.
 */
export type TwinEnd = 'deleted' | 'absent' | 'changed' | 'newer'

/** State of an old twin, and of the upsert that it waits for. */
export interface TwinState {
  upsert: 'open' | 'written' | 'failed'
  /** Whether the twin is the first operation of its document, and waits for the upsert. Only with `newest`. */
  isHeld: boolean
}

/** Cosmos DB refused the operation with a status that the caller ignores. */
export interface Unchanged {
  readonly kind: 'unchanged'
  readonly status: number
  readonly chargeRu: number
}

/** Cosmos DB will not accept the operation unless it is changed. */
export interface Rejected {
  readonly kind: 'rejected'
  readonly code: RecordCode | WriteCode
  /** One sentence without values of the record. */
  readonly message: string
  /** HTTP status of Cosmos DB; absent if the record was not sent. */
  readonly status?: number | undefined
  /** Sub-status of Cosmos DB; absent if Cosmos DB sent none. */
  readonly subStatus?: number | undefined
  readonly chargeRu: number
  /** Field of the record, as a JSON pointer; absent if the rejection is not about one field. */
  readonly path?: string | undefined
}

/** Outcome of an operation that was applied. */
export function written(answer: OperationAnswer): Outcome {
  const { statusCode, requestCharge = 0, eTag } = answer
  return toWritten(statusCode, requestCharge, eTag)
}

/** Creates an outcome; without an ETag, it has no property `etag`. */
export function toWritten(status: number, chargeRu: number, etag: string | undefined): Outcome {
  if (etag === undefined) return { kind: 'written', status, chargeRu, isSuperseded: false }
  return { kind: 'written', status, chargeRu, etag, isSuperseded: false }
}

/** Outcome of a change that is not stored, because a newer one is. */
export function kept(chargeRu: number): Outcome {
  return { kind: 'written', status: 200, chargeRu, isSuperseded: true }
}

/** Outcome of an operation that Cosmos DB refused: `unchanged` if the caller ignores the status. */
export function refused(answer: OperationAnswer, code: WriteCode, ignore: readonly number[]): Outcome {
  const { statusCode, subStatusCode, requestCharge = 0 } = answer
  // a conflict with a unique key does not prove that this document exists
  if (ignore.includes(statusCode) && code !== 'UNIQUE_KEY_TAKEN')
    return { kind: 'unchanged', status: statusCode, chargeRu: requestCharge }
  return rejected(code, { status: statusCode, subStatus: subStatusCode, chargeRu: requestCharge })
}

/** Creates a rejection, with the sentence of the code by default. */
export function rejected(
  code: WriteCode,
  facts: {
    readonly status?: number | undefined
    readonly subStatus?: number | undefined
    readonly chargeRu?: number
  } = {},
  sentence: string = WRITE_CODES[code].sentence
): Outcome {
  const { status, subStatus, chargeRu = 0 } = facts
  const answered =
    status === undefined
      ? ''
      : ` Cosmos DB answered ${status}${subStatus === undefined || subStatus === 0 ? '' : `/${subStatus}`}.`
  return {
    kind: 'rejected',
    code,
    message: sentence + answered,
    ...(status === undefined ? {} : { status }),
    ...(subStatus === undefined ? {} : { subStatus }),
    chargeRu
  }
}

/** Reasons why Cosmos DB refused a record, or why it was not sent: sentence, cause and remedy. */
export const WRITE_CODES = {
  OPERATION_INVALID: {
    sentence: 'The operation is not complete.',
    cause: 'A record, an id, a key, or the steps of a patch are missing or of the wrong kind.',
    remedy: 'Add the missing part, which the message names.'
  },
  BEFORE_INVALID: {
    sentence: 'The old key is not known: the previous image of the document gives no key and id.',
    cause:
      'The plan rejects the image, or the image is not a JSON object. So the document under the old key cannot be found. Nothing was sent.',
    remedy: 'Produce whole images; for Postgres, set REPLICA IDENTITY FULL. A new document has no image, or null.'
  },
  DOCUMENT_TOO_LARGE: {
    sentence: 'The document is larger than Cosmos DB stores.',
    cause: 'A document may have at most 2 MB, and so may a whole atomic batch.',
    remedy: 'Split the record, or keep the large part elsewhere.'
  },
  ALREADY_EXISTS: {
    sentence: 'A document with this key and id exists already.',
    cause: 'The operation is a create, and the document exists.',
    remedy: 'Use upsert, or ignore 409.'
  },
  UNIQUE_KEY_TAKEN: {
    sentence: 'Another document of the logical partition has the same unique key.',
    cause: 'The container has unique keys, and another document has the same values.',
    remedy: 'Change the record, or remove the other document.'
  },
  NOT_FOUND: {
    sentence: 'There is no document with this key and id.',
    cause: 'The operation changes or deletes a document that does not exist.',
    remedy: 'Use upsert, or ignore 404.'
  },
  PRECONDITION_FAILED: {
    sentence: 'The document does not meet the precondition.',
    cause: 'The document was changed after its ETag was read, or the condition of the patch is not met.',
    remedy: 'Read the document again and decide, or ignore 412.'
  },
  ETAG_MISSING: {
    sentence: 'The record has no ETag, so it cannot be known whether its document was modified. Nothing was sent.',
    cause:
      '`deleteIfNotModified` compares the `_etag` of the record, and the record has no such property with a string as its value; or `ifMatch` is empty.',
    remedy:
      'Keep `_etag` in the records, as they were read from Cosmos DB; or use `delete`, which deletes without a check.'
  },
  ORDER_UNKNOWN: {
    sentence: 'It is not known whether the record is newer than the stored document. Nothing was stored.',
    cause:
      'Both have the same value of `newerBy`, or one has none, and they do not come from the same partition of the same topic.',
    remedy:
      'Order by a field whose values differ; or decide with `ties`: `first` keeps the stored document, `last` replaces it.'
  },
  ORDER_MISSING: {
    sentence: 'The record has no value by which its age can be known. Nothing was sent.',
    cause:
      'The field of `newerBy` is missing, or is neither a number within 2^53, nor an integer as text, nor a time in ISO 8601.',
    remedy: 'Produce the field in each record, also in records that delete; or order by the timestamp or the offset.'
  },
  PARTITION_FULL: {
    sentence: 'The logical partition is full.',
    cause: 'All documents with the same key may have at most 20 GB together.',
    remedy: 'Choose a key with more values, or give it a suffix.'
  },
  BATCH_FAILED: {
    sentence: 'Another operation of the same atomic batch failed, so none was applied.',
    cause: 'An atomic batch is applied as a whole or not at all.',
    remedy: 'See the operation of the batch that has another code.'
  },
  OUTCOME_UNKNOWN: {
    sentence: 'The answer was lost, and this operation cannot be repeated safely.',
    cause: 'The operation may have been applied. If it were applied twice, it would change the document again.',
    remedy: 'Read the document and decide. Such operations are safe to repeat with an ETag (`ifMatch`).'
  },
  COSMOS_REJECTED: {
    sentence: 'Cosmos DB refuses the document.',
    cause: 'The document or the operation violates a rule of Cosmos DB.',
    remedy: 'See status and sub-status of the outcome.'
  }
} as const

/** Reason why a write was rejected. */
export type WriteCode = keyof typeof WRITE_CODES

/** Counters of a lane, as plain numbers. */
export class LaneCounts {
  /** RU that Cosmos DB charged. */
  chargedRu = 0
  batches = 0
  /** Operations that were sent, including retries. */
  operations = 0
  /** Operations that got their outcome in this lane. */
  settled = 0
  /** Operations that were throttled. */
  throttledOperations = 0
  /** Requests with at least one throttled operation. */
  throttledBatches = 0
  /** Upserts that a later upsert of the same document superseded. */
  superseded = 0
  /** Number of retries by the status of the answer; `lost` for requests without an answer. */
  readonly retries: Map<string, number> = new Map()
  /** Batches by their number of operations, one count for each of `BATCH_SIZE_BOUNDS`. */
  readonly fill: number[] = BATCH_SIZE_BOUNDS.map(() => 0)
  /** Requests by latency: one count for each of `LATENCY_BOUNDS_MS`, and one for longer latencies. */
  readonly latency: number[] = [...LATENCY_BOUNDS_MS, 0].map(() => 0)
  /** Sum of the latencies of all requests, from sending to the answer. */
  latencySumMs = 0
  /** Answers by charge: one count for each of `CHARGE_BOUNDS_RU`, and one for higher charges. */
  readonly charge: number[] = [...CHARGE_BOUNDS_RU, 0].map(() => 0)

  sent(operations: number): void {
    this.batches++
    this.operations += operations
    this.fill[BATCH_SIZE_BOUNDS.findIndex((bound) => operations <= bound)]++
  }

  answered(latencyMs: number): void {
    this.latencySumMs += latencyMs
    this.latency[bucketOf(LATENCY_BOUNDS_MS, latencyMs)]++
  }

  /** Counts the charge of one request. */
  charged(ru: number): void {
    this.chargedRu += ru
    this.charge[bucketOf(CHARGE_BOUNDS_RU, ru)]++
  }

  retried(reason: string, times: number = 1): void {
    this.retries.set(reason, (this.retries.get(reason) ?? 0) + times)
  }

  /** Adds the counters of another lane. */
  add(other: LaneCounts): void {
    this.chargedRu += other.chargedRu
    this.batches += other.batches
    this.operations += other.operations
    this.settled += other.settled
    this.throttledOperations += other.throttledOperations
    this.throttledBatches += other.throttledBatches
    this.superseded += other.superseded
    for (const [reason, times] of other.retries) this.retried(reason, times)
    for (const [step, batches] of other.fill.entries()) this.fill[step] += batches
    for (const [step, answers] of other.latency.entries()) this.latency[step] += answers
    this.latencySumMs += other.latencySumMs
    for (const [step, answers] of other.charge.entries()) this.charge[step] += answers
  }
}

/** Upper bounds of the histogram `fill`: operations of a batch. */
export const BATCH_SIZE_BOUNDS: readonly number[] = [1, 10, 25, 50, 75, 99, 100]
/** Upper bounds of the histogram `latency`, in milliseconds. One more count is for longer latencies. */
export const LATENCY_BOUNDS_MS: readonly number[] = [5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10_000]
/** Upper bounds of the histogram `charge`, in request units. One more count is for higher charges. */
export const CHARGE_BOUNDS_RU: readonly number[] = [1, 5, 10, 25, 50, 100, 250, 500, 1000, 2500]

/** Index of the first bound that is not below the value; the number of bounds if all are below it. */
function bucketOf(bounds: readonly number[], value: number): number {
  const bucket = bounds.findIndex((bound) => value <= bound)
  return bucket < 0 ? bounds.length : bucket
}
