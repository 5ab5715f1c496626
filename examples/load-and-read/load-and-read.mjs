// Loads a file of drives into a local Cosmos DB, under keys that spread them over 20 partitions, and reads some of
// them.
import { createReadStream, readFileSync } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { CosmosClient, PartitionKeyDefinitionVersion } from '@azure/cosmos'
import { createReader, createWriter } from '@keystamp/cosmos'
import { startEmulator } from '@keystamp/emulator'

const fileOf = (name) => new URL(name, import.meta.url)

// To use an account of your own, set its endpoint and key here, and create the container there.
const emulator = await startEmulator({ ranges: 20, ruPerSecond: 100_000 })
const { endpoint, key } = emulator
const client = new CosmosClient({ endpoint, key })
const { database } = await client.databases.create({ id: 'fleet' })
await database.containers.create({
  id: 'drives',
  partitionKey: { paths: ['/partitionKey'], version: PartitionKeyDefinitionVersion.V2 }
})

// The writer and the reader use the same plan.
const plan = JSON.parse(readFileSync(fileOf('plan.json'), 'utf8'))
const target = { endpoint, key, database: 'fleet', container: 'drives', plan }

const writer = await createWriter(target)
await pipeline(createReadStream(fileOf('drives.ndjson')), writer.writable())
await writer.close()
console.log(`${writer.stats().written} drives written`)

const reader = createReader(target)

// Day, vehicle and start determine key and id, so one request is enough.
const [drive] = await reader.read({ date: '2018-08-09', vin: '1FTFW1ET5DFC10312', start: '07:15' })
console.log('%s under %s: %d km', drive.id, drive.partitionKey, drive.km)

// The day alone leaves 400 possible keys: the reader sends one query to each physical partition, for its share of the
// keys, and merges the results in order.
const longest = []
for await (const { vin, km } of reader.readAll(
  { date: '2018-08-09' },
  { orderBy: { field: '/km', isDescending: true } }
)) {
  longest.push([vin, km].join(' '))
  if (longest.length === 3) break
}
console.log(`longest of the day: ${longest.join(', ')}`)

const { keys, requests } = await reader.explain({ date: '2018-08-09' })
console.log(`${keys} keys in ${requests} requests`)

reader.close()
client.dispose()
await emulator.stop()
