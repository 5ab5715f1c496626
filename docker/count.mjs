// Waits until each container has this number of documents, and the dead-letter topic the invalid records. Ends with 1
// when they do not come.
//   node docker/count.mjs <documents> [seconds]
import { CosmosClient } from '@azure/cosmos'
import { connectKafka } from '@keystamp/testkit'
import { CONTAINERS, DATABASE, KEY, PLACES, POISON_EVERY } from './places.mjs'

const wanted = Number(process.argv[2])
const seconds = Number(process.argv[3] ?? 120)
const poison = Math.floor(wanted / POISON_EVERY)
const client = new CosmosClient({ endpoint: PLACES.cosmos, key: KEY })
const kafka = await connectKafka(PLACES.kafka)
const end = Date.now() + seconds * 1000

let found = await count()
while (!isEnough(found) && Date.now() < end) {
  await new Promise((resolve) => setTimeout(resolve, 1000))
  found = await count()
}
// waits for surplus documents
await new Promise((resolve) => setTimeout(resolve, 3000))
found = await count()

process.stdout.write(`${JSON.stringify(found)}\n`)
client.dispose()
await kafka.close()
if (!CONTAINERS.every((id) => found[id] === wanted) || found.rejected < poison) {
  process.stderr.write(`Expected ${wanted} documents in each container and ${poison} rejected records.\n`)
  process.exit(1)
}

function isEnough({ rejected, ...documents }) {
  return rejected >= poison && Object.values(documents).every((number) => number >= wanted)
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
