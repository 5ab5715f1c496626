import { type Container, CosmosClient, PartitionKeyKind } from '@azure/cosmos'
import { createWriter, type Writer } from '@keystamp/cosmos'
import { type Emulator, type EmulatorOptions, startEmulator } from '@keystamp/emulator'

/** One container in an emulator, with the official client and with the writer. */
export interface BenchContainer {
  readonly emulator: Emulator
  readonly container: Container
  readonly writer: Writer
}

export const DATABASE = 'bench'
export const CONTAINER = 'records'

/** Calls `work` with a new container, keyed by `/pk`, in a new emulator. */
export async function withContainer<T>(
  options: EmulatorOptions,
  work: (target: BenchContainer) => Promise<T>
): Promise<T> {
  const emulator = await startEmulator({ ranges: 4, ruPerSecond: 1_000_000, operationLog: 0, ...options })
  const { endpoint, key } = emulator
  const client = new CosmosClient({ endpoint, key, connectionPolicy: { enableBackgroundEndpointRefreshing: false } })
  let writer: Writer | undefined
  try {
    const { database } = await client.databases.create({ id: DATABASE })
    const partitionKey = { paths: ['/pk'], kind: PartitionKeyKind.Hash, version: 2 }
    const { container } = await database.containers.create({ id: CONTAINER, partitionKey })
    writer = await createWriter({ endpoint, key, database: DATABASE, container: CONTAINER })
    return await work({ emulator, container, writer })
  } finally {
    await writer?.close(0)
    client.dispose()
    await emulator.stop()
  }
}

export interface PlainRecord {
  readonly id: string
  readonly pk: string
  readonly text: string
}

/** Small records, each under a key of its own. */
export function recordsOf(count: number): readonly PlainRecord[] {
  return Array.from({ length: count }, (_, index) => ({ id: `d${index}`, pk: `k${index}`, text: 'x'.repeat(300) }))
}

/** Writes records with `executeBulkOperations` of the official client. */
export async function byBulk(
  container: Container,
  records: readonly object[]
): Promise<readonly { readonly error?: { readonly code?: unknown } }[]> {
  const operations = records.map((record) => ({
    operationType: 'Upsert' as const,
    partitionKey: (record as PlainRecord).pk,
    resourceBody: record
  }))
  return container.items.executeBulkOperations(operations as never)
}

/** Writes records with the writer, and waits for their outcomes. */
export async function byWriter(writer: Writer, records: readonly object[]): Promise<void> {
  for (const record of records) {
    void writer.write({ kind: 'upsert', record })
    if (!writer.hasRoom()) await writer.room()
  }
  await writer.flush()
}

/** Resolves with the milliseconds that `work` takes. */
export async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const before = performance.now()
  await work()
  return performance.now() - before
}

export function msText(ms: number): string {
  return `${ms < 100 ? ms.toFixed(1) : Math.round(ms).toLocaleString('en')} ms`
}
