import type { RecordCode } from '@keystamp/core'
import type { WriteCode } from '@keystamp/cosmos'

/**
 * Why the sink rejects a record before it reaches the key plan or Cosmos DB. `docs/errors.md` is made from this table.
 */
export const SINK_CODES = {
  DECODE_FAILED: {
    sentence: 'The record cannot be read in the configured format.',
    cause:
      'Its bytes are not of that format, its schema is not known, or a value has no JSON form under the chosen policy.',
    remedy:
      'Fix the producer, or set the right `format`; the message names the byte or the field at which reading stopped.'
  },
  SCHEMA_UNKNOWN: {
    sentence: 'The schema of the record could not be found.',
    cause: 'The registry does not know the schema id in the record, or the schema cannot be used.',
    remedy: 'Register the schema, or point `registry.url` at the registry that the producer uses.'
  },
  BATCH_TOO_LARGE: {
    sentence: 'A batch takes more memory than is allowed, so none of its records was read.',
    cause: 'The batch is damaged or hostile, or the producer writes larger batches than `kafka.maxDecompressedBytes`.',
    remedy:
      'Inspect the batch at its offsets; raise `kafka.maxDecompressedBytes` and the memory of the process, or set `kafka.onOversizedBatch: skip`.'
  },
  TOMBSTONE_REJECTED: {
    sentence: 'The record is a tombstone: it has a key and no value.',
    cause: 'The configuration has `tombstones: reject`.',
    remedy: 'Choose `delete` or `ignore`, or stop producing tombstones.'
  },
  PATCH_EMPTY: {
    sentence: 'The record has no property to patch.',
    cause:
      'A patch never changes the key, the id, and the properties that the configuration leaves out; the record has no other property.',
    remedy: 'Send at least one more property, or choose another write strategy.'
  },
  PATCH_NOT_NUMBER: {
    sentence: 'A property to increment is not a number.',
    cause:
      'The configuration has the operation `increment` for the property, and its value in the record has another type.',
    remedy: 'Fix the producer, or choose another operation for this property under `write.patch.properties`.'
  },
  TIMESTAMP_MISSING: {
    sentence: 'The record has no timestamp, which orders the changes of its document.',
    cause: 'The configuration has `write.newerBy: { order: timestamp }`, and the producer sent no timestamp.',
    remedy: 'Let the producer or the topic set timestamps, or order by `offset` or by a field.'
  },
  TOPIC_ID_MISSING: {
    sentence: 'The brokers do not tell the id of the topic, without which its offsets cannot be compared.',
    cause:
      'The configuration has `write.newerBy: { order: offset }`. When a topic is created again, its offsets begin again; brokers before Kafka 2.8 have no id that tells both topics apart.',
    remedy: 'Order by `timestamp` or by a field.'
  },
  SHAPE_FAILED: {
    sentence: 'A step of the shape cannot be applied to the record.',
    cause:
      'A field has a type or a value that the step cannot convert without loss, or two fields would have the same name.',
    remedy:
      'Fix the producer, or change the step; the message names the step and the field. The step can be limited to some records by `when`.'
  },
  TTL_INVALID: {
    sentence: 'The field with the time to live is not a number of seconds.',
    cause: 'Cosmos DB accepts whole numbers from 1 to 2,147,483,647, and -1 for never.',
    remedy: 'Fix the producer, or name another field under `write.ttl`.'
  }
} as const

export type SinkCode = keyof typeof SINK_CODES

/** Stage at which a record was rejected. */
export type Stage = 'decode' | 'map' | 'write'

/** A rejected record: where it came from, the stage and the reason. Contains nothing of the payload. */
export interface SinkRejection {
  readonly ok: false
  readonly stage: Stage
  readonly code: SinkCode | RecordCode | WriteCode
  /** One sentence. */
  readonly message: string
  /** JSON pointer to the value in the record; empty for the whole record. */
  readonly path: string
}
