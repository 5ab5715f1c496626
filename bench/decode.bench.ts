import { createPlan } from '@keystamp/core'
import { startRegistry } from '@keystamp/testkit'

import { createDecoders } from './decode/decoders.ts'
import { COUNT, recordsOf, type } from './decode/records.ts'
import { vehicleSchema } from './decode/telemetry-schema.ts'
import { type Contestant, lineOf, measure } from './measure.ts'

export const question = 'What does Avro with a schema registry cost, compared with JSON, and with decoding by avsc?'

/**
 * Vehicles of 1 KB, in JSON and Avro, as kafkajs delivers them: decoded only, and decoded and stamped, as in the sink.
 */
export async function run(report: (line: string) => void): Promise<void> {
  const registry = await startRegistry()
  try {
    const id = registry.register('vehicles-value', JSON.stringify(vehicleSchema))
    const { json, envelopes, frames } = recordsOf(id)
    const decode = await createDecoders(import.meta.resolve('@keystamp/connector'), registry.url, frames[0])
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

function size(values: readonly Buffer[]): string {
  return `${Math.round(values.reduce((sum, { length }) => sum + length, 0) / COUNT)} bytes`
}

function compare(report: (line: string) => void, contestants: readonly Contestant[]): void {
  for (const each of measure(contestants, { records: COUNT, repeats: 2, rounds: 40 })) report(lineOf(each))
}

function withAvsc(value: Buffer): Uint8Array {
  return Buffer.from(JSON.stringify(type.fromBuffer(value.subarray(5))))
}

const plan = createPlan({ into: '/partitionKey', from: [{ field: '/date' }], suffix: { by: '/VIN', count: 400 } })

function stamp(json: Uint8Array): void {
  const stamped = plan.stampBytes(json)
  if (!stamped.ok) throw new Error(stamped.message)
}
