import { parseQuery } from '@keystamp/planner'
import { describe, expect, it, test } from 'vitest'
import { readSql } from '../../src/planner/read-sql.ts'

const NOTHING = { equal: [], several: [], between: [], byId: false, notes: [] }
const DAY = 86_400

describe('filters in SQL', () => {
  test.each<[string, object]>([
    ['SELECT * FROM c', {}],
    ['SELECT * FROM c WHERE c.deviceId = @d', { equal: ['/deviceId'] }],
    ["SELECT c.id FROM c WHERE 'x' = c.a.b AND c['first name'] = @n", { equal: ['/a/b', '/first name'] }],
    ['SELECT * FROM c WHERE c.id = @id AND c.pk = @pk', { equal: ['/id', '/pk'], byId: true }],
    ['SELECT * FROM c WHERE c.a IN (1, 2, @x)', { equal: ['/a'], several: [{ field: '/a', values: 3 }] }],
    ['SELECT * FROM c WHERE c.id IN (@a, @b)', { equal: ['/id'], several: [{ field: '/id', values: 2 }] }],
    [
      'SELECT * FROM c WHERE (c.a = 1 OR c.a = 2) AND c.b = 3',
      {
        equal: ['/a', '/b'],
        several: [{ field: '/a', values: 2 }]
      }
    ],
    ['SELECT * FROM c WHERE c.a = 1 OR c.b = 2', {}],
    ['SELECT * FROM c WHERE c.a = c.b AND c.c != 1 AND NOT c.d = 2 AND UPPER(c.e) = "X"', {}],
    ['SELECT * FROM c WHERE c.isOpen', { equal: ['/isOpen'] }],
    ['SELECT * FROM c WHERE c.at >= @a AND @b > c.at', { between: [{ field: '/at' }], openRanges: ['/at'] }],
    [
      'SELECT * FROM c WHERE c.at BETWEEN @a AND @b AND c.d = @d',
      {
        equal: ['/d'],
        between: [{ field: '/at' }],
        openRanges: ['/at']
      }
    ],
    [
      "SELECT * FROM c WHERE c.at >= '2026-01-01' AND c.at < '2026-01-02T00:00:00Z'",
      {
        between: [{ field: '/at', seconds: DAY }],
        openRanges: []
      }
    ],
    [
      'SELECT * FROM c WHERE c._ts >= 1767225600 AND c._ts < 1767229200',
      {
        between: [{ field: '/_ts', seconds: 3600 }]
      }
    ],
    ['SELECT * FROM c WHERE c.price > 10', { between: [{ field: '/price' }], openRanges: [] }],
    ["SELECT * FROM c WHERE STARTSWITH(c.name, 'a')", { between: [{ field: '/name' }] }],
    ['SELECT * FROM c WHERE ARRAY_CONTAINS(["a", "b"], c.a)', { equal: ['/a'], several: [{ field: '/a', values: 2 }] }],
    ['SELECT TOP 5 * FROM c WHERE c.a = 1 ORDER BY c.at DESC', { equal: ['/a'], rows: 5 }],
    ['SELECT * FROM c ORDER BY c.at OFFSET 20 LIMIT 30', { rows: 30 }],
    ['SELECT VALUE COUNT(1) FROM c WHERE c.a = 1', { equal: ['/a'], isAggregate: true }],
    ['SELECT c.a, COUNT(1) FROM c WHERE c.b = 1 GROUP BY c.a', { equal: ['/b'], isAggregate: true }],
    ['SELECT * FROM c JOIN i IN c.items WHERE c.a = 1 AND i.b = 2', { equal: ['/a'] }],
    ['SELECT c.a FROM c JOIN (SELECT VALUE i FROM i IN c.items WHERE i.c = 3) s WHERE c.a = 1', { equal: ['/a'] }],
    [
      'SELECT (SELECT VALUE COUNT(1) FROM i IN c.items) AS n FROM c WHERE c.a = 1',
      { equal: ['/a'], isAggregate: false }
    ],
    [
      'SELECT c.a FROM c JOIN a IN c.list WHERE c.b = 1 AND a = 2 GROUP BY c.a, a',
      { equal: ['/b'], isAggregate: true }
    ],
    ['SELECT * FROM c.address d WHERE d.city = @c', { equal: ['/address/city'] }],
    ['SELECT * FROM c WHERE c.mail = "a@1.com" AND c["order"] = 1 -- WHERE c.x = 1', { equal: ['/mail', '/order'] }]
  ])('are read from %s', (sql, expected) => {
    expect(readSql(sql)).toMatchObject({ ...NOTHING, ...expected })
  })

  test.each<[string, object, string]>([
    [
      'SELECT * FROM c WHERE c.a = 1 AND EXISTS(SELECT VALUE i FROM i IN c.items WHERE i.b = 2) AND c.d = 3',
      { equal: ['/a', '/d'] },
      'the condition EXISTS(SELECT VALUE i FROM i IN c.items WHERE i.b = 2) is not used: A subquery does not say which values it returns'
    ],
    [
      'SELECT udf.f(c.a) FROM c WHERE c.a = 1',
      { equal: ['/a'] },
      "SELECT is not used: The user-defined function 'udf.f'"
    ],
    ['SELECT * FROM (SELECT * FROM c) d WHERE d.a = 1', {}, 'FROM is not used: A subquery in FROM'],
    [
      'SELECT * FROM c WHERE c.a = (SELECT VALUE MAX(i.b) FROM i IN c.items) AND c.d = 3',
      { equal: ['/d'] },
      'is not used: A subquery does not say which values it returns'
    ],
    [
      'SELECT * FROM c WHERE ARRAY_CONTAINS(ARRAY(SELECT VALUE i.b FROM i IN c.items), c.a) AND c.d = 3',
      { equal: ['/d'] },
      'is not used: A subquery'
    ],
    ['SELECT * FROM c WHERE (c.a = 1 OR EXISTS(SELECT VALUE 1)) AND c.d = 3', { equal: ['/d'] }, 'A subquery'],
    [
      'SELECT * FROM c WHERE c.a = = 1 AND c.b = 2',
      { equal: ['/b'] },
      'the condition c.a = = 1 is not used: Syntax error'
    ],
    ['SELECT * FROM c WHERE c.a = "b', {}, 'the query is not used: Syntax error: the string is not closed'],
    [
      'SELECT * FROM i IN c.items WHERE i.a = 1',
      {},
      'on the elements of an array, which cannot be part of a partition key'
    ],
    [
      'SELECT * FROM c WHERE ARRAY_CONTAINS(@ids, c.a)',
      { equal: ['/a'], several: [{ field: '/a', values: 10 }] },
      'the list for /a has an unknown number of values: 10 are assumed'
    ]
  ])('are read from %s as far as possible, with notes for the parts that are not used', (sql, expected, note) => {
    expect(readSql(sql)).toMatchObject({ ...NOTHING, ...expected, notes: [expect.stringContaining(note)] })
  })

  it('may be followed by a rate, the number of documents and the length of a range', () => {
    const sql = 'SELECT * FROM c WHERE c.deviceId = @d AND c.ts >= @a AND c.ts < @b'

    expect(parseQuery(`${sql} @ 20/s`, readSql)).toEqual({
      ok: true,
      value: {
        name: `${sql} @ 20/s`,
        perSecond: 20,
        equal: ['/deviceId'],
        between: [{ field: '/ts' }],
        byId: false,
        rows: 10,
        notes: [
          'the length of the range of /ts is unknown; if the field is a time, write the length after the rate: ts=day'
        ]
      }
    })
    const reading = parseQuery(`${sql} @ 20/s rows=50, ts=day`, readSql)
    expect(reading).toMatchObject({ value: { perSecond: 20, rows: 50, between: [{ field: '/ts', seconds: DAY }] } })
    expect(reading).not.toHaveProperty('value.notes')
    expect(parseQuery(`${sql} @ 20/s at=day`, readSql)).toEqual({
      ok: false,
      reason: 'cannot be read: the query has no range of /at, but its length is given'
    })
  })

  it('of an aggregate have a note if the number of documents that it reads is not given', () => {
    const sql = 'SELECT VALUE COUNT(1) FROM c WHERE c.a = 1 @ 1/s'

    expect(parseQuery(sql, readSql)).toMatchObject({ value: { notes: [expect.stringContaining('rows=1000')] } })
    expect(parseQuery(`${sql} rows=500`, readSql)).not.toHaveProperty('value.notes')
  })
})
