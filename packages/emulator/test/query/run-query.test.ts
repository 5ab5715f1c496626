import { describe, expect, it } from 'vitest'
import { parsePredicate, parseQuery, QueryError, runQuery } from '../../src/query/index.ts'
import { rowsOf } from './query-of.ts'

const documents = [
  { id: '1', n: 1, name: 'ann', tags: ['x', 'y'], at: { city: 'Rome' } },
  { id: '2', n: 2, name: 'bob', flag: true, at: { city: 'Oslo' } },
  { id: '3', n: null, name: 'cy' },
  { id: '4', n: 'two', tags: [] },
  { id: '5' }
]

const ids = (rows: unknown[]): unknown[] => rows.map((row) => (row as { id: unknown }).id)

describe('SELECT', () => {
  it.each<[string, unknown[]]>([
    ['SELECT * FROM c WHERE c.id = "5"', [{ id: '5' }]],
    ['SELECT c.id, c.n FROM c WHERE c.id IN ("1", "5")', [{ id: '1', n: 1 }, { id: '5' }]],
    ['SELECT c.at.city FROM c WHERE c.n = 1', [{ city: 'Rome' }]],
    ['SELECT c["at"]["city"] FROM c WHERE c.n = 1', [{ city: 'Rome' }]],
    ['SELECT c.n AS number, c.n + 1, -c.n FROM c WHERE c.n = 1', [{ number: 1, $1: 2, $2: -1 }]],
    ['SELECT c.n number FROM c WHERE c.n = 1', [{ number: 1 }]],
    ['SELECT VALUE c.name FROM c', ['ann', 'bob', 'cy']],
    ['SELECT VALUE c.tags[1] FROM c', ['y']],
    ['SELECT VALUE {a: c.n, "b": [c.name, c.missing]} FROM c WHERE c.n = 1', [{ a: 1, b: ['ann'] }]],
    ['SELECT c.missing FROM c WHERE c.n = 1', [{}]],
    ['SELECT c FROM c WHERE c.id = "5"', [{ c: { id: '5' } }]],
    ['SELECT 1, "a" AS text', [{ $1: 1, text: 'a' }]],
    ['SELECT VALUE undefined FROM c', []],
    ['SELECT DISTINCT VALUE IS_DEFINED(c.tags) FROM c', [true, false]],
    ['SELECT DISTINCT VALUE {a: 1, b: IS_DEFINED(c.id)} FROM c', [{ a: 1, b: true }]],
    ['SELECT TOP 2 VALUE c.id FROM c', ['1', '2']],
    ['SELECT DISTINCT TOP 1 VALUE IS_DEFINED(c.tags) FROM c', [true]],
    ['SELECT TOP 0 * FROM c', []],
    ['select value c.id from c where c.n = 1', ['1']]
  ])('returns the expected rows for %s', (text, expected) => {
    expect(rowsOf(text, documents)).toEqual(expected)
  })

  it('handles a property named __proto__ like other properties', () => {
    const [row] = rowsOf('SELECT c["__proto__"] AS __proto__ FROM c', [JSON.parse('{"__proto__":{"a":1}}')])

    expect(JSON.stringify(row)).toBe('{"__proto__":{"a":1}}')
  })
})

describe('FROM', () => {
  it.each<[string, unknown[]]>([
    ['SELECT VALUE r.id FROM Root r', ['1', '2', '3', '4', '5']],
    ['SELECT VALUE root.id FROM root', ['1', '2', '3', '4', '5']],
    ['SELECT VALUE x.id FROM c AS x WHERE x.n = 2', ['2']],
    ['SELECT VALUE at.city FROM c.at', ['Rome', 'Oslo']],
    ['SELECT VALUE p FROM c.at.city AS p', ['Rome', 'Oslo']],
    ['SELECT VALUE t FROM c["tags"][0] AS t', ['x']],
    ['SELECT VALUE t FROM t IN c.tags', ['x', 'y']],
    ['SELECT VALUE COUNT(1) FROM c.at', [2]],
    ['SELECT * FROM t IN c.tags WHERE t = "y"', ['y']]
  ])('returns the expected rows for %s', (text, expected) => {
    expect(rowsOf(text, documents)).toEqual(expected)
  })
})

