/* oxlint-disable vitest/no-conditional-expect, vitest/expect-expect -- expectations depend on the model or the answer */
import { connect } from 'node:net'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BATCH, bulkHeaders, openWire, QUERY, type Wire, type WireAnswer } from './contract/wire.ts'

// Every request gets an answer or a JSON error with a status below 500 (501 for unsupported features), without a crash
// or a hang.

let wire: Wire
let docs: string
beforeAll(async () => {
  wire = await openWire()
  docs = `${await wire.container()}/docs`
  await wire.call('POST', docs, { key: ['a'], body: { id: '1', pk: 'a', n: 1, list: [1, 2], inner: { x: null } } })
})
afterAll(() => wire.stop())

function expectManners(answer: WireAnswer): void {
  expect(answer.status === 501 || answer.status < 500, `${answer.status}: ${answer.text.slice(0, 300)}`).toBe(true)
  expect(answer.headers.get('x-ms-request-charge')).not.toBeNull()
  if (answer.status >= 400)
    expect(answer.body).toMatchObject({ code: expect.any(String) as string, message: expect.any(String) as string })
}

const RUNS = { numRuns: 150 }
const printable = fc.string({ maxLength: 60 }).map((text) => text.replaceAll(/[^ -~]/g, '?').trim())
const mutated = (original: string): fc.Arbitrary<string> =>
  fc
    .tuple(fc.nat(original.length), fc.nat(12), fc.string({ unit: 'binary', maxLength: 8 }))
    .map(([at, cut, put]) => original.slice(0, at) + put + original.slice(at + cut))

