import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { knownMembersOf } from '../src/store/document.ts'
import { readCanonicalOperations } from '../src/wire/batch-operation.ts'
import { BATCH, bulkHeaders } from './contract/wire.ts'
import { upsert, useTwoEmulators } from './two-emulators.ts'

const multi = (...paths: string[]): object => ({ partitionKey: { paths, kind: 'MultiHash', version: 2 } })
const index = (included: string[], excluded: string[]): object => ({
  indexingPolicy: {
    indexingMode: 'consistent',
    includedPaths: included.map((path) => ({ path })),
    excludedPaths: excluded.map((path) => ({ path }))
  }
})

const make = (n: number): object[] =>
  Array.from({ length: 50 }, (_, i) =>
    upsert({ id: String(i), pk: 'a', n: i % 3 === 0 ? 0 : n, list: ['é', n, { n }] })
  )

describe('a request whose documents are canonical JSON', () => {
  const two = useTwoEmulators()

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
    for (const { clock } of two.emulators) clock.advance(waitMs)
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
      await two.both(
        'POST',
        `${path}/docs`,
        { ...bulkHeaders('0'), ...prefer, 'x-ms-cosmos-batch-continue-on-error': String(goesOn) },
        asked
      )
    } else if (how === 'batch') await two.both('POST', `${path}/docs`, { ...BATCH, ...prefer, ...key }, asked)
    else
      await two.both(
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
          const path = await two.makeContainer(definition)
          for (const one of steps) requests.canonical += await run(path, names, one)
          requests.all += steps.length
          await two.compareStores(path)
          await two.both('DELETE', path, {})
        }),
        { numRuns: 25 }
      )
      expect(requests.canonical * 2).toBeGreaterThan(requests.all)
    }
  )

  it('is charged for the changed values of a replace, and its document is stored independently of the request', async () => {
    const path = await two.makeContainer({})
    const charges: number[] = []
    for (const n of [1, 1, 2, 2])
      charges.push(
        Number((await two.both('POST', `${path}/docs`, bulkHeaders('0'), make(n))).headers['x-ms-request-charge'])
      )

    expect(charges[1]).toBeLessThan(charges[2])
    expect(charges[3]).toBe(charges[1])
    await two.compareStores(path)
  })
})

function valueAt(document: unknown, names: readonly string[]): unknown {
  let value = document
  for (const name of names)
    value = Object.hasOwn(Object(value) as object, name) ? (value as Record<string, unknown>)[name] : undefined
  return value === undefined ? {} : value
}

function toHeader(key: string): string {
  return key.replaceAll(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
