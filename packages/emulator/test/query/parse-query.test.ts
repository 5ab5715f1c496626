import { describe, expect, it } from 'vitest'
import { parseQuery, QueryError } from '../../src/query/index.ts'

const errorOf = (text: string): QueryError => {
  try {
    parseQuery(text)
  } catch (error) {
    if (error instanceof QueryError) return error
    throw error
  }
  throw new Error(`accepted: ${text}`)
}

describe('an invalid query', () => {
  it.each<[string, string, number]>([
    ['', 'expected SELECT but found the end of the query', 0],
    ['SELEC * FROM c', "expected SELECT but found 'SELEC'", 0],
    ['SELECT * FRM c', "expected the end of the query but found 'FRM'", 9],
    ['SELECT FROM c', "expected an expression but found 'FROM'", 7],
    ['SELECT * FROM c WHERE', 'expected an expression but found the end of the query', 21],
    ['SELECT * FROM c WHERE c.a = ', 'expected an expression', 28],
    ['SELECT c. FROM c', 'expected the name of a property', 10],
    ['SELECT c.value FROM c', '["value"]', 9],
    ['SELECT *, c.a FROM c', "expected the end of the query but found ','", 8],
    ['SELECT VALUE * FROM c', "expected an expression but found '*'", 13],
    ['SELECT (1 FROM c', "expected ')'", 10],
    ['SELECT [1, FROM c', 'expected an expression', 11],
    ['SELECT {1: 2}', 'expected the name of a property', 8],
    ['SELECT * FROM c WHERE c.a = "x', 'not closed by a quotation mark', 28],
    ["SELECT 'it''s'", "expected the end of the query but found 's'", 11],
    ['SELECT "\\d"', 'unknown escape', 8],
    ['SELECT /* x', 'not closed by */', 7],
    ['SELECT 1a', 'a number must not run into a name', 7],
    ['SELECT # FROM c', 'the character "#" has no meaning here', 7],
    ['SELECT TOP -1 * FROM c', "expected a count or a parameter after TOP but found '-'", 11],
    ['SELECT TOP 1.5 * FROM c', 'expected a count', 11],
    ['SELECT TOP 4294967296 * FROM c', 'expected a count', 11],
    ['SELECT * FROM c OFFSET 1', 'expected LIMIT', 24],
    ['SELECT * FROM c LIMIT 1', "expected the end of the query but found 'LIMIT'", 16],
    ['SELECT * FROM c WHERE c.a IN ()', 'expected an expression', 30],
    ['SELECT * FROM c WHERE c.a BETWEEN 1', 'expected AND', 35],
    ['SELECT * FROM c WHERE c.a LIKE "a" ESCAPE "ab"', 'one character', 42],
    ['SELECT d.a FROM c', "The name 'd' could not be resolved", 7],
    ['SELECT c.a FROM Root r', "The name 'c' could not be resolved", 7],
    ['SELECT a', "The name 'a' could not be resolved", 7],
    ['SELECT VALUE FOO(1)', "'FOO' is not a recognized function", 13],
    ['SELECT VALUE LOWER()', 'The function LOWER takes 1 arguments, not 0', 13],
    ['SELECT VALUE CONTAINS("a")', 'takes 2 to 3 arguments, not 1', 13],
    ['SELECT * FROM c WHERE COUNT(1) > 1', 'The aggregate COUNT can only be used in SELECT', 22],
    ['SELECT VALUE SUM(COUNT(1)) FROM c', 'not inside another', 17],
    ['SELECT COUNT(1), c.a FROM c', "'c' is next to an aggregate", 17]
  ])('is refused with 400: %s', (text, message, position) => {
    const error = errorOf(text)

    expect(error.status).toBe(400)
    expect(error.message).toContain(message)
    expect(error.position).toBe(position)
    expect(error.message).toContain(`at position ${position}`)
  })

  it.each<[string, string]>([
    ['SELECT *', "'SELECT *' needs a FROM clause"],
    ['SELECT c.a, c.b.a FROM c', "The name 'a' is given to two columns"],
    ['SELECT TOP 1 * FROM c OFFSET 0 LIMIT 1', 'TOP and OFFSET LIMIT cannot be used together'],
    ['SELECT COUNT(1) FROM c ORDER BY c.a + 1', 'ORDER BY takes paths into the item'],
    ['SELECT * FROM c ORDER BY c.a + 1', 'ORDER BY takes paths into the item'],
    ['SELECT * FROM c ORDER BY 1', 'ORDER BY takes paths into the item']
  ])('is refused with 400 and without a position if the mistake is not at one position: %s', (text, message) => {
    expect(errorOf(text).status).toBe(400)
    expect(errorOf(text).message).toContain(message)
  })
})

