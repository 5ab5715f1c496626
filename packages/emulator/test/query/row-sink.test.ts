import fc from 'fast-check'
import { expect, it } from 'vitest'
import { finishNow, parseQuery, startQuery } from '../../src/query/index.ts'

const VALUES = fc.constantFrom(undefined, null, true, false, 0, 1, 2.5, 'a', 'b', '')

/** The order of ORDER BY for scalars, written independently. */
function rank(value: unknown): number {
  if (value === undefined) return 0
  if (value === null) return 1
  return ['boolean', 'number', 'string'].indexOf(typeof value) + 2
}

function order(left: unknown, right: unknown): number {
  if (rank(left) !== rank(right)) return rank(left) - rank(right)
  return left === right ? 0 : (left as number) < (right as number) ? -1 : 1
}

it.each([
  ['VALUE c.n', '', 0, Number.POSITIVE_INFINITY],
  ['VALUE c.n', ' OFFSET 10 LIMIT 1500', 10, 1510],
  ['VALUE c.n', ' OFFSET 10 LIMIT 20', 10, 30],
  ['c.n', ' OFFSET 10 LIMIT 1500', 10, 1510],
  ['c.n', ' OFFSET 300 LIMIT 700', 300, 1000],
  ['c.n', ' OFFSET 0 LIMIT 10', 0, 10],
  ['c.n', ' OFFSET 3 LIMIT 0', 3, 3]
])('sorts thousands of rows by two keys, and keeps the order of equal rows: %s%s', (selected, window, from, to) => {
  const query = parseQuery(`SELECT ${selected} FROM c ORDER BY c.a, c.b DESC${window}`)
  fc.assert(
    fc.property(fc.array(fc.tuple(VALUES, VALUES), { minLength: 1, maxLength: 30 }), fc.nat(4000), (pattern, count) => {
      const documents = Array.from({ length: count }, (_, n) => {
        const [a, b] = pattern[(n * 7 + (n >> 5)) % pattern.length]
        return { a, b, n }
      })
      const run = startQuery(query, { parameters: new Map() })
      for (const document of documents) run.add(document)

      const sorted = documents.toSorted((left, right) => order(left.a, right.a) || order(right.b, left.b))
      expect(finishNow(run)).toEqual(sorted.slice(from, to).map(({ n }) => (selected === 'c.n' ? { n } : n)))
    }),
    { numRuns: 30 }
  )
})

it('leaves out rows without a result before it counts them', () => {
  const documents = Array.from({ length: 2000 }, (_, n) => (n % 2 === 0 ? { n } : { n, v: n }))
  const run = startQuery(parseQuery('SELECT VALUE c.v FROM c ORDER BY c.n OFFSET 1 LIMIT 3'), {
    parameters: new Map()
  })
  for (const document of documents) run.add(document)

  expect(finishNow(run)).toEqual([3, 5, 7])
})
