import avro from 'avsc'

import type { SinkRecord, SinkSettings } from '@keystamp/connector'
import { createPlan, toPosition } from '@keystamp/core'
import { createTelemetry, startRegistry } from '@keystamp/testkit'

import { complete, vehicleSchema } from './decode/telemetry-schema.ts'
import { type Contestant, lineOf, measure } from './measure.ts'

export const question = 'What does Avro with a schema registry cost, compared with JSON, and with decoding by avsc?'

const COUNT = 1000
const BLOCK = 64

/**
 * Vehicles of 1 KB, in JSON and Avro, as kafkajs delivers them: decoded only, and decoded and stamped, as in the sink.
 */
export async function run(report: (line: string) => void): Promise<void> {
  const registry = await startRegistry()
  try {
    const id = registry.register('vehicles-value', JSON.stringify(vehicleSchema))
    const { json, envelopes, frames } = recordsOf(id)
    const decode = await decodersFor(registry.url, frames[0])
    const size = (all: readonly Buffer[]): string =>
      `${Math.round(all.reduce((sum, { length }) => sum + length, 0) / COUNT)} bytes`
    report(`  JSON ${size(json)}, Avro ${size(frames)}, JSON with a schema ${size(envelopes)}`)
    report('  decoded to JSON bytes')
    compare(report, [
      { name: 'avsc, JSON.stringify, Buffer.from', run: () => frames.forEach((value) => withAvsc(value)) },
      {
        name: 'JSON.parse and JSON.stringify of the JSON',
        run: () => json.forEach((value) => JSON.stringify(JSON.parse(value.toString())))
      },
      { name: 'decoder, registry', run: () => frames.forEach((value) => decode.registry(value)) },
      { name: 'decoder, json-envelope', run: () => envelopes.forEach((value) => decode.envelope(value)) },
      { name: 'decoder, json', run: () => json.forEach((value) => decode.json(value)) }
    ])
    report('  decoded and stamped')
    compare(report, [
      { name: 'decoder, json', run: () => json.forEach((value) => stamp(decode.json(value))) },
      { name: 'decoder, registry', run: () => frames.forEach((value) => stamp(decode.registry(value))) },
      { name: 'decoder, json-envelope', run: () => envelopes.forEach((value) => stamp(decode.envelope(value))) },
      { name: 'avsc, JSON.stringify, Buffer.from', run: () => frames.forEach((value) => stamp(withAvsc(value))) }
    ])
  } finally {
    await registry.stop()
  }
}

function compare(report: (line: string) => void, contestants: readonly Contestant[]): void {
  for (const each of measure(contestants, { records: COUNT, repeats: 2, rounds: 40 })) report(lineOf(each))
}

const type = avro.Type.forSchema(vehicleSchema as avro.schema.RecordType)

function recordsOf(id: number): Readonly<Record<'json' | 'envelopes' | 'frames', readonly Buffer[]>> {
  const telemetry = createTelemetry(42)
  const vehicles = Array.from({ length: COUNT }, () => complete(telemetry.big()))
  const frame = Buffer.from([0, 0, 0, 0, id])
  const schema = JSON.stringify({ type: 'struct', optional: false, fields: Object.keys(vehicles[0]).map(connectField) })
  return {
    json: batched(vehicles.map((vehicle) => Buffer.from(JSON.stringify(vehicle)))),
    envelopes: batched(
      vehicles.map((vehicle) => Buffer.from(`{"schema":${schema},"payload":${JSON.stringify(vehicle)}}`))
    ),
    frames: batched(vehicles.map((vehicle) => Buffer.concat([frame, type.toBuffer(vehicle)])))
  }
}

const connectField = (field: string): object => ({ field, type: field === 'date' ? 'int64' : 'string', optional: true })

/** Records of one fetch are in one buffer. */
function batched(values: readonly Buffer[]): readonly Buffer[] {
  return values.flatMap((_, first) => (first % BLOCK === 0 ? cut(values.slice(first, first + BLOCK)) : []))
}

function cut(values: readonly Buffer[]): readonly Buffer[] {
  const whole = Buffer.concat(values)
  let at = 0
  return values.map(({ length }) => whole.subarray(at, (at += length)))
}

function withAvsc(value: Buffer): Uint8Array {
  return Buffer.from(JSON.stringify(type.fromBuffer(value.subarray(5))))
}

const plan = createPlan({ into: '/partitionKey', from: [{ field: '/date' }], suffix: { by: '/VIN', count: 400 } })

function stamp(json: Uint8Array): void {
  const stamped = plan.stampBytes(json)
  if (!stamped.ok) throw new Error(stamped.message)
}

interface Decode {
  readonly registry: (value: Buffer) => Uint8Array
  readonly envelope: (value: Buffer) => Uint8Array
  readonly json: (value: Buffer) => Uint8Array
}

/** Decoders of each format; that of the registry has read the schema already. */
async function decodersFor(url: string, framed: Buffer): Promise<Decode> {
  const createDecoder = await loadCreateDecoder()
  const key = Buffer.from('1FTFW1ET5DFC10312')
  const recordOf = (value: Buffer): SinkRecord => ({
    topic: 't',
    partition: 0,
    offset: toPosition(1n),
    timestamp: '0',
    key,
    value,
    headers: {}
  })
  const create = (format: 'registry' | 'json-envelope' | 'json'): ((value: Buffer) => Answer) => {
    const registry = { url, username: undefined, password: undefined, token: undefined, timeoutMs: 1000 }
    const { decode } = createDecoder({
      value: { format },
      key: { format: 'text' },
      registry,
      numbers: { int64: 'string', decimal: 'string' }
    })
    return (value) => decode(recordOf(value))
  }
  const [registry, envelope, json] = [create('registry'), create('json-envelope'), create('json')]
  await registry(framed)
  return {
    registry: (value) => jsonOf(registry(value)),
    envelope: (value) => jsonOf(envelope(value)),
    json: (value) => jsonOf(json(value))
  }
}

interface Answered {
  readonly ok: boolean
  readonly json?: Uint8Array | undefined
}

type Answer = Answered | Promise<Answered>

function jsonOf(answer: Answer): Uint8Array {
  if (answer instanceof Promise || answer.json === undefined) throw new Error('A record was not decoded.')
  return answer.json
}

type CreateDecoder = (settings: Pick<SinkSettings, 'key' | 'value' | 'registry' | 'numbers'>) => {
  readonly decode: (record: SinkRecord) => Answer
}

// the package does not export it: a sink creates its own decoder
async function loadCreateDecoder(): Promise<CreateDecoder> {
  const file = new URL('decode/decoder.js', import.meta.resolve('@keystamp/connector'))
  const { createDecoder }: { createDecoder: CreateDecoder } = await import(file.href)
  return createDecoder
}
