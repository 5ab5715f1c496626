import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openWire, QUERY, type Wire, type WireAnswer } from './wire.ts'

// effective keys of the vectors in effective-key.test.ts
const A = '3A5381E1114EB8D3FCC90795045B49B7'
const B = '195644569A78B1E22D200348AF9416CE'
const NULL = '378867E4430E67857ACE5C908374FE16'
const ZERO = '155B95BEDAC4B1E9EC1CDC9BB0DDDE58'
const ALL_FEATURES =
  'Aggregate, CompositeAggregate, CountIf, DCount, Distinct, GroupBy, ListAndSetAggregate, MultipleAggregates, MultipleOrderBy, NonValueAggregate, OffsetAndLimit, OrderBy, Top'

let wire: Wire
let docs: string
let nested: string
beforeAll(async () => {
  wire = await openWire()
  docs = `${await wire.container()}/docs`
  nested = `${await wire.container({ partitionKey: { paths: ['/t', '/u'], kind: 'MultiHash', version: 2 } })}/docs`
})
afterAll(() => wire.stop())

const plan = (query: string, { path = docs, features = ALL_FEATURES, parameters = [] as unknown[] } = {}) => {
  const headers = {
    'content-type': 'application/query+json',
    'x-ms-cosmos-is-query-plan-request': 'True',
    'x-ms-cosmos-query-version': '1.4',
    'x-ms-cosmos-supported-query-features': features
  }
  return wire.call('POST', path, { headers, body: { query, parameters } })
}

const point = (key: string): object => ({ min: key, max: key, isMinInclusive: true, isMaxInclusive: true })
const WHOLE = { min: '', max: 'FF', isMinInclusive: true, isMaxInclusive: false }

describe('the ranges of a query plan', () => {
  it.each<[string, object[]]>([
    ['SELECT * FROM c', [WHOLE]],
    ['SELECT * FROM c WHERE c.pk = "a"', [point(A)]],
    ['SELECT * FROM c WHERE "a" = c["pk"] AND c.n > 1', [point(A)]],
    ['SELECT * FROM c WHERE c.pk IN ("a", "b", null, "a")', [point(B), point(NULL), point(A)]],
    ['SELECT * FROM c WHERE c.pk = "a" OR c.pk = "b" AND c.n = 1', [point(B), point(A)]],
    ['SELECT * FROM c WHERE ARRAY_CONTAINS(["b", "a"], c.pk)', [point(B), point(A)]],
    ['SELECT * FROM c WHERE c.pk = "a" AND c.pk = "b"', [point('')]],
    ['SELECT VALUE 1', [point('')]],
    ['SELECT * FROM c WHERE c.pk = "a" OR c.n = 1', [WHOLE]],
    ['SELECT * FROM c WHERE c.pk > "a"', [WHOLE]],
    ['SELECT * FROM c WHERE c.pk = @key', [point(A)]],
    ['SELECT c.n, COUNT(1) FROM c WHERE c.pk = "a" GROUP BY c.n', [point(A)]],
    ['SELECT t FROM c JOIN t IN c.tags WHERE c.pk = "a"', [point(A)]],
    ['SELECT t FROM c JOIN t IN c.tags WHERE t.pk = "a"', [WHOLE]],
    ['SELECT * FROM c WHERE EXISTS(SELECT VALUE t FROM t IN c.tags WHERE c.pk = "a")', [WHOLE]]
  ])('are the keys that WHERE allows, in the order of their hashes: %s', async (query, ranges) => {
    const { status, body } = await plan(query, { parameters: [{ name: '@key', value: 'a' }] })

    expect(status).toBe(200)
    expect(body.queryRanges).toEqual(ranges)
  })

  it('have both keys that equal zero', async () => {
    const { body } = await plan('SELECT * FROM c WHERE c.pk = 0')

    expect(body.queryRanges).toHaveLength(2)
    expect(body.queryRanges).toContainEqual(point(ZERO))
  })

  it.each<[string, object[]]>([
    ['SELECT * FROM c WHERE c.t = "a" AND c.u = "b"', [point(A + B)]],
    ['SELECT * FROM c WHERE c.t = "a"', [{ min: A, max: `${A}FF`, isMinInclusive: true, isMaxInclusive: false }]],
    ['SELECT * FROM c WHERE c.t = "a" OR c.t = "a" AND c.u = "b"', [{ ...WHOLE, min: A, max: `${A}FF` }]],
    ['SELECT * FROM c WHERE c.u = "b"', [WHOLE]]
  ])('are prefixes for the first levels of a hierarchical key: %s', async (query, ranges) => {
    expect((await plan(query, { path: nested })).body.queryRanges).toEqual(ranges)
  })

  it('are also in the plan of a refusal', async () => {
    const query = 'SELECT c.n, COUNT(1) FROM c WHERE c.pk IN ("a", "b") GROUP BY c.n'
    const { status, subStatus, body } = await wire.call('POST', docs, { headers: QUERY, body: { query } })
    const { queryRanges, queryInfo } = JSON.parse(body.additionalErrorInfo)

    expect([status, subStatus]).toEqual([400, 1004])
    expect(queryRanges).toEqual([point(B), point(A)])
    expect(queryInfo.groupByExpressions).toEqual(['c.n'])
  })
})

describe('a query plan for a client without a feature', () => {
  it.each([
    [
      'SELECT c.n, COUNT(1) AS k FROM c GROUP BY c.n',
      'Aggregate, CompositeAggregate, Distinct',
      'GroupBy NonValueAggregate'
    ],
    ['SELECT COUNT(1) FROM (SELECT DISTINCT c.n FROM c)', 'Distinct', 'DCount'],
    ['SELECT DISTINCT c.n FROM c ORDER BY c.n, c.m', 'OrderBy', 'Distinct MultipleOrderBy']
  ])('is refused, and the message names the feature: %s', async (query, features, missing) => {
    const { status, subStatus, body }: WireAnswer = await plan(query, { features })

    expect([status, subStatus]).toEqual([400, 1004])
    expect(body.message).toContain(
      `Query contains the following features, which the calling client does not support: None ${missing}.`
    )
  })
})