describe('the emulator answers every request', () => {
  it('to store any JSON value', async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), async (value) => {
        expectManners(await wire.call('POST', docs, { key: ['a'], body: JSON.stringify(value) }))
        const wrapped = { id: 'any', pk: 'a', value }
        const stored = await wire.call('POST', docs, {
          key: ['a'],
          headers: { 'x-ms-documentdb-is-upsert': 'true' },
          body: JSON.stringify(wrapped)
        })
        expectManners(stored)
        if (stored.status < 300) expect(stored.body.value).toEqual(JSON.parse(JSON.stringify(value)))
      }),
      RUNS
    )
  })

  it('with a body of broken JSON, of bytes that are not UTF-8, or of a bulk or batch array with any elements', async () => {
    const good = JSON.stringify([
      { operationType: 'Upsert', partitionKey: '["a"]', resourceBody: { id: '1', pk: 'a' }, ifMatch: '*' }
    ])
    const element = fc.record(
      {
        operationType: fc.oneof(
          fc.constantFrom('Create', 'Upsert', 'Replace', 'Read', 'Delete', 'Patch'),
          fc.jsonValue()
        ),
        partitionKey: fc.oneof(fc.constantFrom('["a"]', '[]', '[{}]', '["a","b"]', 'x'), fc.jsonValue()),
        id: fc.oneof(fc.constantFrom('1', '2', ''), fc.jsonValue()),
        resourceBody: fc.oneof(
          fc.constant({ id: '1', pk: 'a' }),
          fc.constant([{ op: 'add', path: '/x', value: 1 }]),
          fc.jsonValue()
        ),
        ifMatch: fc.jsonValue(),
        ifNoneMatch: fc.jsonValue()
      },
      { requiredKeys: [] }
    )
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          mutated(good),
          fc.array(element, { maxLength: 4 }).map((list) => JSON.stringify(list)),
          fc.json()
        ),
        async (body) => {
          expectManners(await wire.call('POST', docs, { headers: bulkHeaders('0'), body }))
          expectManners(await wire.call('POST', docs, { headers: BATCH, key: ['a'], body }))
        }
      ),
      RUNS
    )
    for (const bytes of [[0xff, 0xfe], [0x22, 0xc3, 0x22], [0x81, 1, 2, 3], [0]]) {
      const answer = await fetch(`${wire.endpoint}${docs.slice(1)}`, { method: 'POST', body: Buffer.from(bytes) })
      expect(answer.status).toBeLessThan(502)
      expect(await answer.json()).toHaveProperty('code')
    }
  })

  it('to patch an item with any operations', async () => {
    const pointer = fc.oneof(
      fc.constantFrom(
        '/n',
        '/list/0',
        '/list/-',
        '/list/9',
        '/inner/x',
        '/inner/y/z',
        '/id',
        '/pk',
        '/_ts',
        '/__proto__',
        '/constructor',
        '/',
        ''
      ),
      printable
    )
    const operation = fc.record(
      {
        op: fc.oneof(fc.constantFrom('add', 'set', 'replace', 'remove', 'incr', 'move', 'constructor'), fc.jsonValue()),
        path: fc.oneof(pointer, fc.jsonValue()),
        from: fc.oneof(pointer, fc.jsonValue()),
        value: fc.jsonValue()
      },
      { requiredKeys: ['op'] }
    )
    await fc.assert(
      fc.asyncProperty(fc.array(operation, { maxLength: 3 }), fc.option(printable), async (operations, condition) => {
        const body = condition === null ? operations : { operations, condition }
        expectManners(await wire.call('PATCH', `${docs}/1`, { key: ['a'], body: JSON.stringify(body) }))
        const { body: kept } = await wire.call('GET', `${docs}/1`, { key: ['a'] })
        expect([kept.id, kept.pk]).toEqual(['1', 'a'])
      }),
      RUNS
    )
  })

  it('with any value in any header that the emulator reads', async () => {
    const names = [
      'x-ms-documentdb-partitionkey',
      'x-ms-documentdb-partitionkeyrangeid',
      'x-ms-documentdb-is-upsert',
      'if-match',
      'if-none-match',
      'x-ms-max-item-count',
      'x-ms-continuation',
      'x-ms-session-token',
      'x-ms-consistency-level',
      'x-ms-start-epk',
      'x-ms-end-epk',
      'a-im',
      'if-modified-since',
      'x-ms-cosmos-priority-level',
      'x-ms-cosmos-throughput-bucket',
      'prefer',
      'x-ms-activity-id'
    ]
    const value = fc.oneof(
      printable,
      fc.constantFrom('', '["a"]', '[', '-1', '0', '1e9', 'NaN', 'true', '"1"', '*', 'null', 'eyJtIjoiIn0')
    )
    await fc.assert(
      fc.asyncProperty(fc.dictionary(fc.constantFrom(...names), value, { maxKeys: 4 }), async (headers) => {
        expectManners(await wire.call('GET', docs, { headers }))
        expectManners(await wire.call('GET', `${docs}/1`, { headers }))
        expectManners(await wire.call('POST', docs, { headers, body: { id: '1', pk: 'a' } }))
        expectManners(
          await wire.call('POST', docs, { headers: { ...QUERY, ...headers }, body: { query: 'SELECT * FROM c' } })
        )
      }),
      RUNS
    )
  })

  it('with any definition of a container, an offer or a database', async () => {
    const definition = fc.record(
      {
        id: fc.oneof(fc.constant('fuzz'), fc.jsonValue()),
        partitionKey: fc.oneof(
          fc.constant({ paths: ['/pk'] }),
          fc.record({ paths: fc.jsonValue(), kind: fc.jsonValue(), version: fc.jsonValue() }, { requiredKeys: [] }),
          fc.jsonValue()
        ),
        indexingPolicy: fc.oneof(
          fc.record(
            { includedPaths: fc.jsonValue(), excludedPaths: fc.jsonValue(), indexingMode: fc.jsonValue() },
            { requiredKeys: [] }
          ),
          fc.jsonValue()
        ),
        uniqueKeyPolicy: fc.oneof(fc.record({ uniqueKeys: fc.jsonValue() }), fc.jsonValue()),
        defaultTtl: fc.jsonValue()
      },
      { requiredKeys: [] }
    )
    await fc.assert(
      fc.asyncProperty(definition, fc.jsonValue(), async (body, other) => {
        expectManners(await wire.call('POST', `/dbs/${wire.database}/colls`, { body: JSON.stringify(body) }))
        expectManners(await wire.call('PUT', docs.replace('/docs', ''), { body: JSON.stringify(body) }))
        expectManners(await wire.call('POST', '/dbs', { body: JSON.stringify(other) }))
        expectManners(await wire.call('DELETE', `/dbs/${wire.database}/colls/fuzz`))
        const headers = { 'x-ms-cosmos-offer-autopilot-settings': JSON.stringify(other).replaceAll(/[^ -~]/g, '') }
        expectManners(
          await wire.call('POST', `/dbs/${wire.database}/colls`, {
            headers,
            body: { id: 'fuzz', partitionKey: { paths: ['/a'] } }
          })
        )
        expectManners(await wire.call('DELETE', `/dbs/${wire.database}/colls/fuzz`))
      }),
      { numRuns: 80 }
    )
  })

  it('to any path', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'),
        fc.array(fc.webSegment(), { maxLength: 7 }),
        async (method, segments) => {
          const response = await fetch(`${wire.endpoint}${segments.join('/')}`, { method })
          expect(response.status).toBeLessThan(502)
          expect(await response.json()).toBeDefined()
        }
      ),
      RUNS
    )
  })

  it('with a query that is a mutation of a valid one', async () => {
    const good = 'SELECT TOP 3 c.id, c.n FROM c WHERE c.n > 0 AND STARTSWITH(c.id, "1") ORDER BY c.n DESC'
    await fc.assert(
      fc.asyncProperty(mutated(good), fc.jsonValue(), async (query, parameters) => {
        expectManners(await wire.call('POST', docs, { headers: QUERY, body: JSON.stringify({ query, parameters }) }))
        const plan = { 'content-type': 'application/query+json', 'x-ms-cosmos-is-query-plan-request': 'True' }
        expectManners(await wire.call('POST', docs, { headers: plan, body: JSON.stringify({ query }) }))
      }),
      RUNS
    )
  })

  it('that is broken HTTP, within 3 s: with a JSON error, or by closing the connection', async () => {
    const { hostname, port } = new URL(wire.endpoint)
    const raw = (bytes: string): Promise<string> =>
      new Promise((resolve) => {
        let text = ''
        const socket = connect(Number(port), hostname, () => socket.end(bytes, 'latin1'))
        socket.setTimeout(3000, () => socket.destroy(new Error('hang')))
        socket.on('data', (chunk) => (text += chunk.toString()))
        socket.on('error', (error) => resolve(error.message))
        socket.on('close', () => resolve(text))
      })
    for (const bytes of [
      'GARBAGE\r\n\r\n',
      'GET / HTTP/9.9\r\n\r\n',
      'GET / HTTP/1.1\r\nhost: x\r\nbad header\r\n\r\n',
      `GET / HTTP/1.1\r\nhost: x\r\nx-long: ${'y'.repeat(100_000)}\r\n\r\n`,
      'POST /dbs HTTP/1.1\r\nhost: x\r\ncontent-length: abc\r\n\r\n',
      'POST /dbs HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\nZZ\r\n'
    ]) {
      const answer = await raw(bytes)
      expect(answer).toMatch(/^HTTP\/1\.1 4\d\d /)
      expect(answer).toMatch(/"code":"/)
    }
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 200 }), async (bytes) => {
        expect(await raw(bytes)).not.toBe('hang')
      }),
      { numRuns: 60 }
    )
    expect((await wire.call('GET', '/')).status).toBe(200)
  })
})
