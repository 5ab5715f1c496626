import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { BATCH, bulkHeaders, openWire, type Wire } from './contract/wire.ts'

// Compares the statistics of a container with a count of the items that reads find, after each step.

let wire: Wire
beforeAll(async () => {
  // every byte counts as one KB, which is the unit of the statistics
  wire = await openWire({ storageScale: 1024, maxLogicalPartitionBytes: 1e12, splitAtBytes: 1e12 })
})
afterAll(() => wire.stop())

interface Put {
  kind: 'put' | 'rename' | 'patch'
  key: string
  id: string
  to: string
  size: number
  ttl: number
}

interface Delete {
  kind: 'delete' | 'deleteKey'
  key: string
  id: string
}

interface Many {
  kind: 'bulk' | 'batch'
  key: string
  writes: { type: string; id: string; size: number }[]
}

type Step = Put | Delete | Many | { kind: 'split' | 'merge'; at: number } | { kind: 'wait'; seconds: number }

const key = fc.constantFrom('a', 'b', 'ü', 'd', 'e', 'f')
const id = fc.constantFrom('1', '2', '3')
const size = fc.integer({ min: 0, max: 3000 })
const write = fc.record({ type: fc.constantFrom('Create', 'Upsert', 'Replace', 'Delete'), id, size })
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constantFrom('put', 'put', 'rename', 'patch'),
      key,
      id,
      to: id,
      size,
      ttl: fc.constantFrom(-1, 20, 40)
    })
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('delete', 'delete', 'deleteKey'), key, id }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constantFrom('bulk', 'batch'),
      key,
      writes: fc.array(write, { minLength: 1, maxLength: 6 })
    })
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('split', 'merge'), at: fc.nat(9) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('wait' as const), seconds: fc.constantFrom(5, 25) }) }
)

it('the statistics of a container are those of its items, after writes, deletes, expiries, splits and merges', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25 }), async (steps) => {
      const path = await wire.container({ defaultTtl: -1 }, { 'x-ms-offer-throughput': '12000' })
      for (const one of steps) {
        await take(path, one)
        expect(await statistics(path)).toEqual(await recount(path))
      }
      await wire.call('DELETE', path)
    }),
    { numRuns: 25 }
  )
})

async function take(path: string, one: Step): Promise<void> {
  if ('seconds' in one) wire.emulator!.clock.advance(one.seconds * 1000)
  else if ('at' in one) await move(path, one.kind, one.at)
  else if ('writes' in one) await writeMany(path, one)
  else if ('size' in one) await put(path, one)
  else await remove(path, one)
}

async function move(path: string, kind: 'split' | 'merge', at: number): Promise<void> {
  const { body } = await wire.call('GET', `${path}/pkranges`)
  const ids = body.PartitionKeyRanges.map((range: { id: string }) => range.id)
  if (kind === 'merge' ? ids.length < 2 : ids.length > 6) return
  await wire.emulator![kind](wire.database, path.slice(path.lastIndexOf('/') + 1), ids[at % ids.length])
}

async function writeMany(path: string, one: Many): Promise<void> {
  const body = one.writes.map(({ type, id: itemId, size: length }) => ({
    operationType: type,
    ...(one.kind === 'bulk' ? { partitionKey: JSON.stringify([one.key]) } : {}),
    ...(type === 'Delete' || type === 'Replace' ? { id: itemId } : {}),
    ...(type === 'Delete' ? {} : { resourceBody: document(one.key, itemId, length) })
  }))
  if (one.kind === 'batch') {
    await wire.call('POST', `${path}/docs`, { key: [one.key], headers: BATCH, body })
    return
  }
  const { body: listed } = await wire.call('GET', `${path}/pkranges`)
  for (const range of listed.PartitionKeyRanges)
    await wire.call('POST', `${path}/docs`, { headers: bulkHeaders(range.id), body })
}

async function remove(path: string, one: Delete): Promise<void> {
  if (one.kind === 'delete') await wire.call('DELETE', `${path}/docs/${one.id}`, { key: [one.key] })
  else await wire.call('POST', `${path}/operations/partitionkeydelete`, { key: [one.key] })
}

async function put(path: string, one: Put): Promise<void> {
  const item = `${path}/docs/${one.id}`
  const partition = [one.key]
  if (one.kind === 'rename') await wire.call('PUT', item, { key: partition, body: document(one.key, one.to, one.size) })
  else if (one.kind === 'patch') {
    const operations = [{ op: 'set', path: '/text', value: 'ü'.repeat(one.size) }]
    await wire.call('PATCH', item, { key: partition, body: { operations } })
  } else {
    const body = { ...document(one.key, one.id, one.size), ttl: one.ttl }
    const headers = { 'x-ms-documentdb-is-upsert': 'true' }
    await wire.call('POST', `${path}/docs`, { key: partition, headers, body })
  }
}

function document(pk: string, itemId: string, length: number): Record<string, unknown> {
  return { id: itemId, pk, text: 'x'.repeat(length) }
}

interface RangeCount {
  readonly id: string
  readonly sizeInKB: number
  readonly documentCount: number
  readonly sampledDistinctPartitionKeyCount: number
  readonly partitionKeys: readonly { readonly partitionKey: readonly unknown[]; readonly sizeInKB: number }[]
}

interface Count {
  readonly usage: string
  readonly ranges: readonly RangeCount[]
}

async function statistics(path: string): Promise<Count> {
  const { headers, body } = await wire.call('GET', path, {
    headers: { 'x-ms-documentdb-populatepartitionstatistics': 'true' }
  })
  return { usage: headers.get('x-ms-resource-usage') ?? '', ranges: body.statistics.map(sorted) }
}

async function recount(path: string): Promise<Count> {
  const { body } = await wire.call('GET', `${path}/pkranges`)
  const ranges: RangeCount[] = []
  for (const { id: range } of body.PartitionKeyRanges) {
    const { body: page } = await wire.call('GET', `${path}/docs`, {
      headers: { 'x-ms-documentdb-partitionkeyrangeid': range, 'x-ms-max-item-count': '1000' }
    })
    const sizes = new Map<string, number>()
    for (const item of page.Documents) sizes.set(item.pk, (sizes.get(item.pk) ?? 0) + sizeOf(item))
    ranges.push({
      id: range,
      sizeInKB: total([...sizes.values()]),
      documentCount: page.Documents.length,
      sampledDistinctPartitionKeyCount: sizes.size,
      partitionKeys: [...sizes].map(([pk, sizeInKB]) => ({ partitionKey: [pk], sizeInKB }))
    })
  }
  const bytes = total(ranges.map((range) => range.sizeInKB))
  const count = total(ranges.map((range) => range.documentCount))
  const usage = `documentSize=0;documentsSize=${bytes};documentsCount=${count};collectionSize=${bytes};`
  return { usage, ranges: ranges.map(sorted) }
}

function sizeOf({ _rid, _self, _etag, _attachments, _ts, ...user }: Record<string, unknown>): number {
  return Buffer.byteLength(JSON.stringify(user))
}

function total(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0)
}

function sorted(range: RangeCount): RangeCount {
  return {
    ...range,
    partitionKeys: range.partitionKeys.toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1))
  }
}

function nameOf({ partitionKey }: { readonly partitionKey: readonly unknown[] }): string {
  return JSON.stringify(partitionKey)
}
