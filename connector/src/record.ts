import type { Position, Source } from '@keystamp/core'

/** One Kafka message. A key plan reads it as it is, as what surrounds a document. */
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
  /** This record stands for a compressed batch that was refused; it lies at the batch's last offset. */
  readonly oversizedBatch?: OversizedBatch
  /** Bytes of the document where decoding has made it of the value; set while it is worked on. */
  madeBytes?: number
}

/** Compressed batch that is not read: its records take more memory than `kafka.maxInflatedBatch` allows. */
export interface OversizedBatch {
  readonly firstOffset: string
  readonly lastOffset: string
  /** Bytes as they were fetched. */
  readonly bytes: number
  readonly maxBytes: number
}

/** As they came: a name may stand more than once. */
export type RecordHeaders = Readonly<Record<string, Uint8Array | string | readonly (Uint8Array | string)[] | undefined>>

/** Bytes that a record holds on to while it is open. */
export function recordBytes({ key, value, headers }: SinkRecord): number {
  let bytes = (key?.length ?? 0) + (value?.length ?? 0) + OVERHEAD_BYTES
  for (const name in headers) bytes += HEADER_BYTES + name.length + headerLength(headers[name])
  return bytes
}

function headerLength(value: RecordHeaders[string]): number {
  if (value === undefined) return 0
  return Array.isArray(value) ? value.reduce((sum: number, each: Uint8Array | string) => sum + HEADER_BYTES + each.length, 0) : value.length
}

// the objects round the bytes, and what the writer keeps beside them
const OVERHEAD_BYTES = 1024

/** Memory of one header: kafkajs makes a name, a slice and an entry of it; two bytes of a batch are enough for one header. */
export const HEADER_BYTES = 160
