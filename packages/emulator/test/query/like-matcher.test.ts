import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compileLike } from '../../src/query/operators.ts'
import { QueryError } from '../../src/query/query-error.ts'

// a naive implementation of the rule, in exponential time
const naiveLike = (pattern: string, text: string): boolean => {
  if (pattern === '') return text === ''
  if (pattern[0] === '%') return naiveLike(pattern.slice(1), text) || (text !== '' && naiveLike(pattern, text.slice(1)))
  return text !== '' && (pattern[0] === '_' || pattern[0] === text[0]) && naiveLike(pattern.slice(1), text.slice(1))
}

/** Of processor time, in microseconds: the elapsed time depends on what else the machine does. */
const ONE_SECOND = 1_000_000

describe('LIKE', () => {
  it('matches the same strings as a naive implementation', () => {
    const pattern = fc.string({ unit: fc.constantFrom('a', 'b', '%', '_'), maxLength: 8 })
    const text = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 10 })
    fc.assert(
      fc.property(pattern, text, (like, value) => {
        expect(compileLike(like, undefined)(value)).toBe(naiveLike(like, value))
      }),
      { numRuns: 2000 }
    )
  })

  it.each<[string, string, boolean, string?]>([
    ['100!%', '100%', true, '!'],
    ['100!%', '1000', false, '!'],
    ['a!!b', 'a!b', true, '!'],
    ['[a-c]x', 'bx', true],
    ['[a-c]x', 'dx', false],
    ['[^a-c]x', 'dx', true],
    ['[^a-c]x', 'bx', false],
    ['[abc-]', '-', true],
    ['[]]', ']', true],
    ['[a', '[a', true],
    ['_', '😀', true],
    ['%', '', true],
    ['', '', true],
    ['a', 'A', false]
  ])('with the pattern %s for the string %s is %s', (pattern, text, expected, escape) => {
    expect(compileLike(pattern, escape)(text)).toBe(expected)
  })

  it.each([
    ['%a%a%a%a%a%a%a%a%b', 'a'.repeat(20_000)],
    [`${'%a'.repeat(500)}b`, 'a'.repeat(5000)]
  ])('is fast for a pattern that is slow in naive implementations', (pattern, text) => {
    const before = process.cpuUsage()

    expect(compileLike(pattern, undefined)(text)).toBe(false)
    expect(process.cpuUsage(before).user).toBeLessThan(ONE_SECOND)
  })

  it('refuses a match that would take too many steps', () => {
    const matches = compileLike(`%${'a'.repeat(3000)}b`, undefined)

    expect(() => matches('a'.repeat(1_000_000))).toThrow(QueryError)
  })
})
