import type { StampedBytes } from '@keystamp/core'
import { isUtf8 } from 'node:buffer'
import type { MetadataSettings, WriteSettings } from '../config/settings.ts'
import { type KeyedRecord, namesOf, rejectMapping, valueAt } from './mapping.ts'
import { createPropertyEdit } from './property-edit.ts'
import type { RecordHeaders } from '../record.ts'
import type { SinkRejection } from '../dead-letter/sink-codes.ts'

/** Creates the edit that adds and removes the configured properties, in addition to key and id; undefined where none are configured. */
export function createExtras({
  ttl,
  metadata,
  drop
}: WriteSettings): ((stamped: StampedBytes, record: KeyedRecord) => StampedBytes | SinkRejection) | undefined {
  if (ttl === undefined && metadata === undefined && drop.length === 0) return undefined
  const edit = createPropertyEdit(drop, metadata === undefined ? ['ttl'] : ['ttl', metadata.into])
  const timeToLive = ttl === undefined ? undefined : createTimeToLive(ttl)
  const describe = metadata === undefined ? undefined : createMetadata(metadata)

  return (stamped, record) => {
    const seconds = timeToLive?.(stamped)
    if (typeof seconds === 'object') return seconds
    return edit(stamped, [seconds === undefined ? undefined : String(seconds), describe && JSON.stringify(describe(record))])
  }
}

/** Time to live of a document, in seconds; undefined where the container decides. */
type TimeToLive = (stamped: StampedBytes) => number | undefined | SinkRejection

/** Reads the time to live from the record; where the field is missing or null, the container decides. */
export function createTimeToLive(ttl: NonNullable<WriteSettings['ttl']>): TimeToLive {
  if (typeof ttl === 'number') return () => ttl
  const { field } = ttl
  const pointer = namesOf(field)
  return (stamped) => {
    const value = valueAt(stamped, pointer) ?? undefined
    return value === undefined || isTimeToLive(value) ? value : rejectMapping('TTL_INVALID', field)
  }
}

/** Whether Cosmos DB accepts it: -1 for never, or a number of seconds. */
function isTimeToLive(value: unknown): value is number {
  return Number.isInteger(value) && (value === -1 || ((value as number) > 0 && (value as number) < 2 ** 31))
}

/** Origin of a record. Bytes that are not UTF-8 are given in base64. */
export function createMetadata({ fields }: Pick<MetadataSettings, 'fields'>): (record: KeyedRecord) => object {
  return (record) => Object.fromEntries(fields.map((field) => [field, valueOf(record, field)]))
}

function valueOf(record: KeyedRecord, field: MetadataSettings['fields'][number]): unknown {
  switch (field) {
    case 'topic':
      return record.topic
    case 'partition':
      return record.partition
    case 'offset':
      return record.offset
    case 'timestamp':
      return Number(record.timestamp)
    case 'key':
      return textOf(record.key)
    case 'headers':
      return headersOf(record.headers)
  }
}

function headersOf(headers: RecordHeaders): object {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      typeof value === 'string' || value instanceof Uint8Array ? textOf(value) : (value?.map(textOf) ?? null)
    ])
  )
}

function textOf(value: Uint8Array | string | null): string | null {
  if (value === null || typeof value === 'string') return value
  const bytes = Buffer.from(value.buffer, value.byteOffset, value.length)
  return bytes.toString(isUtf8(bytes) ? 'utf8' : 'base64')
}
