import type { Position, Source } from '@keystamp/core'

/** Kafka record. A key plan can read its fields in addition to those of the document. */
export interface SinkRecord extends Source {
  readonly topic: string
  readonly partition: number
  readonly offset: Position
  /** Milliseconds since 1970. */
  readonly timestamp: string
  readonly key: Uint8Array | null
  /** Null for a tombstone. */
  readonly value: Uint8Array | null
  readonly headers: RecordHeaders
  /** Set where this record stands for a compressed batch that was refused; it lies at the batch's last offset. */
  readonly oversizedBatch?: OversizedBatch
  /** Bytes of the document that decoding created from the value; set when work on the record begins. */
  madeBytes?: number
}

/** Compressed batch that is not read: its records take more memory than `kafka.maxDecompressedBytes` allows. */
export interface OversizedBatch {
  readonly firstOffset: string
  readonly lastOffset: string
  /** Bytes as they were fetched. */
  readonly bytes: number
  readonly maxBytes: number
}

/** Headers as the broker sent them: a name may occur more than once. */
export type RecordHeaders = Readonly<Record<string, Uint8Array | string | readonly (Uint8Array | string)[] | undefined>>

/** Memory that a record takes while it is in flight, in bytes. */
export function recordBytes({ key, value, headers }: SinkRecord): number {
  let bytes = (key?.length ?? 0) + (value?.length ?? 0) + OVERHEAD_BYTES
  for (const name in headers) bytes += HEADER_BYTES + name.length + headerLength(headers[name])
  return bytes
}

function headerLength(value: RecordHeaders[string]): number {
  if (value === undefined) return 0
  return Array.isArray(value) ? value.reduce((sum: number, each: Uint8Array | string) => sum + HEADER_BYTES + each.length, 0) : value.length
}

/** Objects around the bytes, and what the writer keeps next to them. */
const OVERHEAD_BYTES = 1024

/** Memory that kafkajs takes for a header: a name, a slice and an entry. Two bytes of a batch are enough for one header. */
export const HEADER_BYTES = 160
