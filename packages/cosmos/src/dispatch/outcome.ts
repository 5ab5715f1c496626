import type { RecordCode } from '@keystamp/core'
import { WRITE_CODES, type WriteCode } from './write-codes.ts'
import type { OperationAnswer } from '../client/transport.ts'

/** What became of an operation. */
export type Outcome = Written | Unchanged | Rejected

/** It stands in the container, or a later write of the same document does. */
export interface Written {
  readonly kind: 'written'
  readonly status: number
  readonly chargeRu: number
  /** Absent where Cosmos DB sent none, as for a delete. */
  readonly etag?: string | undefined
  /** A later upsert of the same document was sent in its place. */
  readonly isSuperseded: boolean
}

/** The service refused it in a way that the caller said to ignore. */
export interface Unchanged {
  readonly kind: 'unchanged'
  readonly status: number
  readonly chargeRu: number
}

/** It will never be taken as it is. */
export interface Rejected {
  readonly kind: 'rejected'
  readonly code: RecordCode | WriteCode
  /** One sentence without values of the record. */
  readonly message: string
  /** The HTTP status of Cosmos DB; absent where the record was not sent. */
  readonly status?: number | undefined
  /** The sub-status of Cosmos DB; absent where it sent none. */
  readonly subStatus?: number | undefined
  readonly chargeRu: number
  /** The field of the record, as a JSON pointer; absent where the rejection is not about one field. */
  readonly path?: string | undefined
}

/** The outcome of an operation that was applied. */
export function written(answer: OperationAnswer): Outcome {
  const { statusCode, requestCharge = 0, eTag } = answer
  return toWritten(statusCode, requestCharge, eTag)
}

/** An outcome without the property `etag` where there is none. */
export function toWritten(status: number, chargeRu: number, etag: string | undefined): Outcome {
  if (etag === undefined) return { kind: 'written', status, chargeRu, isSuperseded: false }
  return { kind: 'written', status, chargeRu, etag, isSuperseded: false }
}

/** The outcome of an operation that the service refused: unchanged where the caller ignores the status. */
export function refused(answer: OperationAnswer, code: WriteCode, ignore: readonly number[]): Outcome {
  const { statusCode, subStatusCode, requestCharge = 0 } = answer
  // a unique key that is taken is no sign that this document is there
  if (ignore.includes(statusCode) && code !== 'UNIQUE_KEY_TAKEN') return { kind: 'unchanged', status: statusCode, chargeRu: requestCharge }
  return rejected(code, { status: statusCode, subStatus: subStatusCode, chargeRu: requestCharge })
}

/** A rejection, with the code's own sentence unless a better one is given. */
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
