// Produces the telemetry of vehicles: drives as JSON, readings as Avro with a schema id of the registry.
import avro from 'avsc'
import { connectKafka, createTelemetry } from '@keystamp/testkit'
import { withRetries, ADDRESSES, INVALID_EVERY } from './services.mjs'

const TICK_MS = 100
const MAX_AT_ONCE = 5000
const { KEYSTAMP_COMPOSE_RATE: rate = '200', KEYSTAMP_COMPOSE_RECORDS: records = '0' } = process.env
const limit = Number(records) === 0 ? Infinity : Number(records)

const SCHEMA = {
  type: 'record',
  name: 'Reading',
  namespace: 'fleet',
  fields: [
    { name: 'deviceId', type: 'string' },
    { name: 'VIN', type: 'string' },
    { name: 't', type: 'long' },
    { name: 'v', type: 'double' },
    { name: 'u', type: 'string' },
    { name: 'ok', type: 'boolean' },
    { name: 'pos', type: { type: 'array', items: 'double' } }
  ]
}

const reading = avro.Type.forSchema(SCHEMA)
const frame = Buffer.alloc(5)
frame.writeUInt32BE(await withRetries('Registering the schema', register), 1)

const kafka = await withRetries('Connecting to Kafka', () => connectKafka(ADDRESSES.kafka))
const telemetry = createTelemetry(1)
const isEnding = new Promise((resolve) => {
  process.once('SIGTERM', resolve)
  process.once('SIGINT', resolve)
}).then(() => true)

const start = performance.now()
let produced = 0
while (produced < limit && !(await hasEnded(TICK_MS))) {
  // computed from the clock, since sending takes time, too
  const due = Math.floor(((performance.now() - start) * Number(rate)) / 1000) - produced
  const count = Math.min(due, MAX_AT_ONCE, limit - produced)
  if (count <= 0) continue
  await Promise.all([kafka.produce('drives', drives(count)), kafka.produce('readings', readings(count))])
  produced += count
}
process.stdout.write(`${produced} records of each topic produced\n`)
// stays alive, since `docker compose up --wait` treats a service that has ended as failed
const alive = setInterval(() => {}, 60_000)
await isEnding
clearInterval(alive)
await kafka.close()

function hasEnded(afterMs) {
  return Promise.race([isEnding, new Promise((resolve) => setTimeout(resolve, afterMs, false))])
}

function drives(count) {
  const made = Array.from({ length: count }, () => telemetry.big()).map((drive) => ({
    key: drive.VIN,
    value: JSON.stringify(drive)
  }))
  const invalid = Math.floor((produced + count) / INVALID_EVERY) - Math.floor(produced / INVALID_EVERY)
  return [...made, ...Array.from({ length: invalid }, () => ({ key: 'invalid', value: '{"day":' }))]
}

function readings(count) {
  return Array.from({ length: count }, () => {
    const made = telemetry.small()
    return { key: made.deviceId, value: Buffer.concat([frame, reading.toBuffer(made)]) }
  })
}

async function register() {
  const answer = await fetch(new URL('/subjects/readings-value/versions', ADDRESSES.registry), {
    method: 'POST',
    headers: { 'content-type': 'application/vnd.schemaregistry.v1+json' },
    body: JSON.stringify({ schema: JSON.stringify(SCHEMA) })
  })
  if (!answer.ok) throw new Error(`the registry answered ${answer.status}`)
  return (await answer.json()).id
}
