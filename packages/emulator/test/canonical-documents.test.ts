import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Emulator, startEmulator } from '@keystamp/emulator'
import { knownMembersOf } from '../src/store/document.ts'
import { readCanonicalOperations } from '../src/wire/batch-operation.ts'
import { BATCH, bulkHeaders } from './contract/wire.ts'

// Sends the same requests to two emulators: one reads canonical bytes, the other parses objects, since its bodies begin
// with whitespace.

const multi = (...paths: string[]): object => ({ partitionKey: { paths, kind: 'MultiHash', version: 2 } })
const index = (included: string[], excluded: string[]): object => ({
  indexingPolicy: {
    indexingMode: 'consistent',
    includedPaths: included.map((path) => ({ path })),
    excludedPaths: excluded.map((path) => ({ path }))
  }
})
const upsert = (resourceBody: object, key: unknown[] = ['a']): object => ({
  operationType: 'Upsert',
  partitionKey: JSON.stringify(key),
  resourceBody
})

const make = (n: number): object[] =>
  Array.from({ length: 50 }, (_, i) =>
    upsert({ id: String(i), pk: 'a', n: i % 3 === 0 ? 0 : n, list: ['é', n, { n }] })
  )

describe('a request whose documents are canonical JSON', () => {
  let emulators: Emulator[] = []
  const startMs = 1_700_000_000_000
  let containers = 0
  beforeAll(async () => {
    const fixed = { auth: 'off', ranges: 1, now: () => startMs, random: () => 0.5 } as const
    emulators = [await startEmulator(fixed), await startEmulator(fixed)]
    await both('POST', '/dbs', {}, { id: 'd' })
  })
  beforeEach(() => {
    for (const { faults, throttle } of emulators) {
      faults.clear()
      throttle(false)
    }
  })
  afterAll(() => Promise.all(emulators.map(({ stop }) => stop())))

  /** Sends a request to both emulators. Their answers must be equal. */
  async function both(method: string, path: string, headers: Record<string, string>, body?: unknown): Promise<Answer> {
    const json = body === undefined ? undefined : JSON.stringify(body)
    const answers = await Promise.all(
      emulators.map(({ endpoint }, which) =>
        ask(endpoint, method, path, headers, which === 0 || json === undefined ? json : json[0] + ' ' + json.slice(1))
      )
    )
    expect(answers[0]).toEqual(answers[1])
    return answers[0]
  }

  async function makeContainer(definition: object, headers: Record<string, string> = {}): Promise<string> {
    containers += 1
    const partitionKey = { paths: ['/pk'], kind: 'Hash', version: 2 }
    const answer = await both('POST', '/dbs/d/colls', headers, { id: `c${containers}`, partitionKey, ...definition })
    expect(answer.status).toBe(201)
    return `/dbs/d/colls/c${containers}`
  }

  /** Stored documents, applied writes and counters of both emulators must be equal, too. */
  async function compareStores(path: string): Promise<void> {
    await both('GET', `${path}/docs`, { 'x-ms-max-item-count': '-1' })
    await both('GET', `${path}/docs`, { 'a-im': 'Incremental feed', 'x-ms-max-item-count': '-1' })
    const [ours, theirs] = emulators.map(({ operations, report }) => [operations(), report()])
    expect(ours).toEqual(theirs)
    for (const { clearOperations } of emulators) clearOperations()
  }

  const value = fc.oneof(
    {
      weight: 12,
      arbitrary: fc.constantFrom('x', 'y', 1, null, 'é', -0.25, 1e21, [], [1, 'x', { y: null }], {
        b: 'a',
        c: { d: [] }
      })
    },
    { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 2 }) }
  )
  const id = fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom('1', '2', 'é', 'a"b') },
    fc.constantFrom('', 'a/b', 'a\\b', 5, null, true, {}, ['1'], 'x'.repeat(1024), 'é'.repeat(600))
  )
  const pk = fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom('a', 'b') },
    fc.constantFrom(1, 1.5, 1e21, true, null, 'é', 'q"uote', '\n', '', {}, [1], 'k'.repeat(120), 'k'.repeat(3000))
  )
  const document = fc.record(
    {
      id,
      pk,
      tenant: pk,
      a: fc.oneof(value, fc.record({ b: fc.oneof(pk, value) }, { requiredKeys: [] })),
      email: fc.constantFrom('x', 'y', 'z', null),
      n: value,
      'odd name': value,
      ttl: fc.constantFrom(-1, 1, 3, 2_147_483_647),
      constructor: fc.constantFrom('a', 1)
    },
    { requiredKeys: ['id', 'pk'], noNullPrototype: true }
  )
  const oddity = fc.constantFrom(
    { ttl: 0 },
    { ttl: 1.5 },
    { ttl: 'x' },
    { ttl: null },
    { _ts: 1 },
    { _self: {} },
    { 0: 1 },
    { _own: 1 },
    { toJSON: 1 }
  )
  const operation = fc.record({
    type: fc.constantFrom('Upsert', 'Upsert', 'Create'),
    document,
    more: fc.oneof({ weight: 12, arbitrary: fc.constant({}) }, oddity),
    key: fc.oneof(
      { weight: 8, arbitrary: fc.constant('own') },
      fc.constantFrom('["a"]', '["b"]', '[{}]', '[]', '["a",1]', 'x', '[[1]]')
    )
  })
  const step = fc.record({
    operations: fc.array(operation, { minLength: 1, maxLength: 6 }),
    how: fc.constantFrom('bulk', 'bulk', 'batch', 'point'),
    isMinimal: fc.boolean(),
    goesOn: fc.constantFrom(true, true, false),
    waitMs: fc.constantFrom(0, 0, 1000, 5000)
  })
  type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

  /** Returns the number of canonical requests. */
  async function run(
    path: string,
    names: readonly string[][],
    { operations, how, isMinimal, goesOn, waitMs }: Step
  ): Promise<number> {
    for (const { clock } of emulators) clock.advance(waitMs)
    const asked = operations.map(({ type, document: base, more, key }) => {
      const resourceBody = { ...base, ...more }
      return {
        operationType: type,
        partitionKey: key === 'own' ? JSON.stringify(names.map((own) => valueAt(resourceBody, own))) : key,
        resourceBody
      }
    })
    const prefer: Record<string, string> = isMinimal ? { prefer: 'return=minimal' } : {}
    const key = { 'x-ms-documentdb-partitionkey': toHeader(asked[0].partitionKey) }
    if (how === 'bulk') {
      await both(
        'POST',
        `${path}/docs`,
        { ...bulkHeaders('0'), ...prefer, 'x-ms-cosmos-batch-continue-on-error': String(goesOn) },
        asked
      )
    } else if (how === 'batch') await both('POST', `${path}/docs`, { ...BATCH, ...prefer, ...key }, asked)
    else
      await both(
        'POST',
        `${path}/docs`,
        { ...prefer, ...key, 'x-ms-documentdb-is-upsert': String(goesOn) },
        asked[0].resourceBody
      )
    return readCanonicalOperations(Buffer.from(JSON.stringify(asked)), knownMembersOf(names)) === undefined ? 0 : 1
  }

  it.each<[string, object, string[][]]>([
    ['the default definition', {}, [['pk']]],
    ['a key of version 1', { partitionKey: { paths: ['/pk'], kind: 'Hash', version: 1 } }, [['pk']]],
    ['a time to live', { defaultTtl: 4 }, [['pk']]],
    ['unique keys', { uniqueKeyPolicy: { uniqueKeys: [{ paths: ['/email'] }, { paths: ['/n', '/a/b'] }] } }, [['pk']]],
    ['a hierarchical key', multi('/pk', '/tenant'), [['pk'], ['tenant']]],
    ['a key within an object', { partitionKey: { paths: ['/a/b'], kind: 'Hash', version: 2 } }, [['a', 'b']]],
    ['a hierarchical key that lies within an object', multi('/pk', '/a/b'), [['pk'], ['a', 'b']]],
    [
      'a key with a name that every object inherits',
      { partitionKey: { paths: ['/constructor'], kind: 'Hash', version: 2 } },
      [['constructor']]
    ],
    ['no index', { indexingPolicy: { indexingMode: 'none' } }, [['pk']]],
    ['no included value', index(['/_etag/?'], ['/*']), [['pk']]],
    ['an excluded value', index(['/*'], ['/n/?']), [['pk']]],
    ['few included values', index(['/a/b/?', '/n/[]/?', '/"odd name"/*'], ['/*']), [['pk']]],
    ['a path that is included twice', index(['/*', '/a/*', '/n/?'], []), [['pk']]]
  ])(
    'gets the same answer as a request that is parsed into objects, in a container with %s',
    async (_, definition, names) => {
      const requests = { canonical: 0, all: 0 }
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 5 }), async (steps) => {
          const path = await makeContainer(definition)
          for (const one of steps) requests.canonical += await run(path, names, one)
          requests.all += steps.length
          await compareStores(path)
          await both('DELETE', path, {})
        }),
        { numRuns: 25 }
      )
      expect(requests.canonical * 2).toBeGreaterThan(requests.all)
    }
  )

  it.each([
    ['one operation', true],
    ['the whole request', { bulk: 'request' }]
  ] as const)(
    'is throttled in the same way as a request that is parsed into objects if throttling refuses %s',
    async (_, throttle) => {
      const path = await makeContainer({})
      for (const emulator of emulators) emulator.throttle(throttle)
      const operations = Array.from({ length: 100 }, (__, n) =>
        upsert({ id: String(n), pk: 'a', text: 'é'.repeat(n * 10) })
      )
      const answers: string[] = []
      for (let round = 0; round < 4; round++) {
        answers.push((await both('POST', `${path}/docs`, bulkHeaders('0'), operations)).text)
        for (const { clock } of emulators) clock.advance(round * 700)
      }
      expect(answers.join('')).toMatch(/"statusCode":20[01]/)
      expect(answers.join('')).toMatch(/429|TooManyRequests/)
      await compareStores(path)
    }
  )

  it('is matched by the same fault rules for an id and for a partition key as a request that is parsed into objects', async () => {
    const path = await makeContainer({})
    for (const { faults } of emulators) {
      faults.inject({ on: 'bulkOperation', id: 'struck', action: { kind: 'status', status: 503 } })
      faults.inject({ on: 'bulkOperation', partitionKey: '["é"]', action: { kind: 'applyThenStatus', status: 408 } })
    }
    const operations = [
      upsert({ id: 'struck', pk: 'a' }),
      upsert({ id: 'spared', pk: 'a' }),
      upsert({ id: 'x', pk: 'é' }, ['é']),
      upsert({ id: 5, pk: 'a' })
    ]
    const answer = await both('POST', `${path}/docs`, bulkHeaders('0'), operations)

    expect((JSON.parse(answer.text) as { statusCode: number }[]).map(({ statusCode }) => statusCode)).toEqual([
      503, 201, 408, 400
    ])
    await compareStores(path)
  })

  it('gets 413 for a document that is too large, and 400 for one that is nested too deeply', async () => {
    const path = await makeContainer({})
    const large = { id: 'large', pk: 'a', text: '' }
    large.text = 'x'.repeat(2 * 1024 * 1024 - JSON.stringify(large).length)
    const deep = (levels: number): object => (levels === 1 ? {} : { a: deep(levels - 1) })
    const statuses: number[] = []
    for (const body of [
      large,
      { ...large, text: `${large.text}x` },
      { id: 'd', pk: 'a', ...deep(128) },
      { id: 'e', pk: 'a', ...deep(129) }
    ]) {
      const answer = await both('POST', `${path}/docs`, bulkHeaders('0', { prefer: 'return=minimal' }), [upsert(body)])
      statuses.push((JSON.parse(answer.text) as { statusCode: number }[])[0].statusCode)
    }

    expect(statuses).toEqual([201, 413, 201, 400])
    await compareStores(path)
  })

  it('is charged for the changed values of a replace, and its document is stored independently of the request', async () => {
    const path = await makeContainer({})
    const charges: number[] = []
    for (const n of [1, 1, 2, 2])
      charges.push(
        Number((await both('POST', `${path}/docs`, bulkHeaders('0'), make(n))).headers['x-ms-request-charge'])
      )

    expect(charges[1]).toBeLessThan(charges[2])
    expect(charges[3]).toBe(charges[1])
    await compareStores(path)
  })
})

interface Answer {
  readonly status: number
  readonly text: string
  readonly headers: Record<string, string>
}

const OWN: ReadonlySet<string> = new Set(['date', 'x-ms-request-duration-ms'])

async function ask(
  endpoint: string,
  method: string,
  path: string,
  headers: Record<string, string>,
  body: string | undefined
): Promise<Answer> {
  const response = await fetch(endpoint + path.slice(1), {
    method,
    headers: { ...headers, 'x-ms-activity-id': 'same', 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body })
  })
  const kept = [...response.headers].filter(([name]) => !OWN.has(name))
  return { status: response.status, text: await response.text(), headers: Object.fromEntries(kept) }
}

function valueAt(document: unknown, names: readonly string[]): unknown {
  let value = document
  for (const name of names)
    value = Object.hasOwn(Object(value) as object, name) ? (value as Record<string, unknown>)[name] : undefined
  return value === undefined ? {} : value
}

function toHeader(key: string): string {
  return key.replaceAll(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
