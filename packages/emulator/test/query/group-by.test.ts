import { describe, expect, it } from 'vitest'
import { parseQuery } from '../../src/query/index.ts'
import { rowsOf } from './query-of.ts'

const documents = [
  { id: '1', team: 'a', level: 1, score: 10, tags: ['x', 'y'] },
  { id: '2', team: 'b', level: 1, score: 20, tags: ['x'] },
  { id: '3', team: 'a', level: 2, score: 30 },
  { id: '4', team: 'a', level: 1 },
  { id: '5', score: 50, tags: [] }
]

describe('GROUP BY', () => {
  it.each<[string, unknown[]]>([
    ['SELECT c.team FROM c GROUP BY c.team', [{ team: 'a' }, { team: 'b' }, {}]],
    ['SELECT VALUE c.team FROM c GROUP BY c.team', ['a', 'b']],
    ['SELECT VALUE COUNT(1) FROM c GROUP BY c.team', [3, 1, 1]],
    [
      'SELECT c.team, COUNT(1) AS n, SUM(c.score) AS total FROM c GROUP BY c.team',
      [
        { team: 'a', n: 3, total: 40 },
        { team: 'b', n: 1, total: 20 },
        { n: 1, total: 50 }
      ]
    ],
    [
      'SELECT c.team, c.level, MAX(c.score) AS best FROM c GROUP BY c.team, c.level',
      [
        { team: 'a', level: 1, best: 10 },
        { team: 'b', level: 1, best: 20 },
        { team: 'a', level: 2, best: 30 },
        { best: 50 }
      ]
    ],
    ['SELECT COUNT(1) AS n FROM c WHERE c.level > 7 GROUP BY c.team', []],
    [
      'SELECT UPPER(c.team) AS team, AVG(c.score) FROM c WHERE c.level = 1 GROUP BY UPPER(c.team)',
      [
        { team: 'A', $1: 10 },
        { team: 'B', $1: 20 }
      ]
    ],
    [
      'SELECT LOWER(c.team) AS low, 7 AS seven FROM c WHERE IS_DEFINED(c.team) GROUP BY c.team',
      [
        { low: 'a', seven: 7 },
        { low: 'b', seven: 7 }
      ]
    ],
    [
      'SELECT VALUE {"t": c.team, "n": COUNT(1) + 1} FROM c WHERE c.level = 1 GROUP BY c.team',
      [
        { t: 'a', n: 3 },
        { t: 'b', n: 2 }
      ]
    ],
    [
      'SELECT t, COUNT(1) AS n FROM c JOIN t IN c.tags GROUP BY t',
      [
        { t: 'x', n: 2 },
        { t: 'y', n: 1 }
      ]
    ],
    ['SELECT TOP 1 c.team FROM c GROUP BY c.team', [{ team: 'a' }]],
    ['SELECT c.team FROM c GROUP BY c.team OFFSET 1 LIMIT 1', [{ team: 'b' }]],
    ['SELECT DISTINCT VALUE COUNT(1) FROM c GROUP BY c.team', [3, 1]],
    [
      'SELECT COUNTIF(c.score > 15) AS n, MIN(c.id) AS first FROM c GROUP BY c.level',
      [
        { n: 1, first: '1' },
        { n: 1, first: '3' },
        { n: 1, first: '5' }
      ]
    ]
  ])('returns one row for each group: %s', (text, expected) => {
    expect(rowsOf(text, documents)).toEqual(expected)
  })

  it('distinguishes values of different types, and compares arrays and objects by their content', () => {
    const values = [
      1,
      '1',
      true,
      'true',
      null,
      'null',
      [1],
      [1],
      '[1]',
      { a: 1, b: 2 },
      { b: 2, a: 1 },
      '\u0000[1]',
      0,
      -0
    ]
    const rows = rowsOf(
      'SELECT VALUE COUNT(1) FROM c GROUP BY c.v',
      [...values, undefined, undefined].map((v) => ({ v }))
    )

    expect(rows).toEqual([1, 1, 1, 1, 1, 1, 2, 1, 2, 1, 2, 2])
  })

  it.each<[string, string]>([
    ['SELECT * FROM c GROUP BY c.a', "'SELECT *' is not allowed with GROUP BY"],
    [
      'SELECT c.a, c.b FROM c GROUP BY c.a',
      "Property reference 'c.b' is invalid in the select list because it is not contained in either an aggregate function or the GROUP BY clause, at position 12"
    ],
    ['SELECT c FROM c GROUP BY c.a', "Property reference 'c' is invalid"],
    ['SELECT c.a.b FROM c GROUP BY c.d', "Property reference 'c.a.b' is invalid"],
    ['SELECT c.a FROM c GROUP BY c.a ORDER BY c.a', "'ORDER BY' is not allowed together with GROUP BY"],
    ['SELECT COUNT(1) FROM c GROUP BY 1', 'must use a property'],
    ['SELECT COUNT(1) FROM c GROUP BY COUNT(1)', 'The aggregate COUNT can only be used in SELECT'],
    ['SELECT COUNT(1) FROM c GROUP BY (SELECT VALUE c.a)', 'without subqueries'],
    ['SELECT (SELECT VALUE c.a) AS a FROM c GROUP BY c.a', 'SELECT cannot have a subquery next to GROUP BY'],
    [
      'SELECT MAX((SELECT VALUE c.a)) FROM c',
      'Cannot perform an aggregate function on an expression containing an aggregate or a subquery'
    ]
  ])('is refused with 400 if a client could not understand the rows: %s', (text, message) => {
    expect(() => parseQuery(text)).toThrow(
      expect.objectContaining({ status: 400, message: expect.stringContaining(message) })
    )
  })
})
