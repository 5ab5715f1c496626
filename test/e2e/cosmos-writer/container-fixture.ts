import { type Container, CosmosClient, PartitionKeyKind } from '@azure/cosmos'
import { createWriter, type Outcome, type Writer, type WriterOptions } from '@keystamp/cosmos'
import { type Emulator, startEmulator } from '@keystamp/emulator'
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'

/** Fixture of one test file: an emulator for all tests, and a container for each. */
export interface ContainerFixture {
  emulator: Emulator
  client: CosmosClient
  container: Container
  readonly createContainer: (more: object) => Promise<Container>
  /** Opens a writer into the container; it is closed after the test. */
  readonly open: (options?: Partial<WriterOptions>) => Promise<Writer>
  readonly read: (id: string, key: string) => Promise<Record<string, unknown> | undefined>
  readonly etagOf: (id: string, key: string) => Promise<string>
}

/** Starts the emulator before the tests of a file, creates a container before each test, and ends all after them. */
export function useContainer(): ContainerFixture {
  const fixture = { createContainer, open, read, etagOf } as ContainerFixture
  const writers: Writer[] = []
  let count = 0

  beforeAll(async () => {
    fixture.emulator = await startEmulator({ ranges: 3, ruPerSecond: 30_000 })
    const { endpoint, key } = fixture.emulator
    fixture.client = new CosmosClient({
      endpoint,
      key,
      connectionPolicy: { enableBackgroundEndpointRefreshing: false }
    })
    await fixture.client.databases.create({ id: 'writer' })
  })

  afterAll(async () => {
    fixture.client.dispose()
    await fixture.emulator.stop()
  })

  beforeEach(async () => {
    fixture.container = await createContainer({})
  })

  afterEach(async () => {
    fixture.emulator.faults.clear()
    await Promise.all(writers.splice(0).map((writer) => writer.close(0)))
  })

  async function createContainer(more: object): Promise<Container> {
    const partitionKey = { paths: ['/pk'], kind: PartitionKeyKind.Hash, version: 2 }
    const created = await fixture.client
      .database('writer')
      .containers.create({ id: `c${++count}`, partitionKey, defaultTtl: -1, ...more })
    return created.container
  }

  async function open(options: Partial<WriterOptions> = {}): Promise<Writer> {
    const { endpoint, key } = fixture.emulator
    const writer = await createWriter({
      endpoint,
      key,
      database: 'writer',
      container: fixture.container.id,
      ...options
    })
    writers.push(writer)
    return writer
  }

  async function read(id: string, key: string): Promise<Record<string, unknown> | undefined> {
    return (await fixture.container.item(id, key).read<Record<string, unknown>>()).resource
  }

  async function etagOf(id: string, key: string): Promise<string> {
    return (await read(id, key))!['_etag'] as string
  }

  return fixture
}

export function codeOf(outcome: Outcome): string {
  return outcome.kind === 'rejected' ? outcome.code : outcome.kind
}
