import type { RecordCode } from '@keystamp/core'
import { WRITE_CODES, type WriteCode } from './write-codes.ts'
import type { OperationAnswer } from '../client/transport.ts'

/** Outcome of an operation. */
export type Outcome = Written | Unchanged | Rejected

/** The document is stored, or a later write of the same document is. */
export interface Written {
  readonly kind: 'written'
  readonly status: number
  readonly chargeRu: number
  /** Absent where Cosmos DB sent none, for example for a delete. */
  readonly etag?: string | undefined
  /** A later upsert of the same document was sent instead. */
  readonly isSuperseded: boolean
}

/** Cosmos DB refused it with a status that the caller ignores. */
export interface Unchanged {
  readonly kind: 'unchanged'
  readonly status: number
  readonly chargeRu: number
}

/** Cosmos DB will not accept it unchanged. */
export interface Rejected {
  readonly kind: 'rejected'
  readonly code: RecordCode | WriteCode
  /** One sentence without values of the record. */
  readonly message: string
  /** HTTP status of Cosmos DB; absent where the record was not sent. */
  readonly status?: number | undefined
  /** Sub-status of Cosmos DB; absent where it sent none. */
  readonly subStatus?: number | undefined
  readonly chargeRu: number
  /** The field of the record, as a JSON pointer; absent where the rejection is not about one field. */
  readonly path?: string | undefined
}

/** Outcome of an operation that was applied. */
export function written(answer: OperationAnswer): Outcome {
  const { statusCode, requestCharge = 0, eTag } = answer
  return toWritten(statusCode, requestCharge, eTag)
}

/** Outcome without the property `etag` where there is none. */
export function toWritten(status: number, chargeRu: number, etag: string | undefined): Outcome {
  if (etag === undefined) return { kind: 'written', status, chargeRu, isSuperseded: false }
  return { kind: 'written', status, chargeRu, etag, isSuperseded: false }
}

/** Outcome of an operation that Cosmos DB refused: unchanged where the caller ignores the status. */
export function refused(answer: OperationAnswer, code: WriteCode, ignore: readonly number[]): Outcome {
  const { statusCode, subStatusCode, requestCharge = 0 } = answer
  // a unique key that is taken does not prove that this document exists
  if (ignore.includes(statusCode) && code !== 'UNIQUE_KEY_TAKEN') return { kind: 'unchanged', status: statusCode, chargeRu: requestCharge }
  return rejected(code, { status: statusCode, subStatus: subStatusCode, chargeRu: requestCharge })
}

/** Rejection, with the sentence of the code unless another one is given. */
export function rejected(
  code: WriteCode,
  facts: { readonly status?: number | undefined; readonly subStatus?: number | undefined; readonly chargeRu?: number } = {},
  sentence: string = WRITE_CODES[code].sentence
): Outcome {
  const { status, subStatus, chargeRu = 0 } = facts
  const answered =
    status === undefined ? '' : ` Cosmos DB answered ${status}${subStatus === undefined || subStatus === 0 ? '' : `/${subStatus}`}.`
  return {
    kind: 'rejected',
    code,
    message: sentence + answered,
    ...(status === undefined ? {} : { status }),
    ...(subStatus === undefined ? {} : { subStatus }),
    chargeRu
  }
}
