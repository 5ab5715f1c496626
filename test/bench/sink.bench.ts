import { randomUUID } from 'node:crypto'
import type { EmulatorProcess } from '@keystamp/emulator'
import { createTelemetry, startRegistry } from '@keystamp/lab'
import avro from 'avsc'
import { complete, vehicleSchema } from './decode/telemetry-schema.ts'
import { cpuSecondsOf } from './load/proc.ts'
import { startProgram, startSinkProcess, type Watched } from './sink/sink-process.ts'
import { whereItGoes } from './sink/where-it-goes.ts'
import { countWrites, produceAll, type SinkWorld, startSinkWorld, withEmulator } from './sink/world.ts'

export const question = 'What does a record cost between Kafka and Cosmos DB, and how many are there in a second?'

const RECORDS = Number(process.env['KEYSTAMP_BENCH_RECORDS'] ?? 300_000)
const ROUNDS = 3

/** A backlog of 1 KB records in 8 partitions; the sink on one processor, broker and emulator on the other. */
export async function run(report: (line: string) => void): Promise<void> {
  const world = await startSinkWorld(report)
  if (world === undefined) return
  const registry = await startRegistry()
  try {
    const json = `json-${randomUUID()}`
    const framed = `avro-${randomUUID()}`
    const { big } = createTelemetry(7)
    const frame = framer(registry.register('vehicles', JSON.stringify(vehicleSchema)))
    await produceAll(world.kafka, json, RECORDS, () => keyed(big(), (record) => Buffer.from(JSON.stringify(record))))
    await produceAll(world.kafka, framed, RECORDS, () => keyed(big(), frame))
    report(`  ${RECORDS.toLocaleString('en')} records, ${ROUNDS} rounds:`)
    for (let round = 0; round < ROUNDS; round++) {
      const config = { value: 'registry', registry: { url: registry.url } }
      report(
        `  ${'keystamp sink, JSON'.padEnd(40)} ${await measure(world, json, (place) => startSinkProcess(world, { topic: json, ...place }))}`
      )
      report(
        `  ${'the same, with the options of its image'.padEnd(40)} ${await measure(world, json, (place) => startSinkProcess(world, { topic: json, node: IMAGE_OPTIONS, ...place }))}`
      )
      report(
        `  ${'keystamp sink, Avro by a registry'.padEnd(40)} ${await measure(world, framed, (place) => startSinkProcess(world, { topic: framed, config, ...place }))}`
      )
      const byHand = new URL('./sink/by-hand.js', import.meta.url)
      report(
        `  ${'by hand, the bulk call'.padEnd(40)} ${await measure(world, json, ({ endpoint, key }) => startProgram(byHand, { brokers: world.brokers, topic: json, endpoint, key }), BY_HAND_RECORDS)}`
      )
    }
    const node = ['--cpu-prof', `--cpu-prof-dir=${world.folder}`]
    await measure(world, json, (place) => startSinkProcess(world, { topic: json, node, ...place }))
    report(`  where it goes: ${whereItGoes(world.folder)}`)
  } finally {
    await registry.stop()
    await world.stop()
  }
}

/** The Dockerfile says why. */
const IMAGE_OPTIONS = ['--max-semi-space-size=32']

/** It takes a second a call: fewer are enough to know its pace. */
const BY_HAND_RECORDS = Math.min(RECORDS, 60_000)

type Start = (place: Pick<EmulatorProcess, 'endpoint' | 'key'>) => Watched | Promise<Watched>

/** From the first write to the last: rate and CPU. From the start of the process to the first write: the start. */
function measure(_world: SinkWorld, _topic: string, start: Start, records: number = RECORDS): Promise<string> {
  return withEmulator(async ({ endpoint, key, pid }) => {
    const startedMs = performance.now()
    const sink = await start({ endpoint, key })
    const first = await until(endpoint, 1)
    const before = { ...first, cpu: cpuSecondsOf(sink.pid), emulator: cpuSecondsOf(pid) }
    const last = await until(endpoint, records)
    const done = last.writes - before.writes
    const seconds = (last.atMs - before.atMs) / 1000
    const cpuUs = ((cpuSecondsOf(sink.pid) - before.cpu) * 1e6) / done
    const emulatorUs = ((cpuSecondsOf(pid) - before.emulator) * 1e6) / done
    const peakMb = sink.peakMb()
    await sink.stop()
    return (
      `${Math.round(done / seconds)
        .toLocaleString('en')
        .padStart(7)} records/s, CPU ${cpuUs.toFixed(1)} us a record, at most ${Math.round(peakMb)} MB, ` +
      `first write after ${((first.atMs - startedMs) / 1000).toFixed(1)} s; the emulator takes ${emulatorUs.toFixed(1)} us`
    )
  })
}

async function until(endpoint: string, writes: number): Promise<{ readonly writes: number; readonly atMs: number }> {
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- asked again and again
    const now = await countWrites({ endpoint })
    if (now >= writes) return { writes: now, atMs: performance.now() }
    // oxlint-disable-next-line no-await-in-loop -- now and then
    await new Promise((resolve) => {
      setTimeout(resolve, 20)
    })
  }
}

type Vehicle = ReturnType<ReturnType<typeof createTelemetry>['big']>

function keyed(record: Vehicle, toValue: (record: Vehicle) => Buffer): { readonly key: string; readonly value: Buffer } {
  // one in a hundred comes with a key of its own, which is another story
  return { key: record.deviceId, value: toValue({ ...record, day: '2018-08-09', partitionKey: undefined }) }
}

function framer(id: number): (record: Vehicle) => Buffer {
  const type = avro.Type.forSchema(vehicleSchema as avro.Schema, { wrapUnions: false })
  const head = Buffer.from([0, 0, 0, 0, id])
  return (record) => Buffer.concat([head, type.toBuffer(complete(record))])
}
