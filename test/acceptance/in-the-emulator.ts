import type { OperationInput } from '@azure/cosmos'
import { emulated, statusOf } from './emulated.ts'
import { newContainer } from './containers.ts'
import type { Shown } from './row.ts'

/** Identity: the same id under two keys, and under one. */
export function sameIdTwice(): Promise<Shown[]> {
  return emulated({}, async (client) => {
    const container = await newContainer(client)
    const ways = [
      { id: 'reading-1', partitionKey: 'abc-123-2018' },
      { id: 'reading-1', partitionKey: 'abc-124-2018' },
      { id: 'reading-1', partitionKey: 'abc-123-2018' }
    ]
    const shown: Shown[] = []
    for (const item of ways)
      shown.push({ input: `create ${JSON.stringify(item)}`, output: `${await statusOf(container.items.create(item))}` })
    return shown
  })
}

/** A transactional batch for one key, and one with an item of another. */
export function batchesByKey(): Promise<Shown[]> {
  return emulated({}, async (client) => {
    const container = await newContainer(client)
    const together = await container.items.batch(
      [create('abc-123-2018', '1'), create('abc-123-2018', '2')],
      'abc-123-2018'
    )
    const torn = await container.items.batch([create('abc-123-2018', '3'), create('abc-124-2018', '4')], 'abc-123-2018')
    const left = await container.items.readAll().fetchAll()
    return [
      { input: 'a batch of two items of one key', output: statuses(together.result) },
      {
        input: 'a batch of items of two keys',
        output: `${statuses(torn.result)}; ${left.resources.length} items are stored`
      }
    ]
  })
}

/** Replacing an item by one with another key. */
export function changedKey(): Promise<Shown[]> {
  return emulated({}, async (client) => {
    const container = await newContainer(client)
    await container.items.create({ id: '1', partitionKey: 'abc-123-2018' })
    const status = await statusOf(
      container.item('1', 'abc-123-2018').replace({ id: '1', partitionKey: 'abc-123-2019' })
    )
    return [
      {
        input: 'replace an item of "abc-123-2018" by one of "abc-123-2019"',
        output: `refused by the service with ${status}`
      }
    ]
  })
}

/** A container keyed by the id: a point read needs only the id, and each id exists only once. */
export function idAsKey(): Promise<Shown[]> {
  return emulated({}, async (client) => {
    const container = await newContainer(client, {}, '/id')
    const created = await statusOf(container.items.create({ id: 'abc-123', date: 2018 }))
    const again = await statusOf(container.items.create({ id: 'abc-123', date: 2019 }))
    const { resource } = await container.item('abc-123', 'abc-123').read<{ date: number }>()
    return [
      { input: 'create {"id":"abc-123","date":2018} in a container keyed by /id', output: `${created}` },
      { input: 'read by the id alone', output: `date ${resource?.date}` },
      { input: 'create the same id with another date', output: `${again}` }
    ]
  })
}

function create(partitionKey: string, id: string): OperationInput {
  return { operationType: 'Create', resourceBody: { id, partitionKey } }
}

function statuses(results: readonly { readonly statusCode: number }[] = []): string {
  return results.map(({ statusCode }) => statusCode).join(', ')
}
