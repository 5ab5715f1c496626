import { describe, expect, it } from 'vitest'
import { finishNow, parseQuery, startQuery } from '../../src/query/index.ts'
import { rowsOf } from './query-of.ts'

const documents = [
  {
    id: '1',
    tags: ['x', 'y'],
    sizes: [
      { n: 1, of: ['s'] },
      { n: 5, of: ['m', 'l'] }
    ],
    low: 2
  },
  { id: '2', tags: ['y'], sizes: [{ n: 7 }], low: 9 },
  { id: '3', tags: 'x' },
  { id: '4', tags: [] }
]

describe('JOIN', () => {
  it.each<[string, unknown[]]>([
    [
      'SELECT c.id, t FROM c JOIN t IN c.tags',
      [
        { id: '1', t: 'x' },
        { id: '1', t: 'y' },
        { id: '2', t: 'y' }
      ]
    ],
    ['SELECT VALUE c.id FROM c JOIN t IN c.tags WHERE t = "y"', ['1', '2']],
    [
      'SELECT VALUE [c.id, t, s.n] FROM c JOIN t IN c.tags JOIN s IN c.sizes',
      [
        ['1', 'x', 1],
        ['1', 'x', 5],
        ['1', 'y', 1],
        ['1', 'y', 5],
        ['2', 'y', 7]
      ]
    ],
    ['SELECT VALUE o FROM c JOIN s IN c.sizes JOIN o IN s["of"]', ['s', 'm', 'l']],
    ['SELECT VALUE s FROM c JOIN c.tags AS s WHERE c.id = "3"', ['x']],
    ['SELECT VALUE COUNT(1) FROM c JOIN t IN c.tags', [3]],
    ['SELECT VALUE s.n FROM r IN c.sizes JOIN s IN r["of"]', []],
    ['SELECT VALUE o FROM r IN c.sizes JOIN o IN r["of"]', ['s', 'm', 'l']],
    ['SELECT VALUE t FROM c JOIN (SELECT VALUE t FROM t IN c.tags WHERE t > "x") t', ['y', 'y']],
    ['SELECT VALUE s FROM c JOIN (SELECT VALUE SUM(s.n) FROM s IN c.sizes) AS s', [6, 7, 0, 0]],
    [
      'SELECT c.id, n.low FROM c JOIN (SELECT MIN(s.n) AS low FROM s IN c.sizes) n WHERE n.low > 0',
      [
        { id: '1', low: 1 },
        { id: '2', low: 7 }
      ]
    ],
    [
      'SELECT VALUE u.name FROM c JOIN t IN c.tags JOIN u IN (SELECT VALUE [{tag: "x", name: "ex"}]) WHERE u.tag = t',
      ['ex']
    ],
    [
      'SELECT c.id, t FROM c JOIN t IN c.tags ORDER BY c.id DESC',
      [
        { id: '2', t: 'y' },
        { id: '1', t: 'x' },
        { id: '1', t: 'y' }
      ]
    ]
  ])('combines an item with the elements of its arrays: %s', (text, expected) => {
    expect(rowsOf(text, documents)).toEqual(expected)
  })

  it.each<[string, string]>([
    ['SELECT * FROM c JOIN t IN c.tags', "'SELECT *' is only valid with a single input set"],
    ['SELECT t FROM c JOIN t IN d.tags', "The name 'd' could not be resolved"],
    ['SELECT t FROM c JOIN t IN t.tags', "The name 't' could not be resolved"],
    ['SELECT t FROM c JOIN c IN c.tags', "The input alias 'c' is specified more than once in the FROM clause"],
    ['SELECT t FROM c JOIN t IN c.tags ORDER BY t.a', 'Order-by over correlated collections is not supported'],
    ['SELECT t FROM c JOIN', 'expected the name of a collection']
  ])('is refused with 400 if its sources are not clear: %s', (text, message) => {
    expect(() => parseQuery(text)).toThrow(
      expect.objectContaining({ status: 400, message: expect.stringContaining(message) })
    )
  })
})

