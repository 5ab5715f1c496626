import type { Plan } from '@keystamp/core'
import type { Operation } from '@keystamp/cosmos'
import type { Decoded } from '../decode/decoder.ts'
import type { SinkRecord } from '../record.ts'
import type { SinkRejection } from '../rejects/sink-codes.ts'

/** Makes operations of records, for one container. */
export interface Shaper {
  /** What keys and ids are made by: the configured plan and what the settings add to it. */
  readonly plan: Plan
  /** What is to be done with a record; `ignore` where nothing is. */
  readonly shape: (record: SinkRecord, decoded: Decoded) => Operation | SinkRejection | 'ignore'
}
