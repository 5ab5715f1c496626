import { randomUUID } from 'node:crypto'
import { createTelemetry, startRegistry } from '@keystamp/testkit'
import avro from 'avsc'
import { complete, vehicleSchema } from './decode/telemetry-schema.ts'
import { envelopeOf } from './sink/change-envelope.ts'
import { type MeasuredWay, measureSink, RECORDS, textOf } from './sink/measured-sink.ts'
import { startProgram, startSinkProcess, type Watched } from './sink/sink-process.ts'
import { timeByStage } from './sink/time-by-stage.ts'
import { measureYardstick } from './yardstick.ts'
import { produceAll, type SinkWorld, startSinkWorld } from './sink/world.ts'

export const question =
  'What does a record cost between Kafka and Cosmos DB, and how many records does the sink write in a second?'

const ROUNDS = 3

/**
 * Writes a backlog of 1 KB records in 8 partitions; the sink has one processor, broker and emulator share the other.
 */
export async function run(report: (line: string) => void): Promise<void> {
  const world = await startSinkWorld(report)
  if (world === undefined) return
  const registry = await startRegistry()
  try {
    const json = `json-${randomUUID()}`
    const framed = `avro-${randomUUID()}`
    const changed = `changes-${randomUUID()}`
    const { big } = createTelemetry(7)
    const frame = framer(registry.register('vehicles', JSON.stringify(vehicleSchema)))
    await produceAll(world.kafka, json, RECORDS, () => keyed(big(), (record) => Buffer.from(JSON.stringify(record))))
    await produceAll(world.kafka, framed, RECORDS, () => keyed(big(), frame))
    await produceAll(world.kafka, changed, RECORDS, () => keyed(big(), created))
    report(
      `  ${RECORDS.toLocaleString('en')} records, ${ROUNDS} rounds; CPU a record for all records (in parentheses: for the second half):`
    )
    const avroOfRegistry = { value: 'registry', registry: { url: registry.url } }
    const ways: readonly NamedWay[] = [
      { name: 'keystamp sink, JSON', start: (account) => startSinkProcess(world, { topic: json, ...account }) },
      {
        name: '... semi-spaces of 16 MB',
        start: (account) => startSinkProcess(world, { topic: json, node: young(16), ...account })
      },
      {
        name: '... semi-spaces of 1 MB',
        start: (account) => startSinkProcess(world, { topic: json, node: young(1), ...account })
      },
      {
        name: 'keystamp sink, Avro with a registry',
        start: (account) => startSinkProcess(world, { topic: framed, config: avroOfRegistry, ...account })
      },
      {
        name: 'keystamp sink, change data in JSON',
        start: (account) => startSinkProcess(world, { topic: changed, config: { value: 'debezium' }, ...account })
      },
      {
        name: 'by hand, executeBulkOperations',
        start: (account) => startByHand(world, json, account),
        records: BY_HAND_RECORDS
      }
    ]
    for (let round = 0; round < ROUNDS; round++) {
      for (const way of ways) report(`  ${way.name.padEnd(36)} ${textOf(await measureSink(way))}`)
      report(`  ${'JSON.parse, spread, JSON.stringify'.padEnd(36)} ${measureYardstick().toFixed(1)} us a record`)
    }
    const node = ['--cpu-prof', `--cpu-prof-dir=${world.folder}`]
    await measureSink({
      start: (account) => startSinkProcess(world, { topic: json, node, ...account })
    })
    report(`  CPU time by stage: ${timeByStage(world.folder)}`)
  } finally {
    await registry.stop()
    await world.stop()
  }
}

interface NamedWay extends MeasuredWay {
  readonly name: string
}

/**
 * Option for the size of a semi-space: Node uses 16 MB on a large machine, and 1 MB in a container with little memory.
 */
function young(mb: number): readonly string[] {
  return [`--max-semi-space-size=${mb}`]
}

function startByHand(
  { brokers }: SinkWorld,
  topic: string,
  { endpoint, key }: Parameters<MeasuredWay['start']>[0]
): Watched {
  return startProgram(new URL('./sink/by-hand.js', import.meta.url), { brokers, topic, endpoint, key })
}

/** The hand-written sink takes a second for each call: fewer records are enough to measure its rate. */
const BY_HAND_RECORDS = Math.min(RECORDS, 60_000)

type Vehicle = ReturnType<ReturnType<typeof createTelemetry>['big']>

function keyed(
  record: Vehicle,
  toValue: (record: Vehicle) => Buffer
): { readonly key: string; readonly value: Buffer } {
  // one record in a hundred has a partition key already, which is removed
  return { key: record.deviceId, value: toValue({ ...record, day: '2018-08-09', partitionKey: undefined }) }
}

function created(record: Vehicle): Buffer {
  return Buffer.from(envelopeOf('c', 'null', JSON.stringify(record)))
}

function framer(id: number): (record: Vehicle) => Buffer {
  const type = avro.Type.forSchema(vehicleSchema as avro.Schema, { wrapUnions: false })
  const head = Buffer.from([0, 0, 0, 0, id])
  return (record) => Buffer.concat([head, type.toBuffer(complete(record))])
}
