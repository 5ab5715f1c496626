import { type Position, toPosition } from '@keystamp/core'
import type { Batch, KafkaMessage } from 'kafkajs'
import type { SinkRecord } from '../record.ts'
import type { OversizedBatch } from '../record.ts'
import type { RecordBatch } from './consumer-port.ts'

/** What kafkajs fetched, in our words. */
export function toRecordBatch(batch: Batch, from: Position): RecordBatch {
  const { topic, partition, messages, highWatermark } = batch
  return {
    topic,
    partition,
    records: messages.map((message) => toRecord(topic, partition, message)),
    from,
    // also past the control records behind the last visible one
    next: toPosition(Number(batch.lastOffset()) + 1),
    highWatermark: toPosition(highWatermark)
  }
}

/** The position that was asked for. kafkajs has it, and does not declare it. */
export function fetchedFrom(batch: Batch): Position {
  return toPosition((batch as Batch & { readonly fetchedOffset: string }).fetchedOffset)
}

/** One message, in our words. */
export function toRecord(
  topic: string,
  partition: number,
  message: KafkaMessage & { readonly oversizedBatch?: OversizedBatch }
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
    madeBytes: 0
  }
  return oversizedBatch === undefined ? record : { ...record, oversizedBatch }
}

const NO_HEADERS: SinkRecord['headers'] = {}
