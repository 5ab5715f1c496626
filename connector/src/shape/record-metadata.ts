import { isUtf8 } from 'node:buffer'
import type { MetadataSettings } from '../config/settings.ts'
import type { RecordHeaders } from '../record.ts'
import type { KeyedRecord } from './keyed-record.ts'

/** Where a record came from. What is no UTF-8 is given in base64. */
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