describe('WHERE', () => {
  it.each<[string, string[]]>([
    ['c.n = 1', ['1']],
    // values of another type are unequal; an absent value is neither equal nor unequal
    ['c.n != 1', ['2', '3', '4']],
    ['c.n <> 1', ['2', '3', '4']],
    ['NOT c.n = 1', ['2', '3', '4']],
    ['NOT (c.n = 1)', ['2', '3', '4']],
    ['c.n = null', ['3']],
    ['c.n != null', ['1', '2', '4']],
    ['c.n > 0', ['1', '2']],
    ['NOT (c.n > 1)', ['1']],
    ['c.n >= null', ['3']],
    ['c.name < "bz"', ['1', '2']],
    ['c.flag', ['2']],
    ['c.n', []],
    ['c.n = 1 OR c.missing', ['1']],
    ['c.id = "1" AND c.n BETWEEN 1 AND 2 AND true', ['1']],
    ['c.n NOT BETWEEN 2 AND 9', ['1']],
    ['c.n IN (1, "two", null)', ['1', '3', '4']],
    ['c.n NOT IN (1, "two")', ['2', '3']],
    ['c.tags IN (["x", "y"], 3)', ['1']],
    ['c.tags = ["x", "y"]', ['1']],
    ['c.at = {city: "Oslo"}', ['2']],
    ['c.name LIKE "%n%"', ['1']],
    ['c.name NOT LIKE "%n%"', ['2', '3']],
    ['c.name LIKE "b" || "_b"', ['2']],
    ['CONTAINS(c.name, "O", true)', ['2']],
    ['IS_DEFINED(c.flag) ? c.flag : c.n = 1', ['1', '2']],
    ['(c.n ?? 1) = 1', ['1', '5']],
    ['ARRAY_CONTAINS(c.tags, "x")', ['1']]
  ])('keeps the documents that meet %s', (condition, expected) => {
    expect(ids(rowsOf(`SELECT * FROM c WHERE ${condition}`, documents))).toEqual(expected)
  })

  it('uses parameters', () => {
    const rows = rowsOf('SELECT * FROM c WHERE c.n = @n OR c.at = @at OR c.id IN (@a, @b)', documents, {
      '@n': 1,
      '@at': { city: 'Oslo' },
      '@a': '4',
      '@b': ['5']
    })

    expect(ids(rows)).toEqual(['1', '2', '4'])
  })

  it('accepts a parameter that is undefined', () => {
    expect(rowsOf('SELECT * FROM c WHERE c.n = @n', documents, { '@n': undefined })).toEqual([])
  })
})

describe('ORDER BY', () => {
  it('orders types as the service does: undefined, null, boolean, number, string, array, object', () => {
    const values = [{}, [1], 'a', 'B', 2, -1, true, false, null]
    const rows = rowsOf('SELECT VALUE c.v FROM c ORDER BY c.v', [...values.map((v) => ({ v })), {}])

    expect(rows).toEqual([null, false, true, -1, 2, 'B', 'a', [1], {}])
  })

  it('puts items without the property first in ascending order, and last in descending order', () => {
    expect(ids(rowsOf('SELECT * FROM c ORDER BY c.n', documents))).toEqual(['5', '3', '1', '2', '4'])
    expect(ids(rowsOf('SELECT * FROM c ORDER BY c.n DESC', documents))).toEqual(['4', '2', '1', '3', '5'])
  })

  it('orders by several properties, and keeps the order of items with equal values', () => {
    const rows = [
      { id: 'a', k: 1, m: 1 },
      { id: 'b', k: 2, m: 1 },
      { id: 'c', k: 1, m: 2 },
      { id: 'd', k: 2, m: 1 }
    ]

    expect(ids(rowsOf('SELECT * FROM c ORDER BY c.k DESC, c.m ASC', rows))).toEqual(['b', 'd', 'a', 'c'])
    expect(ids(rowsOf('SELECT * FROM c ORDER BY c.m, c.k DESC', rows))).toEqual(['b', 'd', 'a', 'c'])
  })

  it('applies OFFSET and LIMIT after the order', () => {
    expect(rowsOf('SELECT VALUE c.id FROM c ORDER BY c.id DESC OFFSET 1 LIMIT @l', documents, { '@l': 2 })).toEqual([
      '4',
      '3'
    ])
  })
})

