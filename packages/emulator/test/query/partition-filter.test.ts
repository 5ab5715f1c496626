import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseQuery, partitionFilter } from '../../src/query/index.ts'
import { printExpression } from '../../src/query/print-query.ts'
import { arbitraryDocument, arbitraryExpression } from './arbitrary-expression.ts'
import { rowsOf } from './query-of.ts'

const filterOf = (
  where: string,
  paths: readonly (readonly string[])[],
  parameters: Readonly<Record<string, unknown>> = {}
) => partitionFilter(parseQuery(`SELECT * FROM c WHERE ${where}`), new Map(Object.entries(parameters)), paths)

describe('the key values of a WHERE clause', () => {
  it.each<[string, readonly unknown[] | undefined]>([
    ['c.a = 1', [1]],
    ['1 = c.a', [1]],
    ['c.a = -1.5', [-1.5]],
    ['c["a"] = null', [null]],
    ['c.a = @key', ['k']],
    ['c.x > 1 AND (c.b.d = true AND c.a = "v")', ['v', true]],
    ['c.b.d = 1', undefined],
    ['c.a = 1 OR c.a = 2', undefined],
    ['NOT c.a = 1', undefined],
    ['c.a > 1', undefined],
    ['c.a = c.b', undefined],
    ['c.a = [1]', undefined],
    ['c.a = undefined', undefined],
    ['c.a = @list', undefined],
    ['c.a.x = 1', undefined],
    ['c.a IN (1)', undefined]
  ])('for %s are %j', (where, expected) => {
    expect(filterOf(where, [['a'], ['b', 'd']], { '@key': 'k', '@list': [1] })).toEqual(expected)
  })

  it('are undefined if the rows of the query are not items', () => {
    expect(partitionFilter(parseQuery('SELECT * FROM c.b AS c WHERE c.a = 1'), new Map(), [['a']])).toBeUndefined()
    expect(partitionFilter(parseQuery('SELECT * FROM c IN x.list WHERE c.a = 1'), new Map(), [['a']])).toBeUndefined()
    expect(partitionFilter(parseQuery('SELECT * FROM c'), new Map(), [['a']])).toBeUndefined()
  })

  it('are the key values of every item that the query returns', () => {
    fc.assert(
      fc.property(
        arbitraryExpression,
        fc.constantFrom('1', '"a"', 'null', 'true'),
        fc.array(arbitraryDocument),
        (other, key, documents) => {
          const where = `c.a = ${key} AND ${printExpression(other)}`
          const filter = filterOf(where, [['a'], ['b']])
          const rows = rowsOf(`SELECT * FROM c WHERE ${where}`, documents) as Record<string, unknown>[]

          expect(filter).toBeDefined()
          for (const row of rows) expect([row.a, row.b].slice(0, filter?.length)).toEqual(filter)
        }
      )
    )
  })
})
