import { type Container, CosmosClient } from '@azure/cosmos'
import { createWriter, type Operation, type Writer } from '@keystamp/cosmos'
import { startEmulatorProcess } from '@keystamp/emulator'
import { createTelemetry } from '@keystamp/testkit'
import { CONTAINER, DATABASE, LATENCY_MS } from './writer/bench-container.ts'
import { median } from './writer/statistics.ts'

export const question = 'What does it cost to store a document only if it is newer than the stored one?'

const DOCUMENTS = 400
const WARM_UP = 400

const CASES = ['new', 'known', 'unknown'] as const
type Case = (typeof CASES)[number]

interface Cost {
  readonly ru: number
  readonly ms: number
}

/** Compares upserts with writes of only the newest: of new documents, of those that the writer has written before, and of others. */
export async function run(report: (line: string) => void): Promise<void> {
  for (const consistency of ['Session', 'Strong'] as const)
    for (const kilobytes of [1, 16]) {
      report(`  ${kilobytes} KB, ${consistency} consistency, ${LATENCY_MS} ms latency; the position is not indexed:`)
      const [plain, newest] = [
        await measure(consistency, kilobytes, false),
        await measure(consistency, kilobytes, true)
      ]
      for (const name of CASES) report(line(name, plain[name], newest[name]))
    }
}

function line(name: Case, plain: Cost, newest: Cost): string {
  const [ru, ms] = [newest.ru / plain.ru, newest.ms / plain.ms]
  return `    ${`${name} documents`.padEnd(20)} ${plain.ru.toFixed(2)} and ${newest.ru.toFixed(2)} RU (${ru.toFixed(2)}x); half of them within ${plain.ms.toFixed(1)} and ${newest.ms.toFixed(1)} ms (${ms.toFixed(2)}x)`
}

/** Costs of a document in each case. */
async function measure(
  consistency: 'Session' | 'Strong',
  kilobytes: number,
  isNewest: boolean
): Promise<Readonly<Record<Case, Cost>>> {
  const emulator = await startEmulatorProcess({
    ranges: 4,
    operationLog: 0,
    ruPerSecond: 40_000,
    throttle: false,
    latencyMs: LATENCY_MS,
    consistency
  })
  const { endpoint, key } = emulator
  const client = new CosmosClient({ endpoint, key, connectionPolicy: { enableBackgroundEndpointRefreshing: false } })
  const writers: Writer[] = []
  const open = async (): Promise<Writer> => {
    const writer = await createWriter({
      endpoint,
      key,
      database: DATABASE,
      container: CONTAINER,
      share: 10_000_000,
      ...(isNewest ? { newest: { markerTtl: 3600 } } : {})
    })
    writers.push(writer)
    return writer
  }
  try {
    await createContainer(client)
    const documents = makeDocuments(kilobytes)
    const write = async (writer: Writer, value: number): Promise<Cost> => {
      const times: number[] = []
      const before = chargedBy(writer)
      for (const document of documents) times.push(await timeOf(writer, operationOf(document, value, isNewest)))
      return { ru: (chargedBy(writer) - before) / documents.length, ms: median(times) }
    }
    const first = await open()
    await warmUp(first, isNewest, kilobytes)
    const costs = { new: await write(first, 1), known: await write(first, 2) }
    // another process, which has written other documents that exist
    const second = await open()
    await warmUp(second, isNewest, kilobytes)
    return { ...costs, unknown: await write(second, 3) }
  } finally {
    await Promise.all(writers.map((writer) => writer.close(0)))
    client.dispose()
    await emulator.stop()
  }
}

async function createContainer(client: CosmosClient): Promise<Container> {
  const { database } = await client.databases.create({ id: DATABASE })
  const { container } = await database.containers.create({
    id: CONTAINER,
    partitionKey: { paths: ['/deviceId'] },
    defaultTtl: -1,
    indexingPolicy: { includedPaths: [{ path: '/*' }], excludedPaths: [{ path: '/_keystampPosition/*' }] }
  })
  return container
}

type Document = Readonly<Record<string, unknown>>

function makeDocuments(kilobytes: number): readonly Document[] {
  const { big } = createTelemetry(1)
  const more = 'x'.repeat((kilobytes - 1) * 1024)
  return Array.from({ length: DOCUMENTS }, () => ({ ...big(), ...(more === '' ? {} : { more }) }))
}

async function warmUp(writer: Writer, isNewest: boolean, kilobytes: number): Promise<void> {
  const { big } = createTelemetry(2)
  const more = 'x'.repeat((kilobytes - 1) * 1024)
  const value = performance.timeOrigin + performance.now()
  for (let count = 0; count < WARM_UP; count++)
    await writer.write(operationOf({ ...big(), more }, Math.round(value), isNewest))
}

function operationOf(record: Document, value: number, isNewest: boolean): Operation {
  const place = { topic: 'c0ffee00112233445566778899aabbcc', partition: 3, offset: 1_000_000 + value }
  return isNewest ? { kind: 'upsert', record, position: { value, place } } : { kind: 'upsert', record }
}

async function timeOf(writer: Writer, operation: Operation): Promise<number> {
  const start = performance.now()
  const outcome = await writer.write(operation)
  if (outcome.kind !== 'written') throw new Error(`The writer answered ${outcome.kind}.`)
  return performance.now() - start
}

function chargedBy(writer: Writer): number {
  const { ranges, retiredRanges } = writer.stats()
  return [...ranges, ...retiredRanges].reduce((sum, { chargedRu }) => sum + chargedRu, 0)
}
