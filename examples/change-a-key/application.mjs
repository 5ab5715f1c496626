// An application that creates, changes and deletes drives, one request at a time, in the container that its settings
// name. It confirms new settings when its last request under the old ones has its answer.
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { CosmosClient } from '@azure/cosmos'
import { createPlan } from '@keystamp/core'

const [folder] = process.argv.slice(2)
const plan = createPlan(JSON.parse(readFileSync(new URL('plan.json', import.meta.url), 'utf8')))
const client = new CosmosClient({ endpoint: process.env.COSMOS_ENDPOINT, key: process.env.COSMOS_KEY })
const documents = new Map()
const ending = new AbortController()
let written = 0
process.on('SIGTERM', () => ending.abort())

while (!ending.signal.aborted) {
  const settings = JSON.parse(readFileSync(`${folder}/settings.json`, 'utf8'))
  confirm(settings)
  if (settings.mayWrite) await write(settings.container)
  else await new Promise((resolve) => setTimeout(resolve, 20))
}
confirm({ documents: documents.size })
client.dispose()

async function write(name) {
  const container = client.database('fleet').container(name)
  const id = `drive-${written % 100}`
  const known = documents.get(id)
  written++
  if (known !== undefined && written % 7 === 0) {
    await container.item(id, name === 'drives' ? known.date : known.partitionKey).delete()
    documents.delete(id)
    return
  }
  const drive = { id, date: '2018-08-09', deviceId: `device-${written % 50}`, km: written }
  const stamped = plan.stamp({ ...drive })
  if (!stamped.ok) throw new Error(stamped.message)
  await container.items.upsert(name === 'drives' ? drive : stamped.record)
  documents.set(id, stamped.record)
}

function confirm(state) {
  writeFileSync(`${folder}/application.json.new`, JSON.stringify({ ...state, written }))
  renameSync(`${folder}/application.json.new`, `${folder}/application.json`)
}
