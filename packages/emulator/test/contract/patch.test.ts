import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openWire, type Wire, type WireAnswer } from './wire.ts'

let wire: Wire
let docs: string
let made = 0
beforeAll(async () => {
  wire = await openWire()
  docs = `${await wire.container()}/docs`
})
afterAll(() => wire.stop())

/** Creates an item with these properties, patches it, and returns both answers. */
async function patched(
  properties: object,
  body: unknown,
  headers: Record<string, string> = {}
): Promise<{ id: string; patch: WireAnswer }> {
  made += 1
  const id = `p${made}`
  await wire.call('POST', docs, { key: ['a'], body: { id, pk: 'a', ...properties } })
  return { id, patch: await wire.call('PATCH', `${docs}/${id}`, { key: ['a'], body, headers }) }
}

describe('a patch', () => {
  it.each([
    ['add sets a property', { n: 1 }, { op: 'add', path: '/m', value: 2 }, { n: 1, m: 2 }],
    ['add replaces a property that exists', { n: 1 }, { op: 'add', path: '/n', value: 2 }, { n: 2 }],
    ['add inserts into an array', { list: [1, 3] }, { op: 'add', path: '/list/1', value: 2 }, { list: [1, 2, 3] }],
    [
      'add appends at the index after the last',
      { list: [1] },
      { op: 'add', path: '/list/1', value: 2 },
      { list: [1, 2] }
    ],
    ['add appends at -', { list: [1] }, { op: 'add', path: '/list/-', value: 2 }, { list: [1, 2] }],
    [
      'set replaces an element of an array',
      { list: [1, 2] },
      { op: 'set', path: '/list/1', value: 3 },
      { list: [1, 3] }
    ],
    ['set creates a property', {}, { op: 'set', path: '/n', value: null }, { n: null }],
    [
      'set reaches into objects',
      { a: { b: { c: 1 } } },
      { op: 'set', path: '/a/b/c', value: 2 },
      { a: { b: { c: 2 } } }
    ],
    ['replace changes an existing property', { n: 1 }, { op: 'replace', path: '/n', value: 'x' }, { n: 'x' }],
    ['remove deletes a property', { n: 1, m: 2 }, { op: 'remove', path: '/n' }, { m: 2 }],
    ['remove deletes an element', { list: [1, 2, 3] }, { op: 'remove', path: '/list/1' }, { list: [1, 3] }],
    ['incr adds to a number', { n: 5 }, { op: 'incr', path: '/n', value: -2 }, { n: 3 }],
    ['incr creates a missing property', {}, { op: 'incr', path: '/n', value: 0.5 }, { n: 0.5 }],
    ['move renames a property', { a: 1 }, { op: 'move', from: '/a', path: '/b' }, { b: 1 }],
    [
      'paths are escaped',
      { 'a/b': 1, 'c~d': 2 },
      [
        { op: 'set', path: '/a~1b', value: 3 },
        { op: 'remove', path: '/c~0d' }
      ],
      { 'a/b': 3 }
    ],
    ['ttl may be patched', { ttl: 60 }, { op: 'set', path: '/ttl', value: 30 }, { ttl: 30 }]
  ])('%s', async (_, before, operation, after) => {
    const { id, patch } = await patched(before, Array.isArray(operation) ? operation : [operation])

    expect(patch.status).toBe(200)
    const { _rid, _self, _etag, _attachments, _ts, ...rest } = patch.body
    expect(rest).toEqual({ id, pk: 'a', ...after })
  })

  it.each([
    ['replacing a missing property', {}, [{ op: 'replace', path: '/n', value: 1 }], /operation 0.*\/n/],
    ['removing a missing property', {}, [{ op: 'remove', path: '/n' }], /\/n/],
    ['incrementing a string', { n: 'x' }, [{ op: 'incr', path: '/n', value: 1 }], /not a number/],
    ['incrementing by a string', { n: 1 }, [{ op: 'incr', path: '/n', value: '1' }], /'value'/],
    ['an index outside the array', { list: [1] }, [{ op: 'add', path: '/list/3', value: 1 }], /outside/],
    ['a missing parent', {}, [{ op: 'add', path: '/a/b', value: 1 }], /parent/],
    ['moving a missing property', {}, [{ op: 'move', from: '/a', path: '/b' }], /\/a/],
    ['moving into itself', { a: {} }, [{ op: 'move', from: '/a', path: '/a/b' }], /under/],
    ['the id', {}, [{ op: 'set', path: '/id', value: 'x' }], /'id'/],
    ['the partition key', {}, [{ op: 'set', path: '/pk', value: 'x' }], /partition key/],
    ['a system property', {}, [{ op: 'set', path: '/_ts', value: 1 }], /_ts/],
    ['an operation of RFC 6902 that does not exist', { a: 1 }, [{ op: 'copy', from: '/a', path: '/b' }], /copy/],
    ['a missing value', {}, [{ op: 'add', path: '/a' }], /'value'/],
    ['a missing path', {}, [{ op: 'add', value: 1 }], /path/],
    ['an empty list of operations', {}, [], /at least one/],
    ['11 operations', {}, Array.from({ length: 11 }, () => ({ op: 'incr', path: '/n', value: 1 })), /10/],
    ['a body without operations', {}, { add: 1 }, /operation/]
  ])('refuses %s with 400, and does not change the item', async (_, before, body, message) => {
    const { id, patch } = await patched(before, body)

    expect(patch.status).toBe(400)
    expect(patch.body.message).toMatch(message)
    expect((await wire.call('GET', `${docs}/${id}`, { key: ['a'] })).body).toMatchObject(before)
  })

  it('applies all of its operations or none', async () => {
    const { id, patch } = await patched({ n: 1 }, [
      { op: 'incr', path: '/n', value: 1 },
      { op: 'remove', path: '/absent' }
    ])

    expect(patch.status).toBe(400)
    expect((await wire.call('GET', `${docs}/${id}`, { key: ['a'] })).body.n).toBe(1)
  })

  it('is refused with 412/1110 if its condition is not met', async () => {
    const operations = [{ op: 'incr', path: '/n', value: 1 }]
    const met = await patched({ n: 3 }, { condition: 'from c where c.n = 3', operations })
    const missed = await patched({ n: 4 }, { condition: 'from c where c.n = 3', operations })
    const broken = await patched({ n: 4 }, { condition: 'from c where', operations })

    expect(met.patch.body.n).toBe(4)
    expect(missed.patch).toMatchObject({ status: 412, subStatus: 1110 })
    expect(broken.patch.status).toBe(400)
  })

  it('is refused with 412 by If-Match, and with 404 for an absent item', async () => {
    const { patch } = await patched({}, [{ op: 'set', path: '/n', value: 1 }], { 'if-match': '"wrong"' })

    expect(patch).toMatchObject({ status: 412, subStatus: 0 })
    const absent = await wire.call('PATCH', `${docs}/absent`, {
      key: ['a'],
      body: [{ op: 'set', path: '/n', value: 1 }]
    })
    expect(absent.status).toBe(404)
  })
})
