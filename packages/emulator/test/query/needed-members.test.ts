import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Query } from '../../src/query/ast.ts'
import { finishNow, parseQuery, startQuery } from '../../src/query/index.ts'
import { arbitraryDocument, arbitraryExpression } from './arbitrary-expression.ts'

const ALL = undefined

interface QueryNeeds {
  readonly filter: readonly string[] | undefined
  readonly rest: readonly string[] | undefined
}

const neededMembers = (query: Query): QueryNeeds => {
  const { filter, needs } = startQuery(query, { parameters: new Map() })
  return { filter: filter === undefined ? [] : filter.needs, rest: needs }
}

describe('the properties that a query reads', () => {
  it.each<[string, readonly string[] | undefined, readonly string[] | undefined]>([
    ['SELECT * FROM c', [], ALL],
    ['SELECT VALUE c FROM c WHERE c.a = 1', ['a'], ALL],
    ['SELECT VALUE COUNT(1) FROM c', [], []],
    ['SELECT VALUE COUNT(c) FROM c', [], ALL],
    ['SELECT c.a, c.b.d FROM c WHERE c["e f"] > c.a ORDER BY c.g.h', ['e f', 'a'], ['a', 'b', 'g']],
    [
      'SELECT {n: c.a, m: [c.b]} AS x FROM c WHERE IS_DEFINED(c.d) AND NOT (c.e IN (c.f, 1))',
      ['d', 'e', 'f'],
      ['a', 'b']
    ],
    ['SELECT VALUE c[c.a] FROM c', [], ALL],
    ['SELECT c.a FROM c WHERE c.constructor = 1', ALL, ['a']],
    ['SELECT x.a FROM x IN c.list WHERE x.b = 1', [], ['list']],
    ['SELECT x.a FROM c.inner x', [], ['inner']],
    ['SELECT c.a, COUNT(c.b) FROM c WHERE c.d = 1 GROUP BY c.a, c.e', ['d'], ['a', 'e', 'b']],
    ['SELECT c.a, t.b FROM c JOIN t IN c.list WHERE t.d = c.e', [], ['list', 'a', 'e']],
    ['SELECT c.a FROM c JOIN d IN c.list JOIN e IN d.list', [], ['list', 'a']],
    ['SELECT c.a FROM c WHERE EXISTS(SELECT VALUE t FROM t IN c.list WHERE t.a = c.b)', ['list', 'b'], ['a']],
    ['SELECT c.a, (SELECT VALUE COUNT(1) FROM t IN c.list) AS n FROM c', [], ['a', 'list']],
    ['SELECT (SELECT * FROM c) FROM c', [], ALL],
    ['SELECT (SELECT d.a FROM c d) FROM c', [], ['a']],
    ['SELECT VALUE d.a FROM (SELECT c.b AS a FROM c) d', [], ['b']],
    ['SELECT VALUE d.a FROM (SELECT * FROM c) d', [], ALL],
    ['SELECT VALUE 1', [], []]
  ])('%s', (text, filter, rest) => {
    expect(neededMembers(parseQuery(text))).toEqual({ filter, rest })
  })

  it('are enough to compute any expression', () => {
    const query = parseQuery('SELECT VALUE 1 FROM c')
    fc.assert(
      fc.property(arbitraryExpression, arbitraryDocument, (value, document) => {
        const asked: Query = { ...query, selection: { kind: 'value', value } }
        const { rest } = neededMembers(asked)
        const partial = rest === undefined ? document : Object.fromEntries(rest.map((name) => [name, document[name]]))
        const rowsOf = (row: unknown): unknown[] => {
          const run = startQuery(asked, { parameters: new Map() })
          run.add(row)
          return finishNow(run)
        }

        expect(rowsOf(partial)).toEqual(rowsOf(document))
      })
    )
  })
})
