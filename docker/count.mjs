// Waits until each container has this number of documents, and until the dead-letter topic has the invalid records. Ends
// with exit code 1 if that takes longer than `seconds`.
//   node docker/count.mjs <documents> [seconds]
import { CosmosClient } from '@azure/cosmos'
import { connectKafka } from '@keystamp/testkit'
import { CONTAINERS, DATABASE, KEY, ADDRESSES, INVALID_EVERY } from './services.mjs'

const wanted = Number(process.argv[2])
const seconds = Number(process.argv[3] ?? 120)
const invalid = Math.floor(wanted / INVALID_EVERY)
const client = new CosmosClient({ endpoint: ADDRESSES.cosmos, key: KEY })
const kafka = await connectKafka(ADDRESSES.kafka)
const end = Date.now() + seconds * 1000

let found = await count()
while (!isEnough(found) && Date.now() < end) {
  await new Promise((resolve) => setTimeout(resolve, 1000))
  found = await count()
}
// gives surplus documents the time to arrive
await new Promise((resolve) => setTimeout(resolve, 3000))
found = await count()

process.stdout.write(`${JSON.stringify(found)}\n`)
client.dispose()
await kafka.close()
if (!CONTAINERS.every((id) => found[id] === wanted) || found.rejected < invalid) {
  process.stderr.write(`Expected ${wanted} documents in each container and ${invalid} rejected records.\n`)
  process.exit(1)
}

function isEnough({ rejected, ...documents }) {
  return rejected >= invalid && Object.values(documents).every((number) => number >= wanted)
}

async function count() {
  const documents = await Promise.all(
    CONTAINERS.map(async (id) => {
      const { resources } = await client
        .database(DATABASE)
        .container(id)
        .items.query('SELECT VALUE COUNT(1) FROM c')
        .fetchAll()
      return [id, resources[0]]
    })
  )
  const ends = await kafka.ends('rejected')
  return { ...Object.fromEntries(documents), rejected: [...ends.values()].reduce((sum, each) => sum + Number(each), 0) }
}
