import { describe, expect, it } from 'vitest'
import { parseQuery, planQuery, QueryError, runQuery, type VectorPolicy } from '../../src/query/index.ts'
import { rowsOf, valueOf } from './query-of.ts'

const documents = [
  { id: 'far', v: [-1, 0] },
  { id: 'none' },
  { id: 'near', v: [2, 0.1] },
  { id: 'text', v: 'x' },
  { id: 'longer', v: [1, 0, 0] },
  { id: 'right angle', v: [0, 1] }
]

const policy = (name: 'cosine' | 'dotproduct' | 'euclidean'): VectorPolicy => new Map([['["v"]', name]])

function sorted(distance: string, vectors: VectorPolicy = new Map()): unknown[] {
  const query = parseQuery(`SELECT VALUE c.id FROM c ORDER BY ${distance}`)
  return runQuery(query, { documents, parameters: new Map<string, unknown>([['@v', [1, 0]]]), vectors })
}

/** The value of an expression for the vector [3, 4] in a container whose vectors are compared by their distance. */
function measured(text: string): unknown[] {
  return runQuery(parseQuery(`SELECT VALUE ${text} FROM c`), {
    documents: [{ v: [3, 4] }],
    parameters: new Map(),
    vectors: policy('euclidean')
  })
}

describe('VECTORDISTANCE', () => {
  it.each<[string, unknown]>([
    ['VectorDistance(c.v, [3, 4])', 1],
    ['VECTORDISTANCE([0, 5], [3, 4])', 0.8],
    ['VectorDistance(c.v, [-3, -4], true)', -1],
    ["VectorDistance(c.v, [1, 2], false, {'distanceFunction': 'dotproduct'})", 11],
    ["VectorDistance(c.v, [1, 2], false, {distanceFunction: 'DotProduct', dataType: 'float32'})", 11],
    ["VectorDistance(c.v, [0, 0], false, {'distanceFunction': 'euclidean'})", 5],
    ['VectorDistance(c.v, @v)', 1],
    ['VectorDistance(c.v, [0, 0])', undefined],
    ['VectorDistance(c.v, [1, 2, 3])', undefined],
    ['VectorDistance(c.v, [])', undefined],
    ['VectorDistance(c.v, ["a", 1])', undefined],
    ['VectorDistance(c.absent, [1, 2])', undefined],
    ['VectorDistance(c.v, 1)', undefined]
  ])('%s is %j for the vector [3, 4]', (expression, expected) => {
    const value = valueOf(expression, { v: [3, 4] }, { '@v': [6, 8] })
    expect(value === undefined ? value : Math.round((value as number) * 1e9) / 1e9).toBe(expected)
  })

  it('uses the distance function of the vector policy, unless the options name one', () => {
    expect(measured('VectorDistance(c.v, [0, 0])')).toEqual([5])
    expect(measured('VectorDistance([0, 0], c["v"])')).toEqual([5])
    expect(measured("VectorDistance(c.v, [1, 1], false, {'distanceFunction': 'dotproduct'})")).toEqual([7])
  })

  it.each([
    ['VectorDistance(c.v)', 'takes 2 to 4 arguments'],
    ['VectorDistance(c.v, [1], 1)', 'third argument'],
    ['VectorDistance(c.v, [1], false, 1)', 'fourth argument'],
    ['VectorDistance(c.v, [1], false, {distanceFunction: c.f})', 'fourth argument'],
    ["VectorDistance(c.v, [1], false, {distanceFunction: 'manhattan'})", 'cosine, dotproduct, euclidean'],
    ['VectorDistance(c.v, [1], false, {other: 1})', "no option 'other'"]
  ])('refuses %s', (expression, message) => {
    expect(() => rowsOf(`SELECT VALUE ${expression} FROM c`)).toThrow(QueryError)
    expect(() => rowsOf(`SELECT VALUE ${expression} FROM c`)).toThrow(message)
  })
})

describe('ORDER BY VECTORDISTANCE', () => {
  it('puts the most similar items first, and leaves out items without a vector of the same length', () => {
    expect(sorted('VectorDistance(c.v, @v)')).toEqual(['near', 'right angle', 'far'])
    expect(sorted('VectorDistance(c.v, @v)', policy('dotproduct'))).toEqual(['near', 'right angle', 'far'])
    expect(sorted('VectorDistance(c.v, [-1, 0.2])', policy('euclidean'))).toEqual(['far', 'right angle', 'near'])
  })

  it.each([
    ['VectorDistance(c.v, @v) DESC', 'Specifying a sorting order'],
    ['VectorDistance(c.v, @v), c.id', 'no other key']
  ])('refuses %s', (order, message) => {
    expect(() => sorted(order)).toThrow(message)
  })

  it('is planned as an order that no range can stream', () => {
    const text = 'SELECT TOP 3 c.id FROM c ORDER BY VectorDistance(c.v, [1, 2])'
    const { queryInfo } = planQuery(parseQuery(text), '')
    const euclidean = planQuery(parseQuery(text), '', new Map(), undefined, policy('euclidean'))

    expect(queryInfo).toMatchObject({ top: 3, orderBy: ['Descending'], hasNonStreamingOrderBy: true })
    expect(queryInfo.orderByExpressions).toEqual(['VECTORDISTANCE(c.v, [1, 2])'])
    expect(queryInfo.rewrittenQuery).toContain('ORDER BY VECTORDISTANCE(c.v, [1, 2])')
    expect(euclidean.queryInfo.orderBy).toEqual(['Ascending'])
    expect(planQuery(parseQuery('SELECT c.id FROM c ORDER BY c.v'), '').queryInfo.hasNonStreamingOrderBy).toBe(false)
  })

  it('is refused for clients that cannot execute it', () => {
    const query = parseQuery('SELECT TOP 3 c.id FROM c ORDER BY VectorDistance(c.v, [1, 2])')
    expect(() => planQuery(query, 'OrderBy, Top')).toThrow('NonStreamingOrderBy')
  })
})