describe('a subquery', () => {
  it.each<[string, unknown[]]>([
    ['SELECT VALUE (SELECT VALUE COUNT(1) FROM t IN c.tags) FROM c', [2, 1, 0, 0]],
    [
      'SELECT c.id, (SELECT VALUE MAX(s.n) FROM s IN c.sizes) AS most FROM c WHERE c.low > 0',
      [
        { id: '1', most: 5 },
        { id: '2', most: 7 }
      ]
    ],
    ['SELECT (SELECT c.id) FROM c WHERE c.id = "1"', [{ $1: { id: '1' } }]],
    ['SELECT VALUE (SELECT * FROM c) FROM c WHERE c.id = "4"', [{ id: '4', tags: [] }]],
    ['SELECT VALUE (SELECT VALUE 1)', [1]],
    ['SELECT VALUE c.id FROM c WHERE (SELECT VALUE COUNT(1) FROM s IN c.sizes WHERE s.n > c.low) = 1', ['1']],
    ['SELECT VALUE ARRAY(SELECT VALUE t FROM t IN c.tags WHERE t != "x") FROM c', [['y'], ['y'], [], []]],
    ['SELECT VALUE ARRAY(SELECT DISTINCT VALUE LENGTH(t) FROM t IN c.tags) FROM c WHERE c.id = "1"', [[1]]],
    [
      'SELECT VALUE ARRAY(SELECT t, COUNT(1) AS n FROM t IN c.tags GROUP BY t) FROM c WHERE c.id = "2"',
      [[{ t: 'y', n: 1 }]]
    ],
    ['SELECT VALUE c.id FROM c WHERE EXISTS(SELECT VALUE t FROM t IN c.tags WHERE t = "x")', ['1']],
    ['SELECT VALUE c.id FROM c WHERE NOT EXISTS(SELECT VALUE t FROM t IN c.tags)', ['3', '4']],
    ['SELECT VALUE EXISTS(SELECT VALUE undefined)', [false]],
    [
      'SELECT VALUE c.id FROM c WHERE EXISTS(SELECT VALUE s FROM s IN c.sizes WHERE EXISTS(SELECT VALUE o FROM o IN s["of"] WHERE o = "m" AND c.low = 2))',
      ['1']
    ],
    ['SELECT VALUE c.id FROM c WHERE "x" IN ((SELECT VALUE c.tags[0]), "z")', ['1']],
    ['SELECT VALUE d.id FROM (SELECT * FROM c WHERE c.low > 1) AS d WHERE d.low > 2', ['2']],
    ['SELECT VALUE COUNT(1) FROM (SELECT DISTINCT VALUE t FROM t IN c.tags) AS d', [2]],
    ['SELECT VALUE d FROM d IN (SELECT VALUE c.tags FROM c)', ['x', 'y', 'y']]
  ])('has the names of the queries around it: %s', (text, expected) => {
    expect(rowsOf(text, documents)).toEqual(expected)
  })

  it.each<[string, string]>([
    ['SELECT VALUE (SELECT VALUE d.id FROM d) FROM c', "The name 'd' could not be resolved"],
    ['SELECT VALUE (SELECT VALUE c.id FROM c)', "The name 'c' could not be resolved"],
    ['SELECT VALUE (SELECT TOP 1 VALUE t FROM t IN c.tags) FROM c', "'TOP' is not supported in subqueries"],
    [
      'SELECT VALUE ARRAY(SELECT VALUE t FROM t IN c.tags ORDER BY t) FROM c',
      "'ORDER BY' is not supported in subqueries"
    ],
    [
      'SELECT VALUE ARRAY(SELECT VALUE t FROM t IN c.tags OFFSET 0 LIMIT 1) FROM c',
      "'OFFSET LIMIT' clause is not supported in subqueries"
    ],
    [
      'SELECT VALUE d FROM (SELECT * FROM c) d ORDER BY d.a',
      'ORDER BY item expression could not be mapped to a document path'
    ],
    ['SELECT VALUE (SELECT 1', "expected ')'"]
  ])('is refused with 400 if it has no meaning: %s', (text, message) => {
    expect(() => parseQuery(text)).toThrow(
      expect.objectContaining({ status: 400, message: expect.stringContaining(message) })
    )
  })

  it('is refused as a value if it returns more than one row', () => {
    expect(() => rowsOf('SELECT VALUE (SELECT VALUE t FROM t IN c.tags) FROM c', documents)).toThrow(
      'The cardinality of a scalar subquery result set cannot be greater than one'
    )
  })

  it('is refused without a stack overflow if it nests very deep', () => {
    const text = `${'SELECT VALUE ('.repeat(5000)}1${')'.repeat(5000)}`
    const sum = Array.from({ length: 20 }).reduce<string>((inner) => `(SELECT VALUE ${inner}${'+1'.repeat(50)})`, '1')

    expect(() => parseQuery(text)).toThrow('nests deeper than 128 levels')
    expect(() => parseQuery(`SELECT VALUE ${sum}`)).toThrow('more than 256 operators')
  })
})

