import {
  BulkOperationType,
  CosmosClient,
  type OperationInput,
  PartitionKeyDefinitionVersion,
  PartitionKeyKind
} from '@azure/cosmos'
import { createPlan, type PlanDefinition } from '@keystamp/core'
import { type Emulator, type EmulatorOptions, startEmulator } from '@keystamp/emulator'
import { afterEach } from 'vitest'
import { createReader, type Reader } from '../../src/reader/reader.ts'
import type { PageRead } from '../../src/reader/range-pages.ts'
import type { ReaderOptions } from '../../src/reader/reader-options.ts'

/** A container with documents, a reader, and the pages that the reader has read. */
export interface StartedContainer {
  readonly emulator: Emulator
  readonly reader: Reader
  readonly pages: PageRead[]
  readonly client: CosmosClient
  readonly stop: () => Promise<void>
}

export interface StartContainerOptions {
  /** Writes each document under its key. Default: documents have their keys at the paths of the container. */
  readonly writtenBy?: PlanDefinition
  /** Plan of the reader. Default: the plan of the writer. */
  readonly plan?: PlanDefinition
  readonly paths?: readonly string[]
  readonly version?: PartitionKeyDefinitionVersion
  readonly documents: readonly object[]
  readonly emulator?: EmulatorOptions
  readonly reader?: Partial<ReaderOptions>
}

/** Starts containers for the tests of one file. Each container ends with its test. */
export function useContainers(): (options: StartContainerOptions) => Promise<StartedContainer> {
  const started: StartedContainer[] = []
  afterEach(async () => {
    await Promise.all(started.splice(0).map(({ stop }) => stop()))
  })
  return async (options) => {
    const container = await startContainer(options)
    started.push(container)
    return container
  }
}

async function startContainer(options: StartContainerOptions): Promise<StartedContainer> {
  const {
    writtenBy,
    plan = writtenBy,
    paths = ['/partitionKey'],
    documents,
    version = PartitionKeyDefinitionVersion.V2
  } = options
  const emulator = await startEmulator({ ranges: 20, ruPerSecond: 1_000_000, ...options.emulator })
  const { endpoint, key } = emulator
  const client = new CosmosClient({ endpoint, key, connectionPolicy: { enableBackgroundEndpointRefreshing: false } })
  await client.databases.create({ id: 'd' })
  const kind = paths.length > 1 ? PartitionKeyKind.MultiHash : PartitionKeyKind.Hash
  await client.database('d').containers.create({ id: 'c', partitionKey: { paths: [...paths], kind, version } })
  await writeAll(client, documents, writtenBy)
  const pages: PageRead[] = []
  const reader = createReader({
    endpoint,
    key,
    database: 'd',
    container: 'c',
    ...(plan === undefined ? {} : { plan }),
    onPage: (page) => pages.push(page),
    ...options.reader
  })
  const stop = async (): Promise<void> => {
    reader.close()
    client.dispose()
    await emulator.stop()
  }
  return { emulator, reader, pages, client, stop }
}

/** Writes documents under the keys of a plan. */
async function writeAll(
  client: CosmosClient,
  documents: readonly object[],
  writtenBy: PlanDefinition | undefined
): Promise<void> {
  const plan = writtenBy === undefined ? undefined : createPlan(writtenBy, { random: Math.random })
  const container = client.database('d').container('c')
  const copies = documents.map((document) => structuredClone(document))
  for (const copy of copies) {
    const stamped = plan?.stamp(copy)
    if (stamped !== undefined && !stamped.ok) throw new Error(stamped.message)
  }
  const operations = copies.map(
    (resourceBody) => ({ operationType: BulkOperationType.Upsert, resourceBody }) as OperationInput
  )
  for (let begin = 0; begin < operations.length; begin += 100) {
    const answers = await container.items.bulk(operations.slice(begin, begin + 100))
    const failed = answers.find(({ statusCode }) => statusCode >= 300)
    if (failed !== undefined) throw new Error(`A document was not written: ${failed.statusCode}.`)
  }
}

export async function collect<T>(documents: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const document of documents) all.push(document)
  return all
}
