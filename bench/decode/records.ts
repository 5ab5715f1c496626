import avro from 'avsc'
import { createTelemetry } from '@keystamp/testkit'
import { complete, vehicleSchema } from './telemetry-schema.ts'

/** Number of vehicles. */
export const COUNT = 1000
const BLOCK = 64

/** The Avro type of the vehicles. */
export const type = avro.Type.forSchema(vehicleSchema as avro.schema.RecordType)

/** The same vehicles as JSON, as JSON with a schema, and as frames of Avro with this schema id. */
export function recordsOf(id: number): Readonly<Record<'json' | 'envelopes' | 'frames', readonly Buffer[]>> {
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
