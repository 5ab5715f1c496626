import { describe, expect, it } from 'vitest'
import { parseQuery, planQuery, QueryError, type QueryInfo } from '../../src/query/index.ts'

const infoOf = (text: string, parameters: Readonly<Record<string, unknown>> = {}): QueryInfo =>
  planQuery(parseQuery(text), '', new Map(Object.entries(parameters))).queryInfo

const FILTER = '({documentdb-formattableorderbyquery-filter})'

describe('the plan of a query', () => {
  it('has every property that a client reads', () => {
    expect(planQuery(parseQuery('SELECT * FROM c'), '')).toEqual({
      partitionedQueryExecutionInfoVersion: 2,
      queryInfo: {
        distinctType: 'None',
        top: null,
        offset: null,
        limit: null,
        orderBy: [],
        orderByExpressions: [],
        groupByExpressions: [],
        groupByAliases: [],
        aggregates: [],
        groupByAliasToAggregateType: {},
        rewrittenQuery: '',
        hasSelectValue: false,
        dCountInfo: null,
        hasNonStreamingOrderBy: false
      },
      queryRanges: [{ min: '', max: 'FF', isMinInclusive: true, isMaxInclusive: false }]
    })
  })

  // the texts are those of the service, as recorded in the tests of the .NET SDK
  it.each<[string, string, Partial<QueryInfo>]>([
    [
      'SELECT VALUE AVG(c.blah) FROM c',
      'SELECT VALUE [{"item": {"sum": SUM(c.blah), "count": COUNT(c.blah)}}]\nFROM c',
      { aggregates: ['Average'], hasSelectValue: true }
    ],
    [
      'SELECT VALUE MIN(c.blah + 1) FROM c',
      'SELECT VALUE [{"item": MIN((c.blah + 1)), "item2": {"min": MIN((c.blah + 1)), "count": COUNT((c.blah + 1))}}]\nFROM c',
      { aggregates: ['Min'] }
    ],
    [
      'SELECT VALUE SUM(c.blah) FROM c WHERE c.key > 1',
      'SELECT VALUE [{"item": SUM(c.blah)}]\nFROM c\nWHERE (c.key > 1)',
      { aggregates: ['Sum'] }
    ],
    [
      'SELECT VALUE COUNT(1) FROM c WHERE c.key = 5 OFFSET 1 LIMIT 2',
      'SELECT VALUE [{"item": COUNT(1)}]\nFROM c\nWHERE (c.key = 5)',
      { aggregates: ['Count'], offset: 1, limit: 2 }
    ],
    [
      'SELECT MAX(c.blah) as max_blah FROM c',
      'SELECT {"max_blah": {"item": MAX(c.blah), "item2": {"max": MAX(c.blah), "count": COUNT(c.blah)}}} AS payload\nFROM c',
      {
        aggregates: [],
        groupByAliases: ['max_blah'],
        groupByAliasToAggregateType: { max_blah: 'Max' },
        hasSelectValue: false
      }
    ],
    [
      'SELECT SUM(c.blah) FROM c',
      'SELECT {"$1": {"item": SUM(c.blah)}} AS payload\nFROM c',
      { groupByAliasToAggregateType: { $1: 'Sum' } }
    ],
    [
      'SELECT VALUE AVG(c.age + 1) FROM Root c WHERE c.age > 1 ORDER BY c.name',
      'SELECT VALUE [{"item": {"sum": SUM((c.age + 1)), "count": COUNT((c.age + 1))}}]\nFROM Root AS c\nWHERE (c.age > 1)\nORDER BY c.name',
      { aggregates: ['Average'], orderBy: [], orderByExpressions: [] }
    ],
    [
      'SELECT VALUE COUNTIF(c.valid) FROM c',
      'SELECT VALUE [{"item": COUNTIF(c.valid)}]\nFROM c',
      { aggregates: ['CountIf'] }
    ],
    [
      'SELECT VALUE MAKELIST(c.blah) FROM c',
      'SELECT VALUE [{"item": MAKELIST(c.blah)}]\nFROM c',
      { aggregates: ['MakeList'] }
    ],
    [
      'SELECT MAKESET(c.blah) FROM c',
      'SELECT {"$1": {"item": MAKESET(c.blah)}} AS payload\nFROM c',
      { groupByAliasToAggregateType: { $1: 'MakeSet' } }
    ],
    [
      'SELECT * FROM Root r ORDER BY r.key DESC',
      `SELECT r._rid, [{"item": r.key}] AS orderByItems, r AS payload\nFROM Root AS r\nWHERE ${FILTER}\nORDER BY r.key DESC`,
      { orderBy: ['Descending'], orderByExpressions: ['r.key'] }
    ],
    [
      'SELECT c.blah, c.blah2 FROM Root c WHERE c.key IN (1, 2) ORDER BY c.key, c.blah ASC',
      `SELECT c._rid, [{"item": c.key}, {"item": c.blah}] AS orderByItems, {"blah": c.blah, "blah2": c.blah2} AS payload\nFROM Root AS c\nWHERE ((c.key IN (1, 2)) AND ${FILTER})\nORDER BY c.key, c.blah ASC`,
      { orderBy: ['Ascending', 'Ascending'], orderByExpressions: ['c.key', 'c.blah'] }
    ],
    [
      'SELECT TOP 50 r[0] FROM r ORDER BY r.key ASC',
      `SELECT TOP 50 r._rid, [{"item": r.key}] AS orderByItems, {"$1": r[0]} AS payload\nFROM r\nWHERE ${FILTER}\nORDER BY r.key ASC`,
      { top: 50 }
    ],
    [
      'SELECT VALUE c.blah FROM Root c ORDER BY c.key',
      `SELECT c._rid, [{"item": c.key}] AS orderByItems, c.blah AS payload\nFROM Root AS c\nWHERE (${FILTER} AND IS_DEFINED(c.blah))\nORDER BY c.key`,
      { hasSelectValue: true }
    ],
    ['SELECT TOP 5 * FROM c', '', { top: 5 }],
    ['SELECT * FROM c OFFSET 1 LIMIT 2', 'SELECT *\nFROM c\nOFFSET 0 LIMIT 3', { offset: 1, limit: 2 }],
    ['SELECT DISTINCT c.blah FROM c', '', { distinctType: 'Unordered' }],
    [
      'SELECT DISTINCT VALUE c.blah FROM c ORDER BY c.blah',
      `SELECT c._rid, [{"item": c.blah}] AS orderByItems, c.blah AS payload\nFROM c\nWHERE (${FILTER} AND IS_DEFINED(c.blah))\nORDER BY c.blah`,
      { distinctType: 'Ordered' }
    ],
    [
      'SELECT DISTINCT TOP 5 VALUE c.name FROM c',
      'SELECT DISTINCT VALUE c.name\nFROM c',
      { distinctType: 'Unordered', top: 5 }
    ],
    [
      'SELECT DISTINCT * FROM c WHERE c.key = 5 OFFSET 1 LIMIT 2',
      'SELECT DISTINCT *\nFROM c\nWHERE (c.key = 5)',
      { distinctType: 'Unordered' }
    ],
    [
      'SELECT c.shop, COUNT(1) AS orders, AVG(c.total) mean, MIN(c.total) FROM c WHERE c.open GROUP BY c.shop, c.day',
      'SELECT [{"item": c.shop}, {"item": c.day}] AS groupByItems, {"shop": c.shop, "orders": {"item": COUNT(1)}, "mean": {"item": {"sum": SUM(c.total), "count": COUNT(c.total)}}, "$1": {"item": MIN(c.total), "item2": {"min": MIN(c.total), "count": COUNT(c.total)}}} AS payload\nFROM c\nWHERE c.open\nGROUP BY c.shop, c.day',
      {
        groupByExpressions: ['c.shop', 'c.day'],
        groupByAliases: ['shop', 'orders', 'mean', '$1'],
        groupByAliasToAggregateType: { shop: null, orders: 'Count', mean: 'Average', $1: 'Min' },
        aggregates: [],
        hasSelectValue: false
      }
    ],
    [
      'SELECT VALUE SUM(c.total) FROM c GROUP BY LOWER(c.shop)',
      'SELECT [{"item": LOWER(c.shop)}] AS groupByItems, [{"item": SUM(c.total)}] AS payload\nFROM c\nGROUP BY LOWER(c.shop)',
      {
        groupByExpressions: ['LOWER(c.shop)'],
        groupByAliases: [],
        groupByAliasToAggregateType: {},
        aggregates: ['Sum'],
        hasSelectValue: true
      }
    ],
    [
      'SELECT TOP 3 VALUE [c.shop] FROM c GROUP BY c.shop',
      'SELECT [{"item": c.shop}] AS groupByItems, [c.shop] AS payload\nFROM c\nGROUP BY c.shop',
      { top: 3, aggregates: [], hasSelectValue: true }
    ],
    [
      'SELECT line.sku, COUNT(1) AS n FROM c JOIN line IN c.lines WHERE EXISTS(SELECT VALUE t FROM t IN line.tags) GROUP BY line.sku',
      'SELECT [{"item": line.sku}] AS groupByItems, {"sku": line.sku, "n": {"item": COUNT(1)}} AS payload\nFROM c\nJOIN line IN c.lines\nWHERE EXISTS(\n    SELECT VALUE t\n    FROM t IN line.tags\n)\nGROUP BY line.sku',
      { groupByExpressions: ['line.sku'] }
    ],
    ['SELECT c.id, line FROM c JOIN (SELECT VALUE l FROM l IN c.lines) line', '', {}],
    [
      'SELECT c.id FROM c JOIN t IN c.tags ORDER BY c.at',
      `SELECT c._rid, [{"item": c.at}] AS orderByItems, {"id": c.id} AS payload\nFROM c\nJOIN t IN c.tags\nWHERE ${FILTER}\nORDER BY c.at`,
      { orderBy: ['Ascending'] }
    ],
    [
      'SELECT COUNT(1) AS shops FROM (SELECT DISTINCT VALUE c.shop FROM c) AS d',
      'SELECT DISTINCT VALUE c.shop\nFROM c',
      { distinctType: 'Unordered', dCountInfo: { dCountAlias: 'shops' }, aggregates: [], hasSelectValue: true }
    ],
    [
      'SELECT VALUE COUNT(1) FROM (SELECT DISTINCT c.shop, c.day FROM c)',
      'SELECT DISTINCT c.shop, c.day\nFROM c',
      { dCountInfo: { dCountAlias: null } }
    ]
  ])('has the rewritten query and the properties that the service returns: %s', (text, rewritten, expected) => {
    const info = infoOf(text)

    expect(info.rewrittenQuery).toBe(rewritten)
    expect(info).toMatchObject(expected)
  })

  it.each<[string, string]>([
    ['SELECT DISTINCT c.b, c.a FROM c ORDER BY c.a, c.b DESC', 'Ordered'],
    // equal rows need not be adjacent if the order uses more or less than the row
    ['SELECT DISTINCT VALUE c.a FROM c ORDER BY c.a, c.b', 'Unordered'],
    ['SELECT DISTINCT c.a, c.b FROM c ORDER BY c.a', 'Unordered'],
    ['SELECT DISTINCT * FROM c ORDER BY c.a', 'Unordered']
  ])('for %s has the distinctType %s', (text, expected) => {
    expect(infoOf(text).distinctType).toBe(expected)
  })

  it('has the values of parameters in TOP, OFFSET and LIMIT', () => {
    const info = infoOf('SELECT * FROM c OFFSET @o LIMIT @l', { '@o': 42, '@l': 1337 })

    expect(info).toMatchObject({ offset: 42, limit: 1337, rewrittenQuery: 'SELECT *\nFROM c\nOFFSET 0 LIMIT 1379' })
    expect(infoOf('SELECT TOP @t * FROM c', { '@t': 7 }).top).toBe(7)
    expect(() => infoOf('SELECT TOP @t * FROM c')).toThrow('@t')
    expect(() => infoOf('SELECT TOP @t * FROM c', { '@t': -1 })).toThrow('whole number')
  })

  it.each<[string, string]>([
    ['SELECT VALUE COUNT(1) FROM c', 'Aggregate'],
    ['SELECT COUNT(1), MAX(c.a) FROM c', 'Aggregate MultipleAggregates NonValueAggregate'],
    ['SELECT VALUE COUNT(1) FROM c ORDER BY c.a, c.b', 'Aggregate'],
    ['SELECT VALUE COUNTIF(c.a) FROM c', 'Aggregate CountIf'],
    ['SELECT VALUE MAKELIST(c.a) FROM c', 'Aggregate ListAndSetAggregate'],
    ['SELECT DISTINCT TOP 1 c.a FROM c', 'Distinct Top'],
    ['SELECT c.a FROM c GROUP BY c.a', 'GroupBy'],
    ['SELECT c.a, COUNT(1) FROM c GROUP BY c.a', 'Aggregate GroupBy NonValueAggregate'],
    ['SELECT COUNT(1), MAX(c.b) FROM c GROUP BY c.a', 'Aggregate GroupBy MultipleAggregates NonValueAggregate'],
    ['SELECT COUNT(1) FROM (SELECT DISTINCT c.a FROM c)', 'Distinct DCount'],
    ['SELECT * FROM c ORDER BY c.a, c.b OFFSET 1 LIMIT 1', 'MultipleOrderBy OffsetAndLimit OrderBy']
  ])('for %s needs a client that supports %s', (text, features) => {
    const query = parseQuery(text)

    expect(() => planQuery(query, 'NoneQuery')).toThrow(`which the calling client does not support: None ${features}.`)
    expect(() => planQuery(query, features.replaceAll(' ', ', '))).not.toThrow()
    expect(() => planQuery(query, '')).not.toThrow()
  })

  it('has no window if one key has all rows, or if there is no FROM', () => {
    const key = { min: '0A', max: '0A', isMinInclusive: true, isMaxInclusive: true }
    const infoWith = (text: string, ranges = [key]): QueryInfo =>
      planQuery(parseQuery(text), '', new Map(), ranges).queryInfo
    const windowed = 'SELECT * FROM c WHERE c.key = 5 OFFSET 1 LIMIT 2'

    expect(infoWith(windowed)).toMatchObject({ offset: null, limit: null, rewrittenQuery: '' })
    expect(infoWith(windowed, [key, { ...key, min: '0B', max: '0B' }])).toMatchObject({ offset: 1, limit: 2 })
    expect(infoWith(windowed, [{ ...key, max: '0AFF', isMaxInclusive: false }])).toMatchObject({ offset: 1, limit: 2 })
    expect(infoWith('SELECT c.a FROM c WHERE c.key = 5 GROUP BY c.a OFFSET 1 LIMIT 2').offset).toBe(1)
    expect(infoWith('SELECT TOP 2 5')).toMatchObject({ top: null, rewrittenQuery: '' })
    expect(planQuery(parseQuery(windowed), '', new Map(), [key]).queryRanges).toEqual([key])
  })

  it('is refused with the sub-status 1004 if the client does not support a feature', () => {
    expect(() => planQuery(parseQuery('SELECT DISTINCT c.a FROM c'), 'OrderBy, Top')).toThrow(
      expect.objectContaining({ status: 400, subStatus: 1004 })
    )
  })

  it('is refused for compositions of aggregates, which clients cannot combine', () => {
    expect(() => infoOf('SELECT VALUE COUNT(1) + 1 FROM c')).toThrow(QueryError)
    expect(() => infoOf('SELECT VALUE {a: COUNT(1)} FROM c')).toThrow('Compositions of aggregates')
    expect(() => infoOf('SELECT c.a, ABS(AVG(c.b)) AS b FROM c GROUP BY c.a')).toThrow('Compositions of aggregates')
  })

  it.each([
    'SELECT VALUE d FROM (SELECT DISTINCT VALUE c.a FROM c) d',
    'SELECT VALUE d FROM (SELECT c.a FROM c GROUP BY c.a) d',
    'SELECT VALUE COUNT(1) FROM (SELECT VALUE d FROM (SELECT DISTINCT VALUE c.a FROM c) d) e',
    'SELECT VALUE SUM(d) FROM (SELECT VALUE COUNT(1) FROM c) d'
  ])('is refused for a subquery in FROM that depends on the items of all ranges: %s', (text) => {
    expect(() => infoOf(text)).toThrow('unsupported in queries over several ranges')
  })
})
