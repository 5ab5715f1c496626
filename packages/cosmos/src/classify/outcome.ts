import type { RecordCode } from '@keystamp/core'
import type { WriteCode } from './write-codes.ts'

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