describe('aggregates', () => {
  it.each<[string, unknown[]]>([
    ['SELECT VALUE COUNT(1) FROM c', [5]],
    ['SELECT VALUE COUNT(c.n) FROM c', [4]],
    ['SELECT VALUE COUNT(1) FROM c WHERE false', [0]],
    ['SELECT VALUE SUM(c.n) FROM c WHERE IS_NUMBER(c.n)', [3]],
    ['SELECT VALUE SUM(c.missing) FROM c', [0]],
    // one value that is not a number makes the sum undefined, an absent value does not
    ['SELECT VALUE SUM(c.n) FROM c', []],
    ['SELECT VALUE AVG(c.n) FROM c WHERE NOT (c.n = null) AND c.n != "two"', [1.5]],
    ['SELECT VALUE AVG(c.missing) FROM c', []],
    ['SELECT AVG(c.missing) FROM c', [{}]],
    ['SELECT VALUE MIN(c.n) FROM c', [null]],
    ['SELECT VALUE MAX(c.n) FROM c', ['two']],
    ['SELECT VALUE MAX(c.tags) FROM c', []],
    ['SELECT VALUE MIN(c.missing) FROM c', []],
    ['SELECT COUNT(1) AS rows, MAX(c.id), SUM(1) FROM c', [{ rows: 5, $1: '5', $2: 5 }]],
    ['SELECT VALUE {low: MIN(c.id), spread: COUNT(1) * 2} FROM c', [{ low: '1', spread: 10 }]],
    ['SELECT VALUE COUNT(t) FROM t IN c.tags', [2]],
    // ORDER BY has no effect on an aggregate; items without the property count
    ['SELECT VALUE COUNT(1) FROM c ORDER BY c.n ASC', [5]],
    ['SELECT COUNT(1) AS rows, MAX(c.id) FROM c ORDER BY c.missing, c.n DESC', [{ rows: 5, $1: '5' }]],
    ['SELECT VALUE COUNTIF(c.n > 0) FROM c', [2]],
    ['SELECT VALUE COUNTIF(c.missing) FROM c', [0]],
    ['SELECT VALUE COUNTIF(c.id) FROM c', [0]],
    ['SELECT VALUE MAKELIST(c.n) FROM c', [[1, 2, null, 'two']]],
    ['SELECT VALUE MAKELIST(c.missing) FROM c', [[]]],
    ['SELECT VALUE MAKESET(IS_NUMBER(c.n)) FROM c', [[true, false]]],
    ['SELECT MAKESET(t) AS tags FROM t IN c.tags', [{ tags: ['x', 'y'] }]]
  ])('have the expected results: %s', (text, expected) => {
    expect(rowsOf(text, documents)).toEqual(expected)
  })
})

describe('the query that clients send to each range', () => {
  it.each<[string, unknown[]]>([
    ['SELECT VALUE [{"item": COUNT(1)}]\nFROM c', [[{ item: 5 }]]],
    ['SELECT VALUE [{"item": SUM(c.n)}] FROM c', [[{}]]],
    ['SELECT VALUE [{"item": {"sum": SUM(c.x), "count": COUNT(c.x)}}] FROM c', [[{ item: { sum: 0, count: 0 } }]]],
    [
      'SELECT VALUE [{"item": MAX(c.id), "item2": {"max": MAX(c.id), "count": COUNT(c.id)}}] FROM c',
      [[{ item: '5', item2: { max: '5', count: 5 } }]]
    ],
    ['SELECT {"$1": {"item": COUNT(1)}} AS payload\nFROM c', [{ payload: { $1: { item: 5 } } }]],
    [
      'SELECT TOP 1 c._rid, [{"item": c.n}] AS orderByItems, {"id": c.id} AS payload\nFROM c\nWHERE ((c.n > 0) AND (true))\nORDER BY c.n DESC',
      [{ orderByItems: [{ item: 2 }], payload: { id: '2' } }]
    ],
    ['SELECT VALUE c.id FROM c WHERE (true) ORDER BY c.id\nOFFSET 0 LIMIT 1', ['1']],
    ['SELECT root._rid, root AS payload FROM root WHERE root["n"] >= 2 ORDER BY root["n"]', [{ payload: documents[1] }]]
  ])('is supported: %s', (text, expected) => {
    expect(rowsOf(text, documents)).toEqual(expected)
  })
})

describe('running a query', () => {
  it('stops reading documents after the number of rows in TOP', () => {
    let read = 0
    const endless = (function* endless(): Generator {
      for (;;) yield { id: read++ }
    })()

    const rows = runQuery(parseQuery('SELECT TOP 3 VALUE c.id FROM c'), { documents: endless, parameters: new Map() })

    expect(rows).toEqual([0, 1, 2])
    expect(read).toBe(3)
  })

  it('never returns properties that a JavaScript object inherits', () => {
    const text = 'SELECT c.constructor, c.toString, c.name.length, c.tags.length AS count, c["hasOwnProperty"] FROM c'

    expect(rowsOf(text, [documents[0]])).toEqual([{}])
  })
})

describe('a condition of a patch', () => {
  it.each<[string, boolean]>([
    ['from c where c.n = 3', true],
    ['FROM c WHERE c.n > 3', false],
    ['from x where x.tags[0] = "a" and is_defined(x.n)', true],
    ['from c where c.missing = 1', false],
    ['from c where c.missing', false],
    ['from c', true]
  ])('%s is met: %s', (text, expected) => {
    expect(parsePredicate(text)({ n: 3, tags: ['a'] })).toBe(expected)
  })

  it.each([
    'where c.n = 3',
    'from c where',
    'from c where d.n = 3',
    'from c where c.n = @n',
    'from c where c.n = 3 order by c.n',
    'from c where count(1) = 1'
  ])('is refused if it is %s', (text) => {
    expect(() => parsePredicate(text)).toThrow(QueryError)
  })
})
