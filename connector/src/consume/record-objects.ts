import { HEADER_BYTES } from '../record.ts'

/** What kafkajs makes of a record beside its bytes: an object with texts and slices. */
export const MESSAGE_BYTES = 256

/**
 * Estimates the memory of the objects that decoding makes of records in the format of Kafka 0.11 and later. It reads lengths only, and stops at
 * `maxBytes` or where the bytes are damaged: decoding says so then.
 */
export function objectBytesOf(bytes: Uint8Array, records: number, maxBytes: number): number {
  const reader: Reader = { bytes, at: 0 }
  let total = 0
  for (let record = 0; record < records && total <= maxBytes && reader.at < bytes.length; record++) {
    const length = readVarint(reader)
    const end = reader.at + length
    if (length < 0 || end > bytes.length) break
    total += MESSAGE_BYTES + headersOf(reader) * HEADER_BYTES
    reader.at = end
  }
  return total
}

interface Reader {
  readonly bytes: Uint8Array
  at: number
}

// https://kafka.apache.org/documentation/#record
function headersOf(reader: Reader): number {
  reader.at++
  skipVarint(reader)
  skipVarint(reader)
  skipBytes(reader)
  skipBytes(reader)
  return Math.max(0, readVarint(reader))
}

function skipVarint(reader: Reader): void {
  while (reader.at < reader.bytes.length && reader.bytes[reader.at++] >= 0x80);
}

/** A key or a value: its length, -1 for none, and its bytes. */
function skipBytes(reader: Reader): void {
  const length = readVarint(reader)
  reader.at += Math.max(0, length)
}

/** Zigzag, 7 bits a byte. */
function readVarint(reader: Reader): number {
  let value = 0
  for (let factor = 1; factor <= 2 ** 28; factor *= 128) {
    const byte = reader.bytes[reader.at++] ?? 0
    value += (byte & 0x7f) * factor
    if (byte < 0x80) break
  }
  return value % 2 === 0 ? value / 2 : -(value + 1) / 2
}
