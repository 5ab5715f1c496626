import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type KeyCondition, keyConditions, parseQuery, partitionFilter, QueryError } from '../../src/query/index.ts'
import { printExpression } from '../../src/query/print-query.ts'
import { arbitraryDocument, arbitraryExpression } from './arbitrary-expression.ts'
import { rowsOf } from './query-of.ts'

const PATHS = [['a'], ['b', 'd'], ['id']]
const ANY = undefined

function conditionsOf(text: string, parameters: Record<string, unknown> = {}): readonly KeyCondition[] | undefined {
  return keyConditions(parseQuery(text), new Map(Object.entries(parameters)), PATHS)
}

function list(name: string, count: number): string {
  return `c.${name} IN (${Array.from({ length: count }, (_, n) => n).join(', ')})`
}

describe('the conditions on the key that follow from a WHERE clause', () => {
  it.each<[string, readonly KeyCondition[] | undefined]>([
    ['c.a = 1', [[1, ANY, ANY]]],
    ['"x" = c["id"]', [[ANY, ANY, 'x']]],
    [
      'c.a IN (1, null, @key)',
      [
        [1, ANY, ANY],
        [null, ANY, ANY],
        ['k', ANY, ANY]
      ]
    ],
    [
      'c.a = 1 OR c.a = 2',
      [
        [1, ANY, ANY],
        [2, ANY, ANY]
      ]
    ],
    [
      '(c.a = 1 AND c.b.d = 2) OR (c.a = 3 AND c.x > 1)',
      [
        [1, 2, ANY],
        [3, ANY, ANY]
      ]
    ],
    [
      'c.a IN (1, 2) AND c.b.d IN (3, 4) AND c.id = "x"',
      [
        [1, 3, 'x'],
        [1, 4, 'x'],
        [2, 3, 'x'],
        [2, 4, 'x']
      ]
    ],
    ['c.a IN (1, 2) AND c.a IN (2, 3)', [[2, ANY, ANY]]],
    ['c.a = 1 AND c.a = 2', []],
    ['c.a = null AND c.a IN (null, 1)', [[null, ANY, ANY]]],
    ['c.x = 1 AND (c.y = 2 OR c.a = 1) AND c.a = 5', [[5, ANY, ANY]]],
    [
      'ARRAY_CONTAINS(@list, c.a)',
      [
        [1, ANY, ANY],
        ['k', ANY, ANY]
      ]
    ],
    [
      'ARRAY_CONTAINS([1, "k"], c.a)',
      [
        [1, ANY, ANY],
        ['k', ANY, ANY]
      ]
    ],
    ['c.a = undefined', []],
    ['c.a = 1 OR c.x = 2', undefined],
    ['c.a = 1 OR NOT c.a = 1', undefined],
    ['NOT (c.a = 1)', undefined],
    ['c.a NOT IN (1, 2)', undefined],
    ['c.a IN (1, c.b)', undefined],
    ['c.a IN (1, [2])', undefined],
    ['c.a = @object', undefined],
    ['ARRAY_CONTAINS(@objects, c.a)', undefined],
    ['ARRAY_CONTAINS(@objects, c.a, true)', undefined],
    ['ARRAY_CONTAINS(c.a, 1)', undefined],
    ['c.a != 1', undefined],
    ['c.a = 1 ? true : false', undefined],
    ['c.b = 1', undefined],
    ['c.b.d.e = 1', undefined]
  ])('for %s are %j', (where, expected) => {
    const parameters = { '@key': 'k', '@list': [1, 'k'], '@object': { x: 1 }, '@objects': [{ x: 1 }] }
    expect(conditionsOf(`SELECT * FROM c WHERE ${where}`, parameters)).toEqual(expected)
  })

  it.each([
    'SELECT * FROM c',
    'SELECT * FROM x IN c.list WHERE x.a = 1',
    'SELECT * FROM c.b x WHERE x.a = 1',
    'SELECT VALUE t FROM c JOIN t IN c.tags WHERE t.a = 1',
    'SELECT VALUE x FROM (SELECT VALUE c.b FROM c) AS x WHERE x.a = 1'
  ])('are undefined for %s', (text) => {
    expect(conditionsOf(text)).toBeUndefined()
  })

  it('are those of the document in a query with JOIN', () => {
    const text = 'SELECT VALUE t FROM c JOIN t IN c.tags WHERE t.a = 1 AND c.a = 2'

    expect(conditionsOf(text)).toEqual([[2, ANY, ANY]])
    expect(partitionFilter(parseQuery(text), new Map(), PATHS)).toEqual([2])
  })

  it('leave out an operand of AND that would make too many combinations', () => {
    const few = conditionsOf(`SELECT * FROM c WHERE ${list('a', 100)} AND ${list('b.d', 90)}`)

    expect(few).toHaveLength(90)
    expect(conditionsOf(`SELECT * FROM c WHERE ${list('a', 4000)} OR ${list('a', 100)}`)).toBeUndefined()
  })

  it('are refused when a parameter is missing', () => {
    expect(() => conditionsOf('SELECT * FROM c WHERE c.a = @absent')).toThrow(QueryError)
  })

  it('are met by every document that the query returns', () => {
    const key = fc
      .tuple(fc.constantFrom('c.a = 1', 'c.a IN ("a", null)', 'c.b.d = "a"', 'c.a = 0 OR c.a = true'), fc.nat(3))
      .chain(([text, form]) =>
        arbitraryExpression.map((other) => {
          const printed = printExpression(other)
          return [`(${text}) AND ${printed}`, `(${text}) OR ${printed}`, `NOT (${text}) OR ${printed}`, printed][form]
        })
      )
    fc.assert(
      fc.property(
        key,
        key,
        fc.constantFrom('AND', 'OR'),
        fc.array(arbitraryDocument),
        (one, other, word, documents) => {
          const text = `SELECT * FROM c WHERE (${one}) ${word} (${other})`
          const conditions = conditionsOf(text)
          const rows = rowsOf(text, documents) as Record<string, Record<string, unknown>>[]
          for (const row of rows) {
            const values = [row['a'], row['b']?.['d'], row['id']]
            const isMet = conditions?.some((condition) =>
              condition.every((value, at) => value === ANY || value === values[at])
            )
            expect(isMet ?? true).toBe(true)
          }
        }
      ),
      { numRuns: 400 }
    )
  })
})
