// Loads a file of drives into a local Cosmos DB under keys that spread them, and finds them again.
import { createReadStream, readFileSync } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { CosmosClient, PartitionKeyDefinitionVersion } from '@azure/cosmos'
import { createReader, createWriter } from '@keystamp/cosmos'
import { startEmulator } from '@keystamp/emulator'

const fileOf = (name) => new URL(name, import.meta.url)

// With an account of your own: its endpoint and key instead, and a container that you made.
const emulator = await startEmulator({ ranges: 20, ruPerSecond: 100_000 })
const { endpoint, key } = emulator
const client = new CosmosClient({ endpoint, key })
const { database } = await client.databases.create({ id: 'fleet' })
await database.containers.create({
  id: 'drives',
  partitionKey: { paths: ['/partitionKey'], version: PartitionKeyDefinitionVersion.V2 }
})

// The plan is all that who writes and who reads have to share.
const plan = JSON.parse(readFileSync(fileOf('plan.json'), 'utf8'))
const place = { endpoint, key, database: 'fleet', container: 'drives', plan }

const writer = await createWriter(place)
await pipeline(createReadStream(fileOf('drives.ndjson')), writer.writable())
await writer.close()
console.log(`${writer.stats().written} drives written`)

const reader = createReader(place)

// Day, vehicle and start are known, so key and id are: one request.
const [drive] = await reader.read({ date: '2018-08-09', vin: '1FTFW1ET5DFC10312', start: '07:15' })
console.log('%s under %s: %d km', drive.id, drive.partitionKey, drive.km)

// Only the day is known: 400 keys, one query to each physical partition for its share of them, the answers merged in
// order.
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
