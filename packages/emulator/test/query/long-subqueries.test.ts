import { describe, expect, it } from 'vitest'
import { finishNow, parseQuery, type QueryRun, startQuery } from '../../src/query/index.ts'
import { rowsOf } from './query-of.ts'

const l = Array.from({ length: 300 }, (_, n) => n)
const documents = [
  { id: '1', l, few: [1, 2], none: [] },
  { id: '2', l: [...l, -1], few: [3], none: [] },
  { id: '3', few: [], none: [] }
]
const PARAMETERS = { parameters: new Map<string, unknown>() }

/** Runs a query in steps; returns its rows and the number of its pauses. */
function stepsOf(text: string): { rows: unknown[]; pauses: number } {
  const run = startQuery(parseQuery(text), PARAMETERS)
  let pauses = 0
  const follow = <Result>(steps: Generator<undefined, Result>): Result => {
    for (;;) {
      const step = steps.next()
      if (step.done === true) return step.value
      pauses += 1
    }
  }
  for (const document of documents) follow(addSteps(run, document))
  return { rows: follow(run.finish()), pauses }
}

function* addSteps({ filter, add, addInSteps }: QueryRun, document: unknown): Generator<undefined, void> {
  if (filter !== undefined && !(yield* filter.acceptsInSteps!(document))) return
  if (addInSteps === undefined) add(document)
  else yield* addInSteps(document)
}

const ALL = '(SELECT VALUE COUNT(1) FROM a IN c.l JOIN b IN c.l)'
// a pause after 64 of the rows that the sources make: 180,000 for ALL
const OF_ALL = 2800

describe('a subquery in an expression', () => {
  it.each<[string, number]>([
    [`SELECT VALUE ${ALL} FROM c`, OF_ALL],
    [`SELECT c.id, ${ALL} AS n, ${ALL} + 1 AS m FROM c`, 2 * OF_ALL],
    [`SELECT * FROM c WHERE ${ALL} > 90000`, OF_ALL],
    [`SELECT VALUE c.id FROM c WHERE EXISTS(SELECT 1 FROM a IN c.l JOIN b IN c.l WHERE a + b < -1)`, OF_ALL],
    [`SELECT VALUE c.id FROM c WHERE IS_DEFINED(c.l) AND (c.id = "1" OR ${ALL} = 1)`, OF_ALL / 2],
    [
      `SELECT VALUE ARRAY(SELECT VALUE a FROM a IN c.l WHERE EXISTS(SELECT 1 FROM b IN c.l WHERE b + a = 299))[299] FROM c`,
      OF_ALL / 2
    ],
    [
      `SELECT VALUE ARRAY(SELECT VALUE (SELECT VALUE MAX(b) FROM b IN c.l WHERE b < a) FROM a IN c.l)[299] FROM c`,
      OF_ALL
    ],
    [`SELECT VALUE ARRAY(SELECT DISTINCT VALUE (a + b) % 2 FROM a IN c.l JOIN b IN c.l) FROM c`, OF_ALL],
    [`SELECT VALUE f FROM c JOIN f IN c.few WHERE ${ALL} > f`, OF_ALL],
    [`SELECT VALUE s FROM c JOIN (SELECT VALUE a FROM a IN c.few WHERE ${ALL} > a) AS s`, 1.5 * OF_ALL],
    [`SELECT c.few, COUNT(n) AS n FROM c JOIN (SELECT VALUE ${ALL}) AS n GROUP BY c.few`, OF_ALL],
    [`SELECT VALUE {"n": ${ALL}} FROM c ORDER BY c.id DESC`, OF_ALL]
  ])('pauses after a few rows, and has the same value as at once: %s', (text, pauses) => {
    const inSteps = stepsOf(text)

    expect(inSteps.rows).toEqual(rowsOf(text, documents))
    expect(inSteps.rows.length).toBeGreaterThan(0)
    expect(inSteps.pauses).toBeGreaterThanOrEqual(Math.floor(pauses))
  })

  it('that takes long and has two values is refused, as a short one', () => {
    const text = 'SELECT VALUE (SELECT VALUE a FROM a IN c.l JOIN b IN c.l WHERE a > 250) FROM c'

    expect(() => stepsOf(text)).toThrow('The cardinality of a scalar subquery result set cannot be greater than one')
    expect(() => rowsOf(text, documents)).toThrow('The cardinality of a scalar subquery result set')
  })

  it('that is not evaluated is not computed either', () => {
    expect(stepsOf(`SELECT VALUE c.id FROM c WHERE false AND ${ALL} > 1`)).toEqual({ rows: [], pauses: 0 })
    expect(stepsOf(`SELECT VALUE (c.id = "3" ? 0 : 1) FROM c WHERE c.id = "3" OR false AND ${ALL} > 1`)).toEqual({
      rows: [0],
      pauses: 0
    })
  })

  it('is computed again for each item', () => {
    expect(finishNow(startQuery(parseQuery('SELECT 1'), PARAMETERS))).toEqual([{ $1: 1 }])
    expect(stepsOf(`SELECT VALUE ${ALL} FROM c`).rows).toEqual([90_000, 90_601, 0])
  })
})
