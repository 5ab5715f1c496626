import { KeystampError } from '@keystamp/core'

export const HASH_BYTES = 16
/** Records begin at multiples of this, so that 32 bits can name a place in 32 GiB. */
export const UNIT_BYTES = 8
export const RECORD = { add: 1, remove: 2 } as const

/** Record of a log: that an entry was added or removed. */
export interface EntryRecord {
  readonly kind: number
  /** 16 bytes of a hash, as a string with one byte in each character. */
  readonly hash: string
  /** Text of the target. */
  readonly text: string
  /** Bytes of the record. */
  readonly size: number
}

const HEADER_BYTES = HASH_BYTES + 4
const MAX_TEXT_BYTES = 0xffff

/** Bytes of a record with this text. */
export function bytesOfRecord(text: string): number {
  return alignedBytes(HEADER_BYTES + Buffer.byteLength(text))
}

/** Upper limit of the bytes of a record with this text. */
export function maxRecordBytes(text: string): number {
  return HEADER_BYTES + 3 * text.length + UNIT_BYTES
}

/** Writes a record, and returns its size. */
export function writeRecord(bytes: Buffer, at: number, record: Omit<EntryRecord, 'size'>): number {
  bytes.write(record.hash, at, HASH_BYTES, 'latin1')
  const length = bytes.write(record.text, at + HEADER_BYTES, 'utf8')
  if (length > MAX_TEXT_BYTES)
    throw new KeystampError('INVARIANT_BROKEN', `A key and id of ${length} bytes are longer than Cosmos DB allows.`)
  bytes.writeUInt16LE(length, at + HASH_BYTES)
  bytes[at + HASH_BYTES + 2] = record.kind
  bytes[at + HASH_BYTES + 3] = 0
  const size = alignedBytes(HEADER_BYTES + length)
  bytes.fill(0, at + HEADER_BYTES + length, at + size)
  return size
}

/** Bytes of the record of which the first bytes are given. */
export function recordSize(bytes: Buffer, at: number): number {
  return alignedBytes(HEADER_BYTES + bytes.readUInt16LE(at + HASH_BYTES))
}

/** Reads a record. */
export function readRecord(bytes: Buffer, at: number): EntryRecord {
  const length = bytes.readUInt16LE(at + HASH_BYTES)
  return {
    hash: bytes.toString('latin1', at, at + HASH_BYTES),
    kind: bytes[at + HASH_BYTES + 2],
    text: bytes.toString('utf8', at + HEADER_BYTES, at + HEADER_BYTES + length),
    size: alignedBytes(HEADER_BYTES + length)
  }
}

function alignedBytes(length: number): number {
  return Math.ceil(length / UNIT_BYTES) * UNIT_BYTES
}
