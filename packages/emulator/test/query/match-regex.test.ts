import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { matchRegex } from '../../src/query/match-regex.ts'
import { QueryError } from '../../src/query/query-error.ts'

const arbitraryPattern: fc.Arbitrary<string> = fc.letrec<{ pattern: string }>((tie) => {
  const inner = tie('pattern')
  return {
    pattern: fc.oneof(
      { depthSize: 'small' },
      fc.constantFrom('a', 'b', '.', '[ab]', '[^a]', '\\w', '\\d', '\\s', '^', '$', '\\b', '\\B', ''),
      fc.tuple(inner, inner).map(([left, right]) => `${left}${right}`),
      fc.tuple(inner, inner).map(([left, right]) => `(${left}|${right})`),
      fc
        .tuple(inner, fc.constantFrom('*', '+', '?', '{2}', '{1,}', '{0,2}', '*?'))
        .map(([of, range]) => `(?:${of})${range}`)
    )
  }
}).pattern

/** Of processor time, in microseconds: the elapsed time depends on what else the machine does. */
const ONE_SECOND = 1_000_000

describe('REGEXMATCH', () => {
  it('matches the same strings as JavaScript', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '1', ' ', '\n'), maxLength: 6 })
    const modifiers = fc.constantFrom('', 'i', 'm', 's')
    fc.assert(
      fc.property(arbitraryPattern, text, modifiers, (pattern, value, flags) => {
        expect(matchRegex(value, pattern, flags)).toBe(new RegExp(pattern, flags).test(value))
      }),
      { numRuns: 3000 }
    )
  })

  it.each<[string, string, string, boolean]>([
    ['abcd', 'ABC', '', false],
    ['abcd', 'ABC', 'i', true],
    ['abcd', 'a b c', 'x', true],
    ['one\ntwo', '^two$', 'm', true],
    ['one\ntwo', '^two$', '', false],
    ['a.b', 'a\\.b', '', true],
    ['axb', 'a\\.b', '', false],
    ['2020-01-02', '^\\d{4}-\\d\\d-\\d\\d$', '', true],
    ['x-y', '[\\w-]+', '', true],
    ['É', 'é', 'i', true],
    ['A', '\\x41', '', true],
    ['a{b', 'a{b', '', true],
    ['abc', '(?<name>b)', '', true],
    ['K', '[j-l]', 'i', true],
    [']', '[\\]]', '', true],
    ['é', '^\\p{L}$', '', true],
    ['\u00e9', '[\\u00e8-\\u00ea]', '', true],
    ['a b', 'a\\ b', 'x', true],
    ['a b', 'a [ ] b', 'x', true],
    ['ab', 'a b {1}', 'x', true],
    ['ab', '(?i)AB', '', true],
    ['x1', '[[:alpha:] ]\\d', 'x', true]
  ])('of the string %j, the pattern %s and the modifiers %j is %s', (text, pattern, modifiers, expected) => {
    expect(matchRegex(text, pattern, modifiers)).toBe(expected)
  })

  it.each([
    ['(?=a)', 501],
    ['(?<!a)b', 501],
    ['(a)\\1', 501],
    ['(?>a)', 501],
    ['(?x)a', 501],
    ['\\h', 501],
    ['(a', 400],
    ['a)', 400],
    ['[a', 400],
    ['*a', 400],
    ['a**', 400],
    ['a{3,2}', 400],
    ['a{2000}', 400],
    ['[b-a]', 400],
    ['a\\', 400],
    ['((((a{99}){99}){99}){99})', 400],
    ['((((){999}){999}){999})', 400],
    ['('.repeat(5000), 400],
    ['a|'.repeat(10_000), 400]
  ])('refuses the pattern %s with status %d', (pattern, status) => {
    expect(() => matchRegex('a', pattern, '')).toThrow(QueryError)
    expect(() => matchRegex('a', pattern, '')).toThrow(expect.objectContaining({ status }))
  })

  it('refuses an unknown modifier', () => {
    expect(() => matchRegex('a', 'a', 'g')).toThrow('i, m, s and x')
  })

  it.each([
    ['(a+)+$', `${'a'.repeat(5000)}!`],
    ['(a|a)*b', 'a'.repeat(5000)],
    ['(.*)*x', 'a'.repeat(5000)],
    ['a*a*a*a*a*a*b', 'a'.repeat(5000)]
  ])('is fast for patterns with which backtracking would not end: %s', (pattern, text) => {
    const before = process.cpuUsage()

    expect(matchRegex(text, pattern, '')).toBe(false)
    expect(process.cpuUsage(before).user).toBeLessThan(ONE_SECOND)
  })

  it('is undefined for values that are not strings', () => {
    expect(matchRegex(1, 'a')).toBeUndefined()
    expect(matchRegex('a', null)).toBeUndefined()
  })
})
