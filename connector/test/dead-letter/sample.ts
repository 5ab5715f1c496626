import { toPosition } from '@keystamp/core'
import type { SinkRecord } from '../../src/kafka/consumer-port.ts'
import type { SinkRejection } from '../../src/dead-letter/sink-codes.ts'

/** Record `offset` of partition 3 of a topic. */
export function recordAt(offset: number, overrides: Partial<SinkRecord> = {}): SinkRecord {
  return {
    topic: 'cars',
    partition: 3,
    offset: toPosition(offset),
    timestamp: '1533818096000',
    key: Buffer.from(`key-${offset}`),
    value: Buffer.from(`value-${offset}`),
    headers: {},
    ...overrides
  }
}

export const REJECTION: SinkRejection = {
  ok: false,
  stage: 'map',
  code: 'FIELD_MISSING',
  message: 'A field of the key is missing: /device.',
  path: '/device'
}
