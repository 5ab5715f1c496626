// Moves the container of an application from the key /date to a synthetic key, while the application writes.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  ChangeFeedPolicy,
  ChangeFeedRetentionTimeSpan,
  CosmosClient,
  PartitionKeyDefinitionVersion
} from '@azure/cosmos'
import { startEmulator } from '@keystamp/emulator'

const pathOf = (name) => fileURLToPath(new URL(name, import.meta.url))
const KEYSTAMP = pathOf('../../packages/cli/bin/keystamp.mjs')
const folder = mkdtempSync(join(tmpdir(), 'keystamp-change-a-key-'))
const journal = join(folder, 'journal')

const emulator = await startEmulator({ ranges: 2, ruPerSecond: 20_000 })
const env = { ...process.env, COSMOS_ENDPOINT: emulator.endpoint, COSMOS_KEY: emulator.key }
const client = new CosmosClient({ endpoint: emulator.endpoint, key: emulator.key })
const { database } = await client.databases.create({ id: 'fleet' })
for (const [id, path] of [
  ['drives', '/date'],
  ['drives-2', '/partitionKey']
])
  await database.containers.create({
    id,
    partitionKey: { paths: [path], version: PartitionKeyDefinitionVersion.V2 },
    // deletes are then seen at once, and not only when the containers are compared
    changeFeedPolicy: new ChangeFeedPolicy(ChangeFeedRetentionTimeSpan.fromMinutes(60))
  })

// the application writes to the old container
writeFileSync(`${folder}/settings.json`, JSON.stringify({ container: 'drives', mayWrite: true }))
writeFileSync(`${folder}/application.json`, JSON.stringify({ written: 0 }))
const application = start(pathOf('application.mjs'), [folder])
await until(() => stateOf().written > 200)
console.log(`${await keysIn('drives', 'date')} key in the old container`)

// the move follows the application
const hook = `"${process.execPath}" "${pathOf('hook.mjs')}" "${folder}"`
const from = `${emulator.endpoint}fleet/drives`
const to = `${emulator.endpoint}fleet/drives-2`
const plan = pathOf('plan.json')
const move = start(KEYSTAMP, [
  ...['rekey', '--from', from, '--to', to, '--plan', plan, '--journal', journal, '--share-from', '100%', '--yes'],
  ...['--before', hook, '--after', hook, '--canceled', hook]
])
await until(isReady)
console.log('all conditions of the switch are met')

await keystamp('rekey', 'switch', '--journal', journal)
console.log(`the application writes to ${stateOf().container}`)
await writes(150)

// without changes, a comparison holds for all documents
application.child.kill('SIGTERM')
await application.ended
await keystamp('rekey', 'compare', '--journal', journal)
await keystamp('rekey', 'finish', '--journal', journal)
console.log(`the move has ended with exit code ${await move.ended}`)

const report = JSON.parse(await keystamp('verify', from, to, '--plan', plan, '--json'))
const { documents } = stateOf()
console.log(`both containers are equal: ${report.equal}`)
console.log(
  `each has all documents of the application: ${report.compared.a === documents && report.compared.b === documents}`
)
console.log(`${await keysIn('drives-2', 'partitionKey')} keys in the new container`)

client.dispose()
await emulator.stop()
rmSync(folder, { recursive: true })

function stateOf() {
  return JSON.parse(readFileSync(`${folder}/application.json`, 'utf8'))
}

async function writes(count) {
  const { written } = stateOf()
  await until(() => stateOf().written > written + count)
}

/** Whether the move would switch now, as `keystamp rekey status --json` tells. */
function isReady() {
  try {
    const { phase, gates } = JSON.parse(readFileSync(join(journal, 'status.json'), 'utf8'))
    return phase === 'follow' && gates.every(({ isMet }) => isMet)
  } catch {
    return false
  }
}

async function keysIn(container, member) {
  const query = `SELECT DISTINCT VALUE c.${member} FROM c`
  const { resources } = await database.container(container).items.query(query).fetchAll()
  return resources.length
}

/** Runs a command, and returns its standard output. */
async function keystamp(...args) {
  const { output, ended } = start(KEYSTAMP, args)
  const code = await ended
  if (code !== 0) throw new Error(`keystamp ${args[0]} ${args[1]} ended with exit code ${code}: ${output()}`)
  return output()
}

function start(program, args) {
  const child = spawn(process.execPath, [program, ...args], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  let text = ''
  child.stdout.on('data', (chunk) => (text += chunk))
  return { child, output: () => text, ended: once(child, 'close').then(([code]) => code) }
}

async function until(isTrue) {
  while (!isTrue()) await new Promise((resolve) => setTimeout(resolve, 50))
}
