import { CosmosClient, PartitionKeyKind } from '@azure/cosmos'
import { createWriter, type Operation, type Outcome, type WriterStats } from '@keystamp/cosmos'
import { type AppliedWrite, type Emulator, startEmulator } from '@keystamp/emulator'
import { createRandom } from '@keystamp/testkit'
import { doAll } from './actions.ts'
import type { Scenario } from './scenario.ts'

/** One operation, and what its caller received: one outcome, or the error that stopped the writer. */
export interface WriteEntry {
  /** Position in the order of all operations; the written document contains it. */
  readonly mark: number
  readonly operation: Operation
  readonly key: string
  readonly id: string
  readonly outcomes: (Outcome | Error)[]
}

export interface ScenarioResult {
  readonly entries: readonly WriteEntry[]
  readonly applied: readonly AppliedWrite[]
  /** Stored documents, by key and id. */
  readonly stored: ReadonlyMap<string, { readonly mark: number; readonly sum: number }>
  readonly stats: WriterStats
  /** Maximum of the pending bytes, and the size of the largest operation. */
  readonly peakBytes: number
  readonly largestBytes: number
}

const DATABASE = 'fault'
const CONTAINER = 'records'

/** Runs a scenario. The same seed gives the same operations and faults, except for differences in timing. */
export async function runScenario(scenario: Scenario, seed: number): Promise<ScenarioResult> {
  const { next: random } = createRandom(seed)
  const emulator = await startEmulator({ ranges: 2, ruPerSecond: 20_000, latencyMs: 1, ...scenario.emulator, random })
  const { endpoint, key } = emulator
  const client = new CosmosClient({ endpoint, key, connectionPolicy: { enableBackgroundEndpointRefreshing: false } })
  try {
    await client.databases.create({ id: DATABASE })
    await createContainer(client)
    return await writeThrough(scenario, emulator, client, random)
  } finally {
    client.dispose()
    await emulator.stop()
  }
}

async function createContainer(client: CosmosClient): Promise<void> {
  const partitionKey = { paths: ['/pk'], kind: PartitionKeyKind.Hash, version: 2 }
  await client.database(DATABASE).containers.create({ id: CONTAINER, partitionKey })
}

async function writeThrough(
  scenario: Scenario,
  emulator: Emulator,
  client: CosmosClient,
  random: () => number
): Promise<ScenarioResult> {
  const { endpoint, key } = emulator
  const writer = await createWriter({ endpoint, key, database: DATABASE, container: CONTAINER, ...scenario.writer })
  for (const fault of scenario.faults ?? []) emulator.faults.inject(fault)
  const calm =
    scenario.calmAfterMs === undefined ? undefined : setTimeout(() => emulator.faults.clear(), scenario.calmAfterMs)
  const world = {
    emulator,
    database: DATABASE,
    container: CONTAINER,
    deleteContainer: async () => void (await client.database(DATABASE).container(CONTAINER).delete()),
    createContainer: () => createContainer(client)
  }
  const entries: WriteEntry[] = []
  let peakBytes = 0
  const running: Promise<unknown>[] = []
  try {
    for (let mark = 1; mark <= (scenario.writes ?? 300); mark++) {
      for (const { after, do: actions } of scenario.events ?? [])
        if (mark === after) running.push(doAll(actions, world))
      const entry = nextOperation(mark, random, scenario.onlyUpserts === true)
      entries.push(entry)
      writer.write(entry.operation).then(
        (outcome) => entry.outcomes.push(outcome),
        (error: Error) => entry.outcomes.push(error)
      )
      peakBytes = Math.max(peakBytes, writer.stats().pendingBytes)
      if (!writer.hasRoom()) await writer.room()
      if (mark % 20 === 0) await new Promise((resolve) => setTimeout(resolve, 4))
    }
    await Promise.all(running)
    await writer.flush()
    const stats = writer.stats()
    await writer.close()
    // a second outcome, which would be a defect, would follow soon
    await new Promise((resolve) => setTimeout(resolve, 20))
    const isGone = scenario.expect?.stops === 'CONTAINER_MISSING'
    emulator.faults.clear()
    return {
      entries,
      applied: emulator.operations(),
      stored: isGone ? new Map() : await readStored(client),
      stats,
      peakBytes,
      largestBytes: LARGEST_BYTES
    }
  } finally {
    clearTimeout(calm)
    await writer.close(0)
  }
}

const DOCUMENTS = 40
// a small record and the memory of its operation
const LARGEST_BYTES = 2048
const KEYS = 8

function nextOperation(mark: number, random: () => number, onlyUpserts: boolean): WriteEntry {
  const name = Math.floor(random() * DOCUMENTS)
  const place = { id: `d${name}`, key: `k${name % KEYS}` }
  return { mark, ...place, operation: operationOn(place, mark, onlyUpserts ? 0 : random()), outcomes: [] }
}

function operationOn(
  { id, key }: { readonly id: string; readonly key: string },
  mark: number,
  choice: number
): Operation {
  const record = { id, pk: key, mark, sum: 0 }
  if (choice < 0.5) return { kind: 'upsert', record }
  if (choice < 0.65) return { kind: 'upsert', bytes: Buffer.from(JSON.stringify(record)) }
  if (choice < 0.75) return { kind: 'create', record, ignore: [409] }
  if (choice < 0.85) return { kind: 'replace', record, ignore: [404] }
  if (choice < 0.92) return { kind: 'delete', id, key, ignore: [404] }
  return { kind: 'patch', id, key, steps: [{ op: 'incr', path: '/sum', value: mark }], ignore: [404] }
}

async function readStored(client: CosmosClient): Promise<ScenarioResult['stored']> {
  const { resources } = await client
    .database(DATABASE)
    .container(CONTAINER)
    .items.query<{ id: string; pk: string; mark: number; sum: number }>('SELECT c.id, c.pk, c.mark, c.sum FROM c')
    .fetchAll()
  return new Map(resources.map(({ id, pk, mark, sum }) => [`${pk}/${id}`, { mark, sum }]))
}
