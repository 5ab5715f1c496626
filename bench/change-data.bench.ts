import type { SinkRecord } from '@keystamp/connector'
import { toPosition } from '@keystamp/core'
import { createTelemetry, startRegistry, type VehicleRecord } from '@keystamp/testkit'
import avro from 'avsc'
import { randomUUID } from 'node:crypto'
import { complete, vehicleSchema } from './decode/telemetry-schema.ts'
import { type Contestant, lineOf, measure } from './measure.ts'
import { envelopeOf, SOURCE } from './sink/change-envelope.ts'
import { measureSink } from './sink/measured-sink.ts'
import { createRecordPath } from './sink/record-path.ts'
import { startSinkProcess } from './sink/sink-process.ts'
import { produceAll, type SinkWorld, startSinkWorld } from './sink/world.ts'

export const question = 'What does change data of Debezium cost in the sink, compared with the same rows as plain JSON?'

const COUNT = 1000
const BATCH = 64

const SINK_RECORDS = Number(process.env['KEYSTAMP_BENCH_RECORDS'] ?? 60_000)
const SINK_ROUNDS = 3

/** Both the steps that differ, and whole sinks. */
export async function run(report: (line: string) => void): Promise<void> {
  await runSteps(report)
  const world = await startSinkWorld(report)
  if (world === undefined) return
  try {
    await runSinks(world, report)
  } finally {
    await world.stop()
  }
}

/** Processes of the sink, from Kafka to the emulator: median of the CPU a record, and its ratio to plain records. */
async function runSinks(world: SinkWorld, report: (line: string) => void): Promise<void> {
  const registry = await startRegistry()
  try {
    const kinds = [
      ...(['JSON', 'JSON with a schema'] as const).map((encoding) => ({
        encoding,
        plain: (row: VehicleRecord) => Buffer.from(JSON.stringify(row)),
        change: (op: string, row: VehicleRecord) => jsonChange(op, row, encoding === 'JSON with a schema'),
        plainConfig: {},
        changeConfig: { value: 'debezium' }
      })),
      { encoding: 'Avro with a registry', ...avroKind(registry) }
    ]
    report(`  the whole sink, ${SINK_RECORDS.toLocaleString('en')} records of 1 KB, median of ${SINK_ROUNDS} rounds`)
    for (const { encoding, plain, change, plainConfig, changeConfig } of kinds) {
      const ways = [
        { name: `${encoding === 'JSON with a schema' ? 'JSON' : encoding}, plain`, make: plain, config: plainConfig },
        ...(['c', 'u', 'd'] as const).map((op) => ({
          name: `${encoding}, ${op}`,
          make: (row: VehicleRecord) => change(op, row),
          config: changeConfig
        }))
      ]
      const found = await medians(world, ways)
      for (const [index, { name }] of ways.entries())
        report(
          `  ${name.padEnd(36)} CPU ${found[index].toFixed(1)} us a record, ${(found[index] / found[0]).toFixed(2)}x`
        )
    }
  } finally {
    await registry.stop()
  }
}

interface SinkWay {
  readonly make: (row: VehicleRecord) => Buffer
  readonly config: object
}

async function medians(world: SinkWorld, ways: readonly SinkWay[]): Promise<readonly number[]> {
  const topics: string[] = []
  for (const { make } of ways) {
    const topic = `changes-${randomUUID()}`
    const { big } = createTelemetry(7)
    await produceAll(world.kafka, topic, SINK_RECORDS, () => {
      const row = { ...big(), day: '2018-08-09', partitionKey: undefined }
      return { key: row.deviceId, value: make(row) }
    })
    topics.push(topic)
  }
  const found: number[][] = ways.map(() => [])
  for (let round = 0; round < SINK_ROUNDS; round++) {
    for (const [index, { config }] of ways.entries()) {
      const topic = topics[index]
      const { cpuMicros } = await measureSink({
        records: SINK_RECORDS,
        start: (account) => startSinkProcess(world, { topic, config, ...account })
      })
      found[index].push(cpuMicros)
    }
  }
  return found.map((all) => all.toSorted((one, other) => one - other)[(SINK_ROUNDS - 1) / 2])
}

function jsonChange(op: string, row: VehicleRecord, hasSchema: boolean): Buffer {
  const json = JSON.stringify(row)
  const envelope = envelopeOf(op, op === 'c' ? 'null' : json, op === 'd' ? 'null' : json)
  return Buffer.from(hasSchema ? `{"schema":${SCHEMA},"payload":${envelope}}` : envelope)
}

/** Records of Avro, plain and in envelopes, and the settings of their sinks. */
function avroKind({ url, register }: Pick<Awaited<ReturnType<typeof startRegistry>>, 'url' | 'register'>): SinkKind {
  const source = {
    type: 'record',
    name: 'Source',
    fields: Object.entries(SOURCE).map(([name, value]) => ({
      name,
      type: value === null ? optional('long') : typeof value === 'number' ? 'long' : 'string'
    }))
  }
  const schema = {
    type: 'record',
    name: 'Envelope',
    fields: [
      { name: 'before', type: optional(vehicleSchema) },
      { name: 'after', type: optional('Vehicle') },
      { name: 'source', type: source },
      { name: 'op', type: 'string' },
      { name: 'ts_ms', type: optional('long') }
    ]
  }
  const framed = (name: string, type: object): ((value: object) => Buffer) => {
    const id = register(name, JSON.stringify(type))
    const written = avro.Type.forSchema(type as avro.Schema, { wrapUnions: false })
    return (value) => Buffer.concat([Buffer.from([0, 0, 0, 0, id]), written.toBuffer(value)])
  }
  const [plain, envelope] = [framed('vehicles', vehicleSchema), framed('changes', schema)]
  return {
    plain: (row) => plain(complete(row)),
    change: (op, row) => {
      const whole = complete(row)
      const rows = { before: op === 'c' ? null : whole, after: op === 'd' ? null : whole }
      return envelope({ ...rows, source: SOURCE, op, ts_ms: 1_559_033_904_961 })
    },
    plainConfig: { value: 'registry', registry: { url } },
    changeConfig: { value: { format: 'debezium', encoding: 'registry' }, registry: { url } }
  }
}

function optional(type: unknown): readonly unknown[] {
  return ['null', type]
}

interface SinkKind {
  readonly plain: (row: VehicleRecord) => Buffer
  readonly change: (op: string, row: VehicleRecord) => Buffer
  readonly plainConfig: object
  readonly changeConfig: object
}

/** Rows of 1 KB and of 200 bytes, decoded, mapped and copied to a request, as in the sink. */
async function runSteps(report: (line: string) => void): Promise<void> {
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

function createPath(format: 'json' | 'debezium'): Promise<(record: SinkRecord) => void> {
  return createRecordPath({
    value:
      format === 'json'
        ? { format }
        : { format, encoding: { format: 'json' }, truncate: 'reject', message: 'ignore', unavailable: 'reject' }
  })
}
