import { createWriter } from '@keystamp/cosmos'
import { type EmulatorProcess, startEmulatorProcess } from '@keystamp/emulator'
import { measureChild, type ReadCost } from './verify/measured-child.ts'

export const question =
  'How long does keystamp verify take for equal containers, compared with reading both feeds with the SDK?'

const DOCUMENTS = Number(process.env['KEYSTAMP_BENCH_DOCUMENTS'] ?? 1_000_000)
const ROUNDS = Number(process.env['KEYSTAMP_BENCH_ROUNDS'] ?? 3)
const QUIET_MS = 5000
const CONTAINERS = ['a', 'b']

/**
 * Both programs in turn, each in a process of its own, against the same emulator in a third one. They share the
 * processors with it, so its time counts for both.
 */
export async function run(report: (line: string) => void): Promise<void> {
  const emulator = await startEmulatorProcess({ ranges: 4, ruPerSecond: 1_000_000, auth: 'off', operationLog: 0 })
  try {
    await create(`${emulator.endpoint}dbs`, { id: 'd' })
    for (const id of CONTAINERS) await fill(emulator, id)
    // documents that change during a comparison are read twice
    await new Promise((resolve) => setTimeout(resolve, QUIET_MS))
    report(`  ${DOCUMENTS.toLocaleString('en')} documents of 200 bytes in each of two containers`)
    const ours: ReadCost[] = []
    const theirs: ReadCost[] = []
    for (let round = 0; round < ROUNDS; round++) {
      ours.push(await verify(emulator))
      theirs.push(await readWithSdk(emulator))
    }
    for (const [name, costs] of [
      ['keystamp verify', ours],
      ['both feeds with the SDK', theirs]
    ] as const)
      report(
        `  ${name.padEnd(26)} ${median(costs, 'seconds').toFixed(1)} s, ${median(costs, 'cpuSeconds').toFixed(1)} s of CPU, at most ${Math.max(...costs.map(({ maxMb }) => maxMb)).toFixed(0)} MB: ${costs[0].answer}`
      )
    const ratios = ours.map(({ seconds }, round) => seconds / theirs[round].seconds)
    report(`  verify takes ${ratios.map((ratio) => ratio.toFixed(2)).join(', ')} of the time of the SDK`)
  } finally {
    await emulator.stop()
  }
}

async function create(url: string, body: object): Promise<void> {
  const answer = await fetch(url, { method: 'POST', body: JSON.stringify(body) })
  if (!answer.ok) throw new Error(`The emulator answered ${answer.status}.`)
}

async function fill({ endpoint, key }: EmulatorProcess, container: string): Promise<void> {
  await create(`${endpoint}dbs/d/colls`, {
    id: container,
    partitionKey: { paths: ['/pk'], kind: 'Hash', version: 2 }
  })
  const writer = await createWriter({ endpoint, key, database: 'd', container })
  const filler = 'x'.repeat(120)
  for (let index = 0; index < DOCUMENTS; index++) {
    const record = { id: `document-${index}`, pk: `key-${index % 50_000}`, index, filler }
    writer.submit({ kind: 'upsert', record }, assertWritten)
    if (!writer.hasRoom()) await writer.room()
  }
  await writer.flush()
  await writer.close()
}

function assertWritten(outcome: unknown): void {
  if (outcome instanceof Error) throw outcome
}

/** The command, with a throughput that limits nothing. It is called once without a container, to load its modules. */
function verify({ endpoint }: EmulatorProcess): Promise<ReadCost> {
  return measureChild(
    `import { run } from 'keystamp'
     import { Readable, Writable } from 'node:stream'
     await import('@keystamp/move')
     let text = ''
     const sink = () => new Writable({ write(chunk, _, done) { text += chunk; done() } })
     const dependencies = { stdin: Readable.from([]), stdout: sink(), stderr: process.stderr, env: process.env,
       signal: new AbortController().signal, now: () => performance.now() }
     await run(['verify'], { ...dependencies, stderr: sink() })
     text = ''`,
    `const code = await run(process.argv.slice(2), dependencies)
     return 'exit code ' + code + ', ' + text.split('\\n')[0].slice(0, 40)`,
    ['verify', ...CONTAINERS.map((id) => `${endpoint}d/${id}`), '--max-ru', '1000000', '--quiet']
  )
}

/**
 * The change feed of both containers by the official client, in its fastest natural way: all feed ranges of both at the
 * same time, in pages of the largest size.
 */
function readWithSdk({ endpoint, key }: EmulatorProcess): Promise<ReadCost> {
  return measureChild(
    `import { ChangeFeedStartFrom, CosmosClient } from '@azure/cosmos'
     const client = new CosmosClient({ endpoint: ${JSON.stringify(endpoint)}, key: ${JSON.stringify(key)} })`,
    `let count = 0
     const readRange = async (container, range) => {
       const changeFeedStartFrom = ChangeFeedStartFrom.Beginning(range)
       const iterator = container.items.getChangeFeedIterator({ changeFeedStartFrom, maxItemCount: 1000 })
       for await (const page of iterator.getAsyncIterator()) {
         if (page.statusCode === 304) return
         count += page.result.length
       }
     }
     await Promise.all(${JSON.stringify(CONTAINERS)}.map(async (id) => {
       const container = client.database('d').container(id)
       await Promise.all((await container.getFeedRanges()).map((range) => readRange(container, range)))
     }))
     return count + ' documents'`,
    []
  )
}

function median(costs: readonly ReadCost[], name: 'seconds' | 'cpuSeconds'): number {
  return costs.map((cost) => cost[name]).toSorted((a, b) => a - b)[costs.length >> 1]
}
