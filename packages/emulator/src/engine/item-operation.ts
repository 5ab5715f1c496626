import type { PartitionKey } from '../partition/partition-key.ts'
import type { ItemState } from '../store/item.ts'
import type { LogicalPartition } from '../store/logical-partition.ts'

/** What can be done to one item, alone or inside a bulk or a batch. */
export type OperationType = 'Create' | 'Upsert' | 'Replace' | 'Read' | 'Delete' | 'Patch'

/** One operation on one item, as it was asked for. */
export interface ItemOperation {
  readonly type: OperationType
  /** The key that the request names. */
  readonly key: PartitionKey
  /** The id that the request names; a create or an upsert names it in the body only. */
  readonly id: string | undefined
  /** Names the item instead of an id where a request names it by its resource id. */
  readonly ordinal: number | undefined
  readonly body: unknown
  readonly ifMatch: string | undefined
  readonly ifNoneMatch: string | undefined
}

/** What an operation would do, decided before anything has changed: so a refusal or a throttle leaves no trace. */
export interface Decision {
  readonly status: number
  readonly subStatus: number
  readonly message: string | undefined
  readonly chargeRu: number
  readonly effect: 'none' | 'put' | 'remove'
  readonly type: OperationType
  readonly id: string
  /** The id that the item has until then, where a replace gives it another one. */
  readonly formerId: string | undefined
  readonly partition: LogicalPartition
  /** What a put stores, or what a read found. */
  readonly item: ItemState | undefined
  /** Values of unique keys that a put takes. */
  readonly uniqueValues: readonly string[]
}

/** What became of an operation. */
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
