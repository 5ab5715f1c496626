import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parsePredicate, parseQuery, partitionFilter, planQuery, QueryError, runQuery } from '../../src/query/index.ts'

const SEEDS = [
  'SELECT * FROM c WHERE c.a = 1 AND NOT c.b IN (1, "x", @p) ORDER BY c.a DESC, c["b"] OFFSET 1 LIMIT 2',
  'SELECT DISTINCT TOP 5 c.a, c.b.d AS e, {x: [c.a, null]} FROM c WHERE c.a BETWEEN 1 AND 2 OR c.b LIKE "%a!_[b-d]" ESCAPE "!"',
  'SELECT VALUE COUNT(1) FROM x IN c.list WHERE REGEXMATCH(x, "^(a|b)*[c-e]{2,3}$", "i") ? true : x ?? false',
  'SELECT MAX(c.a) AS m, AVG(c.b), SUM(LENGTH(c.s)) FROM c WHERE SUBSTRING(c.s, 1, 2) || "b" = UPPER(@p) AND c.n & 3 << 1 >= ~c.a % 4',
  'SELECT VALUE DateTimeAdd("mm", c.a, GetCurrentDateTime()) FROM c WHERE ARRAY_CONTAINS(c.list, {a: 1}, true) AND IS_DEFINED(c.x)',
  'SELECT c.a, t, COUNT(1) AS n, MAX(t) FROM c JOIN t IN c.list WHERE EXISTS(SELECT VALUE u FROM u IN c.list WHERE u = t) GROUP BY c.a, t',
  'SELECT VALUE ARRAY(SELECT DISTINCT VALUE t.a FROM t IN c.list) FROM c JOIN (SELECT VALUE SUM(x.a) FROM x IN c.list) s WHERE s > (SELECT VALUE c.n)',
  'SELECT VALUE [{"item": MIN(c.a), "item2": {"min": MIN(c.a), "count": COUNT(c.a)}}] FROM c'
]

const WORDS = [
  ...'SELECT DISTINCT TOP VALUE FROM WHERE ORDER BY ASC DESC OFFSET LIMIT AND OR NOT IN BETWEEN LIKE ESCAPE AS JOIN GROUP EXISTS ARRAY UDF'.split(
    ' '
  ),
  ...'c r x null true undefined @p @q COUNT MAX LOWER REGEXMATCH REPLACE ARRAY_SLICE REPLICATE STRINGTOARRAY DateTimeAdd'.split(
    ' '
  ),
  ...'( ) [ ] { } , . : ? ?? * / + - % & | ^ ~ = != < > <= >= << >> >>> || <> @ \\ # $'.split(' '),
  '1',
  '0x1f',
  '1e9',
  '.5',
  '"a"',
  "'b'",
  '"\\u0041"',
  '"',
  "'",
  '--',
  '/*',
  '*/',
  '\n',
  '😀',
  '\u0000',
  '[a-',
  '(a*)*',
  '%_'
]

const documents: readonly unknown[] = [
  { id: '1', a: 1, b: { d: 'x' }, list: ['a', { a: 1 }], s: 'text', n: 7 },
  { id: '2', a: null, b: 'ab_c', list: [], s: 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!' },
  { id: '3', ['__proto__']: 1, constructor: 2 }
]

const parameters: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['@p', 'x'],
  ['@q', { deep: [[[]]] }]
])

const tryAll = (text: string): unknown[] =>
  [
    () => runQuery(parseQuery(text), { documents, parameters, nowMs: 0 }),
    () => planQuery(parseQuery(text), '', parameters),
    () => partitionFilter(parseQuery(text), parameters, [['a'], ['b', 'd']]),
    () => parsePredicate(text)(documents[0])
  ].flatMap((attempt) => thrownBy(attempt))

const thrownBy = (attempt: () => unknown): unknown[] => {
  try {
    attempt()
    return []
  } catch (error) {
    return [error]
  }
}

// the machine may be suspended during one run, but hardly during all five runs of one text
const isQuick = (text: string): boolean => [1, 2, 3, 4, 5].some(() => timeOf(text) < 50)

const timeOf = (text: string): number => {
  const started = performance.now()
  tryAll(text)
  return performance.now() - started
}

/** Violations for a query: errors of another type, unclear messages, or too much time. */
const faultsOf = (text: string): unknown[] => {
  const faults = tryAll(text).filter((error) => !isClear(error))
  return isQuick(text) ? faults : [...faults, 'too slow']
}

const isClear = (error: unknown): boolean =>
  error instanceof QueryError &&
  [400, 501].includes(error.status) &&
  error.message.endsWith('.') &&
  error.message.length < 400

const mutation = fc.record({ at: fc.nat(), length: fc.nat(8), word: fc.constantFrom(...WORDS) })

const mutated = fc
  .tuple(fc.constantFrom(...SEEDS), fc.array(mutation, { minLength: 1, maxLength: 4 }))
  .map(([seed, changes]) =>
    changes.reduce((text, { at, length, word }) => {
      const from = at % (text.length + 1)
      return text.slice(0, from) + word + text.slice(from + length)
    }, seed)
  )

const words = (maxLength: number): fc.Arbitrary<string> =>
  fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength }).map((parts) => parts.join(' '))

describe('any string sent as a query', () => {
  it.each<[string, fc.Arbitrary<string>, number]>([
    ['characters', fc.string({ unit: 'binary', maxLength: 200 }), 300],
    ['words', words(40).map((text) => `SELECT ${text}`), 500],
    ['expressions', words(12).map((text) => `SELECT VALUE ${text} FROM c`), 500],
    ['queries with faults', mutated, 1000]
  ])('returns rows or a clear error in a short time: %s', (_, texts, numRuns) => {
    fc.assert(
      fc.property(texts, (text) => {
        expect(faultsOf(text)).toEqual([])
      }),
      { numRuns }
    )
  })

  it.each(SEEDS)('is sometimes a mutation of this valid query: %s', (text) => {
    expect(() => runQuery(parseQuery(text), { documents, parameters, nowMs: 0 })).not.toThrow()
  })
})

describe('hostile parameters', () => {
  it('are refused when they are nested deeper than an item can be', () => {
    expect(ask(100)).not.toThrow()
    expect(ask(100_000)).toThrow('The parameter @deep nests too deep')
  })

  it('cannot make a function compute a string of unlimited length or in unlimited steps', () => {
    const long = new Map([['@long', 'ab'.repeat(1_000_000)]])
    const run = (expression: string) => () =>
      runQuery(parseQuery(`SELECT VALUE ${expression}`), { documents: [], parameters: long })

    expect(run('REPLACE(REPLACE(@long, "a", @long), "b", @long)')).toThrow(QueryError)
    expect(run('REGEXMATCH(@long, "[ab]*a[ab]{100}$")')).toThrow('too many steps')
    expect(run('REGEXMATCH(@long, "(a|ab|aba|abab|ababa|ababab|b|ba|bab)*c")')).not.toThrow()
    expect(run('@long LIKE "%aaab%"')).not.toThrow()
  })
})

const nested = (depth: number): unknown => Array.from({ length: depth }).reduce((inner) => [inner], null)

const ask = (depth: number) => (): unknown =>
  runQuery(parseQuery('SELECT DISTINCT VALUE @deep FROM c WHERE c.a = @deep OR true'), {
    documents,
    parameters: new Map([['@deep', nested(depth)]])
  })
