import type { StampedBytes } from '@keystamp/core'
import type { Operation } from '@keystamp/cosmos'
import type { SinkRejection } from '../rejects/sink-codes.ts'
import type { KeyedRecord } from './keyed-record.ts'

/** What is to be done with a document whose key and id are known. */
export type ToOperation = (stamped: StampedBytes, record: KeyedRecord) => Operation | SinkRejection
