import {
  BulkOperationType,
  ChangeFeedMode,
  ChangeFeedPolicy,
  ChangeFeedRetentionTimeSpan,
  ChangeFeedStartFrom,
  type Container,
  CosmosClient,
  PartitionKeyDefinitionVersion
} from '@azure/cosmos'
import { type Emulator, startEmulator } from '@keystamp/emulator'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

let emulator: Emulator
let client: CosmosClient
let container: Container
beforeAll(async () => {
  emulator = await startEmulator({ ranges: 2 })
  client = new CosmosClient({ endpoint: emulator.endpoint, key: emulator.key })
  const { database } = await client.databases.create({ id: 'shop' })
  ;({ container } = await database.containers.create({
    id: 'orders',
    partitionKey: { paths: ['/customer'], version: PartitionKeyDefinitionVersion.V2 },
    defaultTtl: -1,
    changeFeedPolicy: new ChangeFeedPolicy(ChangeFeedRetentionTimeSpan.fromMinutes(10))
  }))
})
afterAll(async () => {
  client.dispose()
  await emulator.stop()
})

interface Change {
  readonly current: { readonly id?: string; readonly customer?: string }
  readonly metadata: {
    readonly operationType: string
    readonly lsn: number
    readonly timeToLiveExpired?: boolean
    readonly id?: string
    readonly partitionKey?: { readonly customer: string }
  }
}

/** Reads the feed until it has nothing new. Returns its changes, and the token at which the next read resumes. */
async function read(start: ChangeFeedStartFrom, maxItemCount = 2): Promise<{ changes: Change[]; token: string }> {
  const iterator = container.items.getChangeFeedIterator({
    changeFeedMode: ChangeFeedMode.AllVersionsAndDeletes,
    changeFeedStartFrom: start,
    maxItemCount
  })
  const changes: Change[] = []
  for (;;) {
    const page = await iterator.readNext()
    changes.push(...(page.result as unknown as Change[]))
    if (page.statusCode === 304) return { changes, token: page.continuationToken }
  }
}

/** The changes of one item as text, in their order. */
function historyOf(changes: readonly Change[], customer: string): string[] {
  return changes
    .filter(({ current, metadata }) => (current.customer ?? metadata.partitionKey?.customer) === customer)
    .map(({ metadata }) => (metadata.timeToLiveExpired === true ? 'expiry' : metadata.operationType))
}

describe('@azure/cosmos reads all versions and deletes', () => {
  it('of a container from now on, and from a token, also after a split', async () => {
    const { token } = await read(ChangeFeedStartFrom.Now())
    const customers = Array.from({ length: 12 }, (_, n) => `c${n}`)
    for (const customer of customers) {
      const { item } = await container.items.create({ id: '1', customer })
      await item.replace({ id: '1', customer, n: 1 })
    }
    const first = await read(ChangeFeedStartFrom.Continuation(token))
    await emulator.split('shop', 'orders', '0')
    for (const customer of customers) await container.item('1', customer).delete()
    const second = await read(ChangeFeedStartFrom.Continuation(first.token))
    const all = await read(ChangeFeedStartFrom.Continuation(token), 1)

    for (const customer of customers) {
      expect(historyOf([...first.changes, ...second.changes], customer)).toEqual(['create', 'replace', 'delete'])
      expect(historyOf(all.changes, customer)).toEqual(['create', 'replace', 'delete'])
    }
    expect([...first.changes, ...second.changes]).toHaveLength(36)
    expect(all.changes).toHaveLength(36)
  })

  it('of a partition key, with the end of a TTL as a delete', async () => {
    const { token } = await read(ChangeFeedStartFrom.Now('ada'))
    await container.items.create({ id: 'short', customer: 'ada', ttl: 1 })
    await container.items.create({ id: 'other', customer: 'bob' })
    emulator.clock.advance(2000)
    const { changes } = await read(ChangeFeedStartFrom.Continuation(token))

    expect(historyOf(changes, 'ada')).toEqual(['create', 'expiry'])
    expect(changes).toHaveLength(2)
    expect(changes[1].metadata).toMatchObject({ id: 'short', partitionKey: { customer: 'ada' } })
  })

  it('with the changes of one bulk request under one LSN, also on pages of one item', async () => {
    const { token } = await read(ChangeFeedStartFrom.Now('bulk'))
    await container.items.executeBulkOperations(
      Array.from({ length: 10 }, (_, n) => ({
        operationType: BulkOperationType.Create,
        partitionKey: 'bulk',
        resourceBody: { id: String(n), customer: 'bulk' }
      }))
    )
    const { changes } = await read(ChangeFeedStartFrom.Continuation(token), 1)

    expect(changes.map(({ current }) => Number(current.id)).toSorted((a, b) => a - b)).toEqual([
      0, 1, 2, 3, 4, 5, 6, 7, 8, 9
    ])
    expect(new Set(changes.map(({ metadata }) => metadata.lsn)).size).toBe(1)
  })

  it('and gets 400 from the beginning, from a time, and after the retention', async () => {
    const { token } = await read(ChangeFeedStartFrom.Now('late'))
    await container.items.create({ id: '1', customer: 'late' })
    emulator.clock.advance(11 * 60_000)

    for (const start of [
      ChangeFeedStartFrom.Beginning(),
      ChangeFeedStartFrom.Time(new Date()),
      ChangeFeedStartFrom.Continuation(token)
    ]) {
      await expect(read(start)).rejects.toMatchObject({ code: 400 })
    }
  })
})
