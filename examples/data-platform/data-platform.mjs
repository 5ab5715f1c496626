// One plan for two writers and a reader: an ETL script loads past drives, a sink adds new ones from Kafka, and a reader
// finds both.
import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { CosmosClient, PartitionKeyDefinitionVersion } from '@azure/cosmos'
import { readConfig, runService } from '@keystamp/connector'
import { createReader } from '@keystamp/cosmos'
import { startEmulator } from '@keystamp/emulator'
import { connectKafka, startKafka } from '@keystamp/testkit'
import { loadHistory } from './etl.mjs'

const pathOf = (name) => fileURLToPath(new URL(name, import.meta.url))
const plan = JSON.parse(readFileSync(pathOf('plan.json'), 'utf8'))

const kafka = await startKafka({ say: (line) => console.error(line) })
if ('missing' in kafka) {
  console.error(kafka.missing)
  process.exit(1)
}
const emulator = await startEmulator({ ranges: 20, ruPerSecond: 100_000 })
const { endpoint, key } = emulator
const cosmos = new CosmosClient({ endpoint, key })
const { database } = await cosmos.databases.create({ id: 'fleet' })
await database.containers.create({
  id: 'drives',
  partitionKey: { paths: ['/partitionKey'], version: PartitionKeyDefinitionVersion.V2 }
})
const target = { endpoint, key, database: 'fleet', container: 'drives' }

console.log(`${await loadHistory(pathOf('history.ndjson'), plan, target)} drives loaded by the script`)

// Uses the sink as a library; `keystamp sink --config sink.yaml` runs the same sink as a command.
const topics = await connectKafka(kafka.brokers)
await topics.createTopic('example-platform', { partitions: 4 })
const settings = await readConfig(pathOf('sink.yaml'), {
  env: { KEYSTAMP_SINK_KAFKA_BROKERS: kafka.brokers, KEYSTAMP_SINK_COSMOS_ENDPOINT: endpoint },
  readFile: (path) => readFile(path, 'utf8')
})
const service = await runService(settings)
await service.started
const [sink] = service.sinks
const live = readFileSync(pathOf('live.ndjson'), 'utf8').trim().split('\n')
await topics.produce(
  'example-platform',
  live.map((value) => ({ key: JSON.parse(value).vin, value }))
)
while (sink.stats().written < live.length && sink.state === 'running')
  await new Promise((resolve) => setTimeout(resolve, 50))
console.log(`${sink.stats().written} drives stored by the sink`)
await service.stop()

const reader = createReader({ ...target, plan })

// Day, vehicle and start determine key and id, so one request is enough. The value in the file was 10.5 km; a record of
// the sink corrected it.
const [corrected] = await reader.read({ date: '2018-08-09', vin: 'WAUZZZ8K9BA012345', start: '07:15' })
console.log('%s under %s: %d km', corrected.id, corrected.partitionKey, corrected.km)

// Only the day is known: the reader sends one query to each of the 20 partitions. It finds documents of both writers.
const kilometres = new Map()
for await (const { start, km } of reader.readAll({ date: '2018-08-09' }, { orderBy: '/start' })) {
  kilometres.set(start, [...(kilometres.get(start) ?? []), km])
}
for (const [start, found] of kilometres) console.log(`${start}: ${found.toSorted((a, b) => a - b).join(', ')} km`)

reader.close()
cosmos.dispose()
await topics.close()
await emulator.stop()
await kafka.stop()
