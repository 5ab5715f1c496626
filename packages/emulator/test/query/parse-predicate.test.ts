import { describe, expect, it } from 'vitest'
import { parsePredicate, QueryError } from '../../src/query/index.ts'

describe('a condition of a patch', () => {
  it.each<[string, boolean]>([
    ['from c where c.n = 3', true],
    ['FROM c WHERE c.n > 3', false],
    ['from x where x.tags[0] = "a" and is_defined(x.n)', true],
    ['from c where c.missing = 1', false],
    ['from c where c.missing', false],
    ['from c', true]
  ])('%s holds: %s', (text, expected) => {
    expect(parsePredicate(text)({ n: 3, tags: ['a'] })).toBe(expected)
  })

  it.each([
    'where c.n = 3',
    'from c where',
    'from c where d.n = 3',
    'from c where c.n = @n',
    'from c where c.n = 3 order by c.n',
    'from c where count(1) = 1'
  ])('refuses %s', (text) => {
    expect(() => parsePredicate(text)).toThrow(QueryError)
  })
})