describe('a feature that the emulator does not support', () => {
  it.each<[string, string]>([
    ['SELECT VALUE ALL(SELECT VALUE t FROM t IN c.tags) FROM c', 'ALL'],
    ['SELECT VALUE FIRST(SELECT VALUE t FROM t IN c.tags) FROM c', 'FIRST'],
    ['SELECT VALUE LAST(SELECT VALUE t FROM t IN c.tags) FROM c', 'LAST'],
    ['SELECT VALUE udf.tax(c.a) FROM c', "The user-defined function 'udf.tax'"],
    ['SELECT * FROM c WHERE UDF.isOdd(c.a)', "The user-defined function 'udf.isOdd'"],
    ['SELECT * FROM c ORDER BY RANK FullTextScore(c.a, "b")', 'ORDER BY RANK'],
    ['SELECT VALUE ST_DISTANCE(c.a, c.b) FROM c', 'The function ST_DISTANCE'],
    ['SELECT VALUE FullTextContains(c.a, "b") FROM c', 'The function FULLTEXTCONTAINS'],
    ['SELECT VALUE RAND()', 'The function RAND']
  ])('is refused with 501, and the message names it: %s', (text, name) => {
    const error = errorOf(text)

    expect(error.status).toBe(501)
    expect(error.message).toMatch(new RegExp(`^${name}.* is not supported by this emulator, at position \\d+\\.$`))
  })
})

describe('a very long or very deeply nested query', () => {
  it.each<[string, string]>([
    ['brackets', `SELECT VALUE ${'('.repeat(5000)}1${')'.repeat(5000)}`],
    ['arrays', `SELECT VALUE ${'['.repeat(100_000)}`],
    ['NOT', `SELECT VALUE ${'NOT '.repeat(50_000)}true`],
    ['signs', `SELECT VALUE ${'- '.repeat(50_000)}1`],
    ['a sum', `SELECT VALUE 1${'+1'.repeat(50_000)}`],
    ['a path', `SELECT VALUE c${'.a'.repeat(50_000)} FROM c`],
    ['comparisons', `SELECT VALUE 1${' = 1'.repeat(50_000)}`],
    ['conditions', `SELECT VALUE 1${' ? 1 : 1'.repeat(20_000)}`],
    ['calls', `SELECT VALUE ${'ABS('.repeat(20_000)}`],
    ['coalescing', `SELECT VALUE 1${' ?? 1'.repeat(50_000)}`]
  ])('is refused without a stack overflow: %s', (_, text) => {
    expect(errorOf(text).status).toBe(400)
  })

  it('is refused if its text is longer than the service allows', () => {
    expect(errorOf(`SELECT ${' '.repeat(600_000)} 1`).message).toContain('at most 524288 are allowed')
  })

  it('is accepted if it chains thousands of conditions, as clients do to read many items', () => {
    const condition = Array.from({ length: 5000 }, (_, index) => `(c.id = "${index}" AND c.pk = "${index}")`).join(
      ' OR '
    )

    expect(() => parseQuery(`SELECT * FROM c WHERE ${condition}`)).not.toThrow()
  })
})

describe('the query syntax', () => {
  it.each([
    'SELECT * FROM c -- the end',
    'SELECT/**/1',
    'SELECT c.offset, c.limit, c.top2 FROM c',
    'SELECT \'a\', "b" FROM c',
    'SELECT VALUE 0x1F',
    'SELECT VALUE .5e-3',
    'SELECT VALUE c.größe FROM c'
  ])('allows %s', (text) => {
    expect(() => parseQuery(text)).not.toThrow()
  })
})
