import type { RecordHeaders, SinkRecord } from '../record.ts'
import type { SinkRejection } from './sink-codes.ts'

/** A rejected record as a line of JSON: why, where it came from, and its bytes in base64. */
export function rejectLine(record: SinkRecord, { code, stage, path, message }: SinkRejection): string {
  const { topic, partition, offset, timestamp, key, value, headers, oversizedBatch } = record
  const line = {
    code,
    stage,
    path,
    message,
    topic,
    partition,
    offset,
    ...(oversizedBatch === undefined ? {} : { firstOffset: Number(oversizedBatch.firstOffset) }),
    timestamp,
    key: base64(key),
    value: base64(value),
    headers: pairs(headers)
  }
  return `${JSON.stringify(line)}\n`
}

function pairs(headers: RecordHeaders): readonly (readonly [string, string | null])[] {
  return Object.entries(headers).flatMap(([name, values]) =>
    (Array.isArray(values) ? values : [values]).map((value: Uint8Array | string | undefined) => [name, base64(value ?? null)] as const)
  )
}

function base64(bytes: Uint8Array | string | null): string | null {
  return bytes === null ? null : Buffer.from(bytes as Uint8Array).toString('base64')
}
