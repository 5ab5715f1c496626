import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rowsOf } from '../query/query-of.ts'
import { openWire, QUERY, type Wire } from './wire.ts'

const VALUES = ['0', '-0', '1', '"a"', '"b"', '"a,b"', 'null', 'true', 'undefined', '{}', '[1]']
// more than eight times the items that a condition accepts
const OTHERS = 500
const IDS = ['i1', 'i2', 'i3']

let wire: Wire
beforeAll(async () => {
  wire = await openWire({ ranges: 3, crossPartition: 'serve' })
})
afterAll(() => wire.stop())

interface Filled {
  readonly docs: string
  /** In the order in which the container returns them. */
  readonly all: readonly Record<string, unknown>[]
}

/** A container with documents for all combinations of key values and ids. */
async function fill(paths: readonly string[]): Promise<Filled> {
  const kind = paths.length > 1 ? 'MultiHash' : 'Hash'
  const docs = `${await wire.container({ partitionKey: { paths, kind, version: 2 } })}/docs`
  const levels = paths.filter((path) => path !== '/id')
  const keys = levels.reduce<string[][]>((made) => made.flatMap((key) => VALUES.map((value) => [...key, value])), [[]])
  for (const [n, id] of IDS.entries()) {
    for (const [k, key] of keys.entries()) {
      if ((k + n) % 4 === 0 && k > 3) continue
      const members = key.flatMap((value, level) =>
        value === 'undefined' ? [] : [`"${paths[level].slice(1)}":${value}`]
      )
      const header = key.map((value) => (/^[u{[]/.test(value) ? '{}' : value))
      if (levels.length < paths.length) header.push(`"${id}"`)
      const { status, text } = await wire.call('POST', docs, {
        body: `{"id":"${id}","n":${k % 5},${[...members, '"x":1'].join(',')}}`,
        headers: { 'x-ms-documentdb-partitionkey': `[${header.join(',')}]`, 'x-ms-documentdb-is-upsert': 'true' }
      })
      if (status > 201) throw new Error(text)
    }
  }
  // most items have other keys
  const other = paths.map((path) => (path === '/id' ? undefined : 'z'))
  for (let n = 0; n < OTHERS; n++) {
    const key = other.map((value) => (value === undefined ? `z${n}` : `${value}${n % 20}`))
    const members = Object.fromEntries(paths.map((path, level) => [path.slice(1), key[level]]))
    await wire.call('POST', docs, { body: { id: `z${n}`, n: n % 5, ...members }, key })
  }
  return { docs, all: (await ask(docs, 'SELECT * FROM c', {})) as Record<string, unknown>[] }
}

async function ask(docs: string, query: string, headers: Record<string, string>): Promise<unknown[]> {
  const rows: unknown[] = []
  let continuation: string | undefined
  do {
    const more: Record<string, string> = continuation === undefined ? {} : { 'x-ms-continuation': continuation }
    const answer = await wire.call('POST', docs, { body: { query }, headers: { ...QUERY, ...headers, ...more } })
    expect(answer.text.slice(0, 300)).toContain('"Documents"')
    rows.push(...answer.body.Documents)
    continuation = answer.headers.get('x-ms-continuation') ?? undefined
  } while (continuation !== undefined)
  return rows
}

const LITERALS = VALUES.filter((value) => !/^[{[]/.test(value))

/** Conditions on `a`, `b`, the id and another property, combined in all ways. */
const condition: fc.Arbitrary<string> = fc.letrec<{ condition: string }>((tie) => {
  const literal = fc.constantFrom(...LITERALS)
  const path = fc.constantFrom('c.a', 'c.a', 'c["b"]', 'c.id', 'c.n')
  const list = fc.array(fc.oneof(literal, fc.constantFrom(...IDS.map((id) => `"${id}"`))), {
    minLength: 1,
    maxLength: 3
  })
  return {
    condition: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.tuple(path, literal).map(([left, right]) => `${left} = ${right}`),
      fc.constantFrom(...IDS).map((id) => `c.id = "${id}"`),
      fc
        .tuple(path, list, fc.constantFrom('IN', 'IN', 'NOT IN'))
        .map(([left, right, word]) => `${left} ${word} (${right.join(', ')})`),
      fc.tuple(list, path).map(([left, right]) => `ARRAY_CONTAINS([${left.join(', ')}], ${right})`),
      fc.constantFrom('c.n > 2', 'IS_DEFINED(c.a)', 'c.a != "a"', 'true'),
      fc
        .tuple(tie('condition'), tie('condition'), fc.constantFrom('AND', 'AND', 'OR'))
        .map(([one, other, word]) => `(${one}) ${word} (${other})`),
      tie('condition').map((inner) => `NOT (${inner})`)
    )
  }
}).condition

describe.each([
  ['one level', ['/a']],
  ['two levels', ['/a', '/b']],
  ['the id as its last level', ['/a', '/id']]
])('a query with conditions on a key of %s', (_, paths) => {
  it('returns the same rows in the same order as a scan of all items, in pages of any size and of any scope', async () => {
    const { docs, all } = await fill(paths)
    const scopes = [{}, { 'x-ms-documentdb-partitionkeyrangeid': '1' }]
    const inScope = await Promise.all(scopes.map((headers) => ask(docs, 'SELECT * FROM c', headers)))
    expect(inScope[1].length).toBeGreaterThan(0)
    expect(inScope[1].length).toBeLessThan(all.length)
    await fc.assert(
      fc.asyncProperty(condition, fc.nat(1), fc.constantFrom('20', '-1'), async (where, scope, size) => {
        const headers = { ...scopes[scope], 'x-ms-max-item-count': size }
        const rows = await ask(docs, `SELECT c._rid FROM c WHERE ${where}`, headers)

        expect(rows).toEqual(rowsOf(`SELECT c._rid FROM c WHERE ${where}`, inScope[scope]))
      }),
      { numRuns: 40 }
    )
  }, 60_000)
})

describe('a query for the number 0', () => {
  it.each(['c.pk = 0', 'c.pk IN (-0)', 'c.pk = 0 AND c.n = 1'])(
    '%s finds the items of the keys 0 and -0',
    async (where) => {
      const docs = `${await wire.container()}/docs`
      for (const [id, pk] of Object.entries({ zero: '0', minus: '-0', one: '1' })) {
        const headers = { 'x-ms-documentdb-partitionkey': `[${pk}]` }
        await wire.call('POST', docs, { body: `{"id":"${id}","pk":${pk},"n":1}`, headers })
      }

      const found = await ask(docs, `SELECT VALUE c.id FROM c WHERE ${where}`, {})

      expect(new Set(found)).toEqual(new Set(['zero', 'minus']))
      expect(found).toHaveLength(2)
    }
  )
})

describe('a query for a key, or for one item of it', () => {
  it.each(['c.pk = "a" OR (c.pk = "a" AND c.id = "1")', '(c.id = "1" AND c.pk = "a") OR c.pk = "a"'])(
    '%s returns each item of the key once',
    async (where) => {
      const docs = `${await wire.container()}/docs`
      for (const id of ['1', '2']) await wire.call('POST', docs, { body: { id, pk: 'a' }, key: ['a'] })

      expect(await ask(docs, `SELECT VALUE c.id FROM c WHERE ${where}`, {})).toEqual(['1', '2'])
    }
  )
})

describe('a query of the key', () => {
  it('returns the stored value of each item, also when many items have the same key', async () => {
    const docs = `${await wire.container()}/docs`
    for (const [k, value] of ['0', '-0', '"a\\n\\"é"', 'null', 'true', '1.5', '{}', '[1]', 'undefined'].entries()) {
      const key = /^[u{[]/.test(value) ? '{}' : value
      for (let n = 0; n < 9; n++) {
        const member = value === 'undefined' ? '' : `,"pk":${value}`
        const body = `{"id":"${k}-${n}"${member},"n":${n}}`
        const answer = await wire.call('POST', docs, {
          body,
          headers: { 'x-ms-documentdb-partitionkey': `[${encode(key)}]` }
        })
        expect(answer.status).toBe(201)
      }
    }
    const all = (await ask(docs, 'SELECT * FROM c', {})) as Record<string, unknown>[]

    expect(await ask(docs, 'SELECT c.pk, c.n FROM c', {})).toEqual(
      all.map(({ pk, n }) => (pk === undefined ? { n } : { pk, n }))
    )
    expect(all).toHaveLength(81)
  })
})

function encode(json: string): string {
  return json.replaceAll(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

describe('a query with a parameter that is missing', () => {
  it('is refused, also when the parameter is the key', async () => {
    const docs = `${await wire.container()}/docs`
    const answer = await wire.call('POST', docs, {
      body: { query: 'SELECT * FROM c WHERE c.pk = @pk' },
      headers: QUERY
    })

    expect(answer.status).toBe(400)
    expect(answer.body.message).toContain('@pk')
  })
})
