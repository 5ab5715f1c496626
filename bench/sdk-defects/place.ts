import { type Container, CosmosClient, PartitionKeyKind } from '@azure/cosmos'
import { createWriter, type Writer } from '@keystamp/cosmos'
import { type Emulator, type EmulatorOptions, startEmulator } from '@keystamp/emulator'

/** One container, with both ways into it. */
export interface Place {
  readonly emulator: Emulator
  readonly container: Container
  readonly writer: Writer
}

export const DATABASE = 'bench'
export const CONTAINER = 'records'

/** Runs some work against a container of its own, keyed by `/pk`. */
export async function inPlace<T>(options: EmulatorOptions, work: (place: Place) => Promise<T>): Promise<T> {
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

/** Writes records by the client's own way. */
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

/** Writes records by ours, and waits for their outcomes. */
export async function byWriter(writer: Writer, records: readonly object[]): Promise<void> {
  for (const record of records) {
    void writer.write({ kind: 'upsert', record })
    if (!writer.hasRoom()) await writer.room()
  }
  await writer.flush()
}

/** Milliseconds that some work takes. */
export async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const before = performance.now()
  await work()
  return performance.now() - before
}

export function msText(ms: number): string {
  return `${ms < 100 ? ms.toFixed(1) : Math.round(ms).toLocaleString('en')} ms`
}
