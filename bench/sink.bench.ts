import { randomUUID } from 'node:crypto'
import type { EmulatorProcess } from '@keystamp/emulator'
import { createTelemetry, startRegistry } from '@keystamp/testkit'
import avro from 'avsc'
import { complete, vehicleSchema } from './decode/telemetry-schema.ts'
import { cpuSecondsOf } from './load/proc.ts'
import { startProgram, startSinkProcess, type Watched } from './sink/sink-process.ts'
import { whereItGoes } from './sink/where-it-goes.ts'
import { measureYardstick } from './yardstick.ts'
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
    report(
      `  ${RECORDS.toLocaleString('en')} records, ${ROUNDS} rounds; CPU a record of all, and of the second half alone:`
    )
    const avroOfRegistry = { value: 'registry', registry: { url: registry.url } }
    const ways: readonly Way[] = [
      { name: 'keystamp sink, JSON', start: (place) => startSinkProcess(world, { topic: json, ...place }) },
      {
        name: '... young objects in 16 MB',
        start: (place) => startSinkProcess(world, { topic: json, node: young(16), ...place })
      },
      {
        name: '... young objects in 1 MB',
        start: (place) => startSinkProcess(world, { topic: json, node: young(1), ...place })
      },
      {
        name: 'keystamp sink, Avro by a registry',
        start: (place) => startSinkProcess(world, { topic: framed, config: avroOfRegistry, ...place })
      },
      { name: 'by hand, the bulk call', start: (place) => startByHand(world, json, place), records: BY_HAND_RECORDS }
    ]
    for (let round = 0; round < ROUNDS; round++) {
      for (const way of ways) report(`  ${way.name.padEnd(36)} ${await measure(way)}`)
      report(`  ${'JSON.parse, spread, JSON.stringify'.padEnd(36)} ${measureYardstick().toFixed(1)} us a record`)
    }
    const node = ['--cpu-prof', `--cpu-prof-dir=${world.folder}`]
    await measure({ name: 'profiled', start: (place) => startSinkProcess(world, { topic: json, node, ...place }) })
    report(`  where it goes: ${whereItGoes(world.folder)}`)
  } finally {
    await registry.stop()
    await world.stop()
  }
}

interface Way {
  readonly name: string
  readonly start: (place: Pick<EmulatorProcess, 'endpoint' | 'key'>) => Watched | Promise<Watched>
  readonly records?: number
}

/** Size of the young generation in Node on a large machine, and in a container with little memory. */
function young(mb: number): readonly string[] {
  return [`--max-semi-space-size=${mb}`]
}

function startByHand({ brokers }: SinkWorld, topic: string, { endpoint, key }: Parameters<Way['start']>[0]): Watched {
  return startProgram(new URL('./sink/by-hand.js', import.meta.url), { brokers, topic, endpoint, key })
}

/** It takes a second a call: fewer are enough to know its pace. */
const BY_HAND_RECORDS = Math.min(RECORDS, 60_000)

/** From the first write to the last: rate and CPU. From the start of the process to the first write: the start. */
function measure({ start, records = RECORDS }: Way): Promise<string> {
  return withEmulator(async ({ endpoint, key, pid }) => {
    const startedMs = performance.now()
    const sink = await start({ endpoint, key })
    const look = async (writes: number): Promise<Look> => {
      const reached = await until(endpoint, writes)
      return { ...reached, cpu: cpuSecondsOf(sink.pid), emulator: cpuSecondsOf(pid) }
    }
    const first = await look(1)
    const half = await look(records / 2)
    const last = await look(records)
    const peakMb = sink.peakMb()
    await sink.stop()
    const perSecond = Math.round((last.writes - first.writes) / ((last.atMs - first.atMs) / 1000))
    return (
      `${perSecond.toLocaleString('en').padStart(7)} records/s, CPU ${microsOf('cpu', first, last)} us a record (${microsOf('cpu', half, last)}), at most ${Math.round(peakMb)} MB, ` +
      `first write after ${((first.atMs - startedMs) / 1000).toFixed(1)} s; the emulator takes ${microsOf('emulator', first, last)} us`
    )
  })
}

/** How far it was at a moment, and what it had cost. */
interface Look {
  readonly writes: number
  readonly atMs: number
  readonly cpu: number
  readonly emulator: number
}

function microsOf(what: 'cpu' | 'emulator', from: Look, to: Look): string {
  return (((to[what] - from[what]) * 1e6) / (to.writes - from.writes)).toFixed(1)
}

async function until(endpoint: string, writes: number): Promise<{ readonly writes: number; readonly atMs: number }> {
  for (;;) {
    const now = await countWrites({ endpoint })
    if (now >= writes) return { writes: now, atMs: performance.now() }
    await new Promise((resolve) => {
      setTimeout(resolve, 20)
    })
  }
}

type Vehicle = ReturnType<ReturnType<typeof createTelemetry>['big']>

function keyed(
  record: Vehicle,
  toValue: (record: Vehicle) => Buffer
): { readonly key: string; readonly value: Buffer } {
  // one in a hundred comes with a key of its own, which is another story
  return { key: record.deviceId, value: toValue({ ...record, day: '2018-08-09', partitionKey: undefined }) }
}

function framer(id: number): (record: Vehicle) => Buffer {
  const type = avro.Type.forSchema(vehicleSchema as avro.Schema, { wrapUnions: false })
  const head = Buffer.from([0, 0, 0, 0, id])
  return (record) => Buffer.concat([head, type.toBuffer(complete(record))])
}
