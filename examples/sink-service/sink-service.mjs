// Starts a Kafka and a local Cosmos DB, produces a few records, runs `keystamp sink` as a service, and shows the
// documents.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { CosmosClient, PartitionKeyDefinitionVersion } from '@azure/cosmos'
import { startEmulator } from '@keystamp/emulator'
import { connectKafka, startKafka } from '@keystamp/testkit'

const pathOf = (name) => fileURLToPath(new URL(name, import.meta.url))
const KEYSTAMP = pathOf('../../packages/cli/bin/keystamp.mjs')

const kafka = await startKafka({ say: (line) => console.error(line) })
if ('missing' in kafka) {
  console.error(kafka.missing)
  process.exit(1)
}
const emulator = await startEmulator({ ranges: 4, ruPerSecond: 10_000 })
const cosmos = new CosmosClient({ endpoint: emulator.endpoint, key: emulator.key })
const { database } = await cosmos.databases.create({ id: 'fleet' })
const partitionKey = { paths: ['/partitionKey'], version: PartitionKeyDefinitionVersion.V2 }
const { container } = await database.containers.create({ id: 'drives', partitionKey })

const topics = await connectKafka(kafka.brokers)
await topics.createTopic('example-drives', { partitions: 3 })
await topics.createTopic('example-drives-rejected')
const drive = (vin, start, km) => {
  const key = { vin, date: '2018-08-09', start }
  // a drive without a length becomes a tombstone, which deletes its document
  return { key: JSON.stringify(key), value: km === undefined ? null : JSON.stringify({ ...key, km }) }
}
await topics.produce('example-drives', [
  drive('1FTFW1ET5DFC10312', '07:15', 17.5),
  drive('1FTFW1ET5DFC10312', '07:15', 17.7),
  drive('1FTFW1ET5DFC10312', '17:05', 31.9),
  drive('2C3CDXBG4CH155160', '07:15', 35.6),
  drive('2C3CDXBG4CH155160', '09:40', 3.3),
  drive('2C3CDXBG4CH155160', '09:40'),
  { key: '{"vin":"WAUZZZ8K9BA012345"}', value: 'this is no JSON' }
])
console.log('7 records produced')

// In production the configuration file has the addresses. Here environment variables override them, since the ports are
// known only now.
const sink = spawn(process.execPath, [...process.execArgv, KEYSTAMP, 'sink', '--config', pathOf('sink.yaml')], {
  env: {
    ...process.env,
    KEYSTAMP_SINK_KAFKA_BROKERS: kafka.brokers,
    KEYSTAMP_SINK_COSMOS_ENDPOINT: emulator.endpoint,
    KEYSTAMP_SINK_HTTP_PORT: '0'
  },
  // the log of the sink goes to standard error: standard output is for the results of this example
  stdio: ['ignore', process.stderr, 'pipe']
})
const ended = once(sink, 'exit')
const url = await addressOf(sink)

const isDone = (text) => outcomes(text).reduce((sum, [, count]) => sum + count, 0) === 7
let metrics = ''
while (!isDone(metrics)) {
  await new Promise((resolve) => setTimeout(resolve, 200))
  metrics = await (await fetch(`${url}/metrics`)).text()
}
for (const [outcome, count] of outcomes(metrics)) if (count > 0) console.log(`${count} ${outcome}`)

const { resources: drives } = await container.items.query('SELECT * FROM c').fetchAll()
const lines = drives.map(({ partitionKey: key, id, km, _kafka }) => `${key}, ${id}: ${km} km, from ${_kafka.topic}`)
console.log(lines.toSorted().join('\n'))

sink.kill('SIGTERM')
const [code] = await ended
console.log(`the sink was stopped, with exit code ${code}`)

cosmos.dispose()
await topics.close()
await emulator.stop()
await kafka.stop()

function outcomes(text) {
  return [...text.matchAll(/^keystamp_sink_records_settled_total\{.*outcome="(\w+)"\} (\d+)$/gm)].map(
    ([, outcome, count]) => [outcome, Number(count)]
  )
}

function addressOf(child) {
  return new Promise((resolve, reject) => {
    child.once('exit', (status) =>
      reject(new Error(`The sink ended with exit code ${status} before it served its pages.`))
    )
    createInterface({ input: child.stderr }).on('line', (line) => {
      console.error(line)
      const found = line.match(/(http:\/\/\S+)\/metrics/)
      if (found !== null) resolve(found[1])
    })
  })
}