describe('the limits of JOIN', () => {
  it('refuse a query with more than 10 clauses', () => {
    const joins = Array.from({ length: 11 }, (_, n) => `JOIN t${n} IN c.tags`).join(' ')

    expect(() => parseQuery(`SELECT VALUE 1 FROM c ${joins}`)).toThrow(
      'The query has 11 JOIN clauses; at most 10 are allowed'
    )
  })

  it.each(['SELECT VALUE COUNT(1)', 'SELECT VALUE MAKELIST(a)', 'SELECT DISTINCT a, b', 'SELECT VALUE a'])(
    'refuse more than 250,000 rows of one item, also if a further JOIN drops them: %s',
    (select) => {
      const item = { l: Array.from({ length: 501 }, (_, n) => n), none: [] }
      const query = `${select} FROM c JOIN a IN c.l JOIN b IN c.l JOIN d IN c.none`

      expect(() => rowsOf(query, [item])).toThrow('The JOIN clauses make more than 250000 rows of one item')
      expect(() => rowsOf(query, [{ ...item, l: item.l.slice(0, 400) }])).not.toThrow()
    }
  )
})

describe('the steps of a query', () => {
  const l = Array.from({ length: 300 }, (_, n) => n)

  it.each([
    ['SELECT VALUE [a, b] FROM c JOIN a IN c.l JOIN b IN c.l', 1410],
    ['SELECT DISTINCT VALUE a FROM c JOIN a IN c.l JOIN b IN c.l WHERE a > b', 1410],
    ['SELECT VALUE a FROM c JOIN a IN c.l JOIN b IN c.l JOIN d IN c.none', 1410],
    ['SELECT VALUE COUNT(t) FROM t IN c.l', 4]
  ])('are of 64 rows of an item, and give the same rows as the whole: %s', (text, pauses) => {
    const run = startQuery(parseQuery(text), { parameters: new Map() })
    const steps = [...run.addInSteps!({ l, none: [] })]

    expect(steps).toHaveLength(pauses)
    expect(finishNow(run)).toEqual(rowsOf(text, [{ l, none: [] }]))
  })

  it('are needed only if an item can have several rows', () => {
    for (const text of ['SELECT * FROM c', 'SELECT VALUE COUNT(1) FROM c.l', 'SELECT 1'])
      expect(startQuery(parseQuery(text), { parameters: new Map() }).addInSteps).toBeUndefined()
  })

  it('are computed at the end if FROM has a subquery', () => {
    const text = 'SELECT VALUE COUNT(1) FROM (SELECT VALUE c.l FROM c) AS s JOIN a IN s JOIN b IN s'
    const run = startQuery(parseQuery(text), { parameters: new Map() })
    run.add({ l })
    const finishing = run.finish()

    for (let step = 0; step < 1410; step++) expect(finishing.next()).toEqual({ done: false, value: undefined })
    expect(finishing.next()).toEqual({ done: true, value: [90_000] })
  })
})
