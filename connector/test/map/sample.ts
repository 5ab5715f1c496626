import { joinedLengthBound, joinInto, type StampedBytes, toPosition } from '@keystamp/core'
import type { DocumentSource, Operation } from '@keystamp/cosmos'
import type { SinkSettings, WriteSettings } from '../../src/config/settings.ts'
import type { Decoded } from '../../src/decode/decoder.ts'
import type { SinkRecord } from '../../src/kafka/consumer-port.ts'
import { createRecordMapper, type RecordMapperOptions } from '../../src/map/record-mapper.ts'
import type { SinkRejection } from '../../src/dead-letter/sink-codes.ts'

export const SAMPLE_PLAN: NonNullable<SinkSettings['plan']> = { into: '/pk', from: [{ field: '/device' }] }

const OVERWRITE: WriteSettings = {
  strategy: 'overwrite',
  patch: undefined,
  tombstones: 'delete',
  ttl: undefined,
  metadata: undefined,
  drop: [],
  atomic: false,
  rehome: undefined,
  newerBy: undefined
}

/** Record 7 of partition 2 of a topic. */
export function sampleRecord(overrides: Partial<SinkRecord> = {}): SinkRecord {
  return {
    topic: 'cars/eu',
    partition: 2,
    offset: toPosition(7),
    timestamp: '1786262400000',
    key: Buffer.from('vin-1'),
    value: null,
    headers: {},
    ...overrides
  }
}

export function decodedOf(record: SinkRecord, value: object | string | undefined): Decoded {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return { ok: true, json: value === undefined ? undefined : Buffer.from(text), key: record.key }
}

export interface Setting {
  readonly plan?: SinkSettings['plan']
  readonly id?: SinkSettings['id']
  readonly write?: Partial<WriteSettings>
  readonly paths?: readonly string[]
  readonly defaultTtl?: number | undefined
  readonly record?: Partial<SinkRecord>
}

/** Maps one record; by default without a plan, and with the id of the record. */
export function mapOne(
  value: object | string | undefined,
  setting: Setting = {}
): Operation | SinkRejection | 'ignore' {
  const record = sampleRecord(setting.record)
  return createRecordMapper(mapperOptions(setting)).map(record, decodedOf(record, value))
}

export function mapperOptions({ plan, id, write, paths = ['/pk'], defaultTtl }: Setting): RecordMapperOptions {
  const partitionKey = { paths, kind: paths.length > 1 ? 'MultiHash' : 'Hash', version: 2 } as const
  return { settings: { plan, id, write: { ...OVERWRITE, ...write } }, container: { partitionKey, defaultTtl } }
}

/** The JSON that an operation stores. */
export function storedText(mapped: Operation | SinkRejection | 'ignore'): string {
  if (mapped === 'ignore' || !('kind' in mapped)) throw new Error(`Nothing is stored: ${JSON.stringify(mapped)}`)
  return joinedText((mapped as DocumentSource).stamped!)
}

export function joinedText(stamped: StampedBytes): string {
  const target = Buffer.alloc(joinedLengthBound(stamped))
  return target.toString('utf8', 0, joinInto(stamped, target, 0))
}
