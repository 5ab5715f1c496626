import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compileExpression } from '../../src/query/compile-expression.ts'
import { neededMembers } from '../../src/query/needed-members.ts'
import { parseQuery } from '../../src/query/parse-query.ts'
import { arbitraryDocument, arbitraryExpression } from './arbitrary-expression.ts'

const ALL = undefined

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
    ['SELECT x.a FROM x IN c.list WHERE x.b = 1', ['list'], ['list']],
    ['SELECT x.a FROM c.inner x', ['inner'], ['inner']]
  ])('%s', (text, filter, rest) => {
    expect(neededMembers(parseQuery(text))).toEqual({ filter, rest })
  })

  it('are all properties when the query has a clause or an expression that is not known', () => {
    const query = parseQuery('SELECT c.a FROM c WHERE c.b = 1')
    const where = { kind: 'unknown', of: query.where } as unknown as typeof query.where

    expect(neededMembers({ ...query, later: [query.where] } as typeof query).rest).toBeUndefined()
    expect(neededMembers({ ...query, from: { ...query.from!, later: true } } as typeof query).rest).toBeUndefined()
    expect(neededMembers({ ...query, where }).filter).toBeUndefined()
  })

  it('are enough to compute any expression', () => {
    const query = parseQuery('SELECT VALUE 1 FROM c')
    fc.assert(
      fc.property(arbitraryExpression, arbitraryDocument, (value, document) => {
        const { rest } = neededMembers({ ...query, selection: { kind: 'value', value } })
        const partial = rest === undefined ? document : Object.fromEntries(rest.map((name) => [name, document[name]]))
        const evaluate = compileExpression(value, { parameters: new Map(), nowMs: 0 })

        expect(evaluate(partial)).toEqual(evaluate(document))
      })
    )
  })
})
