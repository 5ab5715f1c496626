import { toPosition } from '@keystamp/core'
import type { RecordBatch, SinkRecord } from '../../src/kafka/consumer-port.ts'

/** A record of the topic `things`, partition 0. */
export function recordAt(offset: number, value: string | null = '{}', key: string | null = 'key'): SinkRecord {
  return {
    topic: 'things',
    partition: 0,
    offset: toPosition(offset),
    timestamp: '1700000000000',
    key: key === null ? null : Buffer.from(key),
    value: value === null ? null : Buffer.from(value),
    headers: {}
  }
}

/** Records of a fetch from `from`; `next` is the offset after the last one unless invisible records follow. */
export function batchOf(
  records: readonly SinkRecord[],
  from: number,
  next: number = (records.at(-1)?.offset ?? from) + 1
): RecordBatch {
  return {
    topic: 'things',
    partition: 0,
    records,
    from: toPosition(from),
    next: toPosition(next),
    highWatermark: toPosition(next)
  }
}
