import type { SinkRecord, SinkSettings } from '@keystamp/connector'
import { joinedLengthBound, joinInto, type StampedBytes, toPosition } from '@keystamp/core'
import { createTelemetry } from '@keystamp/testkit'
import { type Contestant, lineOf, measure } from './measure.ts'
import { envelopeOf } from './sink/change-envelope.ts'

export const question = 'What does change data of Debezium cost in the sink, compared with the same rows as plain JSON?'

const COUNT = 1000
const BATCH = 64

/** Rows of 1 KB and of 200 bytes, decoded, mapped and copied to a request, as in the sink. */
export async function run(report: (line: string) => void): Promise<void> {
  const telemetry = createTelemetry(42)
  const big = Array.from({ length: COUNT }, (_, id) => ({ ...telemetry.big(), id: String(id) }))
  const small = big.map(({ id, VIN, date }, n) => ({ id, VIN, date, note: 'x'.repeat(100), n }))
  for (const [name, rows] of [
    ['rows of 1 KB', big],
    ['rows of 200 bytes', small]
  ] as const) {
    const plain = rows.map((row) => JSON.stringify(row))
    const creates = plain.map((row) => envelopeOf('c', 'null', row))
    const updates = plain.map((row) => envelopeOf('u', row, row))
    const wrapped = creates.map((envelope) => `{"schema":${SCHEMA},"payload":${envelope}}`)
    const [json, change] = await Promise.all([createPath('json'), createPath('debezium')])
    report(`  ${name}`)
    const contestants: readonly Contestant[] = [
      { name: `JSON, ${sizeOf(plain)}`, run: each(json, plain) },
      { name: `change data, creates, ${sizeOf(creates)}`, run: each(change, creates) },
      { name: `change data, updates with the row before, ${sizeOf(updates)}`, run: each(change, updates) },
      { name: `change data with a schema, creates, ${sizeOf(wrapped)}`, run: each(change, wrapped) }
    ]
    for (const measured of measure(contestants, { records: COUNT, repeats: 2, rounds: 40 })) report(lineOf(measured))
  }
}

const ROW_SCHEMA = { type: 'struct', optional: true, fields: [{ type: 'string', optional: false, field: 'id' }] }
const SCHEMA = JSON.stringify({
  type: 'struct',
  optional: false,
  name: 'fleet.public.vehicles.Envelope',
  fields: [
    { ...ROW_SCHEMA, field: 'before' },
    { ...ROW_SCHEMA, field: 'after' },
    { type: 'string', field: 'op' }
  ]
})

function sizeOf(values: readonly string[]): string {
  return `${Math.round(values.reduce((sum, { length }) => sum + length, 0) / values.length)} bytes`
}

/** Processes all values once. Values of one fetch are in one buffer. */
function each(path: (record: SinkRecord) => void, values: readonly string[]): () => void {
  const records: SinkRecord[] = []
  for (let first = 0; first < values.length; first += BATCH) {
    const batch = values.slice(first, first + BATCH).map((value) => Buffer.from(value))
    const whole = Buffer.concat(batch)
    let at = 0
    for (const { length } of batch) records.push(recordOf(whole.subarray(at, (at += length)), records.length))
  }
  return () => {
    for (const record of records) path(record)
  }
}

function recordOf(value: Buffer, offset: number): SinkRecord {
  const key = Buffer.from(`{"id":"${offset}"}`)
  return { topic: 't', partition: 0, offset: toPosition(offset), timestamp: '0', key, value, headers: {} }
}

/** Creates the path of a record from its bytes to those of a request, with the build of the connector. */
async function createPath(format: 'json' | 'debezium'): Promise<(record: SinkRecord) => void> {
  const { createDecoder, createRecordMapper } = await loadParts()
  const numbers = { int64: 'string', decimal: 'string' } as const
  const value: SinkSettings['value'] =
    format === 'json'
      ? { format }
      : { format, encoding: { format: 'json' }, truncate: 'reject', message: 'ignore', unavailable: 'reject' }
  const { decode } = createDecoder({ key: { format: 'text' }, value, registry: undefined, numbers })
  const { map } = createRecordMapper({
    settings: { plan: PLAN, id: undefined, write: WRITE },
    container: { partitionKey: { paths: ['/pk'], kind: 'Hash', version: 2 }, defaultTtl: undefined }
  })
  const target = Buffer.alloc(1 << 16)
  return (record) => {
    const mapped = map(record, decode(record))
    if (mapped.stamped === undefined || joinedLengthBound(mapped.stamped) > target.length)
      throw new Error('A record was not stored.')
    joinInto(mapped.stamped, target, 0)
  }
}

const PLAN = { into: '/pk', from: [{ field: '/VIN' }], suffix: { by: '/VIN', count: 400 } } as const

const WRITE = {
  strategy: 'overwrite',
  patch: undefined,
  tombstones: 'ignore',
  ttl: undefined,
  metadata: undefined,
  drop: [],
  atomic: false,
  rehome: undefined
}

interface Parts {
  readonly createDecoder: (settings: Pick<SinkSettings, 'key' | 'value' | 'registry' | 'numbers'>) => {
    readonly decode: (record: SinkRecord) => unknown
  }
  readonly createRecordMapper: (options: object) => {
    readonly map: (record: SinkRecord, decoded: unknown) => { readonly stamped?: StampedBytes }
  }
}

// the package does not export them: a sink creates its own
async function loadParts(): Promise<Parts> {
  const connector = import.meta.resolve('@keystamp/connector')
  const [decoder, mapper] = (await Promise.all(
    ['decode/decoder.js', 'map/record-mapper.js'].map((file) => import(new URL(file, connector).href))
  )) as [Pick<Parts, 'createDecoder'>, Pick<Parts, 'createRecordMapper'>]
  return { ...decoder, ...mapper }
}
