import { type Container, CosmosClient, PartitionKeyKind } from '@azure/cosmos'
import { createWriter, type Operation, type Outcome, type Writer } from '@keystamp/cosmos'
import { type Emulator, type FaultAction, startEmulator } from '@keystamp/emulator'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

let emulator: Emulator
let client: CosmosClient
let container: Container
let writer: Writer

beforeEach(async () => {
  emulator = await startEmulator({ ranges: 1, ruPerSecond: 100_000 })
  const { endpoint, key } = emulator
  client = new CosmosClient({ endpoint, key, connectionPolicy: { enableBackgroundEndpointRefreshing: false } })
  const { database } = await client.databases.create({ id: 'd' })
  const partitionKey = { paths: ['/pk'], kind: PartitionKeyKind.Hash, version: 2 }
  container = (await database.containers.create({ id: 'c', partitionKey })).container
  writer = await createWriter({ endpoint, key, database: 'd', container: 'c' })
})

afterEach(async () => {
  await writer.close(0)
  client.dispose()
  await emulator.stop()
})

const APPLIED: FaultAction = { kind: 'applyThenDrop' }
const NOT_APPLIED: FaultAction = { kind: 'reset' }
const record = { id: 'a', pk: 'k', n: 1, exact: 0.1, nested: { list: [1, null, 'ü'] } }

describe('a lost answer', () => {
  it('to a create is replaced by a read of the document, which equals the sent document', async () => {
    expect(await writeLosing(APPLIED, { kind: 'create', record })).toMatchObject({
      kind: 'written',
      etag: await etagNow()
    })
    expect(appliedWrites()).toEqual(['Create'])
  })

  it('to a create of bytes is replaced by a read, although the bytes were never parsed', async () => {
    const bytes = Buffer.from('{ "n": 1.0, "id": "a", "text": "\\u00fc", "pk": "k" }')

    expect(await writeLosing(APPLIED, { kind: 'create', bytes })).toMatchObject({ kind: 'written' })
  })

  it('to a create leads to a rejection if another document is stored', async () => {
    await container.items.create({ ...record, n: 2 })

    expect(await writeLosing(APPLIED, { kind: 'create', record })).toMatchObject({
      kind: 'rejected',
      code: 'ALREADY_EXISTS'
    })
    expect(await stored()).toMatchObject({ n: 2 })
  })

  it('to a create leads to `unchanged` if another document is stored and the caller ignores 409', async () => {
    await container.items.create({ ...record, n: 2 })

    expect(await writeLosing(APPLIED, { kind: 'create', record, ignore: [409] })).toMatchObject({
      kind: 'unchanged',
      status: 409
    })
  })

  it('to a create that was not applied leads to a second request', async () => {
    expect(await writeLosing(NOT_APPLIED, { kind: 'create', record })).toMatchObject({ kind: 'written', status: 201 })
    expect(appliedWrites()).toEqual(['Create'])
  })

  it('to a replace with an ETag is replaced by a read of the document', async () => {
    const ifMatch = await createFirst()

    expect(await writeLosing(APPLIED, { kind: 'replace', record: { ...record, n: 2 }, ifMatch })).toMatchObject({
      kind: 'written'
    })
    expect(appliedWrites()).toEqual(['Create', 'Replace'])
  })

  it('to a replace with a wrong ETag leads to a rejection', async () => {
    const ifMatch = await createFirst()
    await container.items.upsert({ ...record, n: 5 })

    const outcome = await writeLosing(APPLIED, { kind: 'replace', record: { ...record, n: 2 }, ifMatch })

    expect(outcome).toMatchObject({ kind: 'rejected', code: 'PRECONDITION_FAILED' })
    expect(await stored()).toMatchObject({ n: 5 })
  })

  it('to a delete leads to `written`, since the document is gone', async () => {
    await createFirst()

    expect(await writeLosing(APPLIED, { kind: 'delete', key: 'k', id: 'a' })).toMatchObject({ kind: 'written' })
    expect(await stored()).toBeUndefined()
  })

  // checks L4
  it('to an increment leads to OUTCOME_UNKNOWN, and the increment is not sent again', async () => {
    await createFirst()

    const outcome = await writeLosing(APPLIED, {
      kind: 'patch',
      key: 'k',
      id: 'a',
      steps: [{ op: 'incr', path: '/n', value: 5 }]
    })

    expect(outcome).toMatchObject({ kind: 'rejected', code: 'OUTCOME_UNKNOWN' })
    expect(await stored()).toMatchObject({ n: 6 })
  })

  it.each([
    [NOT_APPLIED, { kind: 'written' }],
    [APPLIED, { kind: 'rejected', code: 'OUTCOME_UNKNOWN' }]
  ])('to an increment with an ETag leads to a second request with that ETag: %j', async (action, expected) => {
    const ifMatch = await createFirst()

    const outcome = await writeLosing(action, {
      kind: 'patch',
      key: 'k',
      id: 'a',
      ifMatch,
      steps: [{ op: 'incr', path: '/n', value: 5 }]
    })

    expect(outcome).toMatchObject(expected)
    expect(await stored()).toMatchObject({ n: 6 })
  })

  it('to a patch with `set` leads to a second request', async () => {
    await createFirst()

    const outcome = await writeLosing(APPLIED, {
      kind: 'patch',
      key: 'k',
      id: 'a',
      steps: [{ op: 'set', path: '/n', value: 5 }]
    })

    expect(outcome).toMatchObject({ kind: 'written' })
    expect(await stored()).toMatchObject({ n: 5 })
  })
})

async function writeLosing(action: FaultAction, operation: Operation): Promise<Outcome> {
  emulator.faults.inject({ on: 'bulk', count: 1, action })
  const outcome = await writer.write(operation)
  expect(writer.stats().retries).toMatchObject({ lost: 1 })
  return outcome
}

async function createFirst(): Promise<string> {
  const outcome = await writer.write({ kind: 'create', record })
  return outcome.kind === 'written' ? outcome.etag! : ''
}

async function stored(): Promise<Record<string, unknown> | undefined> {
  return (await container.item('a', 'k').read<Record<string, unknown>>()).resource
}

async function etagNow(): Promise<unknown> {
  return (await stored())?.['_etag']
}

function appliedWrites(): readonly string[] {
  return emulator.operations().map(({ operation }) => operation)
}
