import { type Container, CosmosClient, PartitionKeyKind } from '@azure/cosmos'
import { createWriter, type Outcome, type Writer, type WriterOptions } from '@keystamp/cosmos'
import { type Emulator, startEmulator } from '@keystamp/emulator'
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'

/** Where the tests of one file write: an emulator for all, a container for each. */
export interface Place {
  emulator: Emulator
  client: CosmosClient
  container: Container
  readonly createContainer: (more: object) => Promise<Container>
  /** Opens a writer into the container; it is closed after the test. */
  readonly open: (options?: Partial<WriterOptions>) => Promise<Writer>
  readonly read: (id: string, key: string) => Promise<Record<string, unknown> | undefined>
  readonly etagOf: (id: string, key: string) => Promise<string>
}

/** Creates the container before the tests of a file, and removes it after them. */
export function usePlace(): Place {
  const place = { createContainer, open, read, etagOf } as Place
  const writers: Writer[] = []
  let count = 0

  beforeAll(async () => {
    place.emulator = await startEmulator({ ranges: 3, ruPerSecond: 30_000 })
    const { endpoint, key } = place.emulator
    place.client = new CosmosClient({ endpoint, key, connectionPolicy: { enableBackgroundEndpointRefreshing: false } })
    await place.client.databases.create({ id: 'writer' })
  })

  afterAll(async () => {
    place.client.dispose()
    await place.emulator.stop()
  })

  beforeEach(async () => {
    place.container = await createContainer({})
  })

  afterEach(async () => {
    place.emulator.faults.clear()
    await Promise.all(writers.splice(0).map((writer) => writer.close(0)))
  })

  async function createContainer(more: object): Promise<Container> {
    const partitionKey = { paths: ['/pk'], kind: PartitionKeyKind.Hash, version: 2 }
    const created = await place.client
      .database('writer')
      .containers.create({ id: `c${++count}`, partitionKey, defaultTtl: -1, ...more })
    return created.container
  }

  async function open(options: Partial<WriterOptions> = {}): Promise<Writer> {
    const { endpoint, key } = place.emulator
    const writer = await createWriter({ endpoint, key, database: 'writer', container: place.container.id, ...options })
    writers.push(writer)
    return writer
  }

  async function read(id: string, key: string): Promise<Record<string, unknown> | undefined> {
    return (await place.container.item(id, key).read<Record<string, unknown>>()).resource
  }

  async function etagOf(id: string, key: string): Promise<string> {
    return (await read(id, key))!['_etag'] as string
  }

  return place
}

export function codeOf(outcome: Outcome): string {
  return outcome.kind === 'rejected' ? outcome.code : outcome.kind
}
