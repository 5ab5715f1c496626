import type { PartitionKey } from '../partition/partition-key.ts'
import type { ItemState } from '../store/item.ts'
import type { LogicalPartition } from '../store/logical-partition.ts'

/** Type of an operation on one item, alone or in a bulk or batch request. */
export type OperationType = 'Create' | 'Upsert' | 'Replace' | 'Read' | 'Delete' | 'Patch'

/** One operation on one item, as requested. */
export interface ItemOperation {
  readonly type: OperationType
  /** The key that the request names. */
  readonly key: PartitionKey
  /** The id that the request names; a create or an upsert names it in the body only. */
  readonly id: string | undefined
  /** Replaces the id when the request names the item by its resource id. */
  readonly ordinal: number | undefined
  readonly body: unknown
  readonly ifMatch: string | undefined
  readonly ifNoneMatch: string | undefined
}

/**
 * Effect of an operation, decided before anything changes, so that a refused or throttled operation leaves no trace.
 */
export interface Decision {
  readonly status: number
  readonly subStatus: number
  readonly message: string | undefined
  readonly chargeRu: number
  readonly effect: 'none' | 'put' | 'remove'
  readonly type: OperationType
  readonly id: string
  /** The former id of the item, when a replace gives it another one. */
  readonly formerId: string | undefined
  readonly partition: LogicalPartition
  /** The item that a put stores or that a read found. */
  readonly item: ItemState | undefined
  /** True when nothing is stored under the id, so that the put has nothing to look up. */
  readonly isAbsent?: boolean
  /** Values of unique keys that a put claims. */
  readonly uniqueValues: readonly string[]
}

/** Outcome of an operation. */
export interface Outcome {
  readonly status: number
  readonly subStatus: number
  readonly message: string | undefined
  readonly chargeRu: number
  readonly item: ItemState | undefined
  readonly retryAfterMs: number | undefined
}

/** Why an operation is refused. */
export interface Refusal {
  readonly status: number
  readonly subStatus: number
  readonly message: string
}
