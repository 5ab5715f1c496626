import { type Position, toPosition } from '@keystamp/core'
import type { Batch, KafkaMessage } from 'kafkajs'
import { HEADER_BYTES, type OversizedBatch, type RecordBatch, type SinkRecord } from './consumer-port.ts'

/** Converts a batch that kafkajs fetched. */
export function toRecordBatch(batch: Batch, from: Position, topicId?: string): RecordBatch {
  const { topic, partition, messages, highWatermark } = batch
  return {
    topic,
    partition,
    records: messages.map((message) => toRecord(topic, partition, message, topicId)),
    from,
    // after the control records that follow the last visible record
    next: toPosition(Number(batch.lastOffset()) + 1),
    highWatermark: toPosition(highWatermark)
  }
}

/** Offset at which the fetch of this batch began, which kafkajs does not declare. */
export function fetchedFrom(batch: Batch): Position {
  return toPosition((batch as Batch & { readonly fetchedOffset: string }).fetchedOffset)
}

/** Converts a message of kafkajs. */
export function toRecord(
  topic: string,
  partition: number,
  message: KafkaMessage & { readonly oversizedBatch?: OversizedBatch },
  topicId?: string
): SinkRecord {
  const { offset, timestamp, key, value, headers, oversizedBatch } = message
  const record: SinkRecord = {
    topic,
    partition,
    offset: toPosition(offset),
    timestamp,
    key,
    value,
    headers: headers ?? NO_HEADERS,
    topicId,
    decodedDocumentBytes: 0
  }
  return oversizedBatch === undefined ? record : { ...record, oversizedBatch }
}

const NO_HEADERS: SinkRecord['headers'] = {}

/** Memory of the object that kafkajs creates for a record, in addition to its bytes. */
export const MESSAGE_BYTES = 256

/**
 * Estimates the memory of the objects that kafkajs creates for records in the format of Kafka 0.11 and later. Reads
 * lengths only. Stops at `maxBytes`, or at damaged bytes, which decoding reports.
 */
export function objectBytesOf(bytes: Uint8Array, records: number, maxBytes: number): number {
  const reader: Reader = { bytes, at: 0 }
  let total = 0
  for (let record = 0; record < records && total <= maxBytes && reader.at < bytes.length; record++) {
    const length = readVarint(reader)
    const end = reader.at + length
    if (length < 0 || end > bytes.length) break
    total += MESSAGE_BYTES + countHeaders(reader) * HEADER_BYTES
    reader.at = end
  }
  return total
}

interface Reader {
  readonly bytes: Uint8Array
  at: number
}

// https://kafka.apache.org/documentation/#record
function countHeaders(reader: Reader): number {
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

/** Skips a key or a value: its length, -1 for none, and its bytes. */
function skipBytes(reader: Reader): void {
  const length = readVarint(reader)
  reader.at += Math.max(0, length)
}

/** Reads a number of variable length in zigzag encoding, 7 bits a byte. */
function readVarint(reader: Reader): number {
  let value = 0
  for (let factor = 1; factor <= 2 ** 28; factor *= 128) {
    const byte = reader.bytes[reader.at++] ?? 0
    value += (byte & 0x7f) * factor
    if (byte < 0x80) break
  }
  return value % 2 === 0 ? value / 2 : -(value + 1) / 2
}
