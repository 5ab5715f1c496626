import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createHmac } from 'node:crypto'
import { openWire, type Wire, type WireAnswer } from './wire.ts'

let wire: Wire
beforeAll(async () => {
  wire = await openWire()
})
afterAll(() => wire.stop())

describe('an operation that deletes a partition key', () => {
  it('deletes all items of this key, and no others', async () => {
    const path = await wire.container()
    for (const id of ['1', '2', '3']) await wire.call('POST', `${path}/docs`, { body: { id, pk: 'a' }, key: ['a'] })
    await wire.call('POST', `${path}/docs`, { body: { id: '1', pk: 'b' }, key: ['b'] })

    expect((await deletePartition(path, '["a"]')).status).toBe(200)
    const { body } = await wire.call('GET', `${path}/docs`)
    expect(body.Documents).toMatchObject([{ id: '1', pk: 'b' }])
  })

  it.each(['partitionkey', 'colls'])('may be signed as a request about %s, as clients do', async (type) => {
    expect((await operate(await wire.container(), 'partitionkeydelete', '["a"]', type)).status).toBe(200)
  })

  it('is refused with 400 for the prefix of a hierarchical key', async () => {
    const path = await wire.container({ partitionKey: { paths: ['/t', '/u'], kind: 'MultiHash', version: 2 } })

    expect((await deletePartition(path, '["a"]')).status).toBe(400)
  })

  it('is the only operation on a partition key; another operation is refused with 501', async () => {
    const path = await wire.container()

    expect((await operate(path, 'compact', '["a"]')).status).toBe(501)
  })
})

function deletePartition(path: string, key: string): Promise<Pick<WireAnswer, 'status'>> {
  return operate(path, 'partitionkeydelete', key)
}

async function operate(
  path: string,
  operation: string,
  key: string,
  type = 'colls'
): Promise<Pick<WireAnswer, 'status'>> {
  const date = new Date().toUTCString()
  const text = `post\n${type}\n${path.slice(1)}\n${date.toLowerCase()}\n\n`
  const signature = createHmac('sha256', Buffer.from(wire.key, 'base64')).update(text).digest('base64')
  const { status } = await fetch(`${wire.endpoint.replace(/\/$/, '')}${path}/operations/${operation}`, {
    method: 'POST',
    headers: {
      'x-ms-date': date,
      authorization: encodeURIComponent(`type=master&ver=1.0&sig=${signature}`),
      'x-ms-documentdb-partitionkey': key
    }
  })
  return { status }
}
