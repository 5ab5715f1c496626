import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compileIndexPolicy } from '../../src/charge/index-policy.ts'
import { countTerms } from '../../src/charge/index-terms.ts'
import { isAllIndexed } from '../../src/charge/uniform-index.ts'

const policy = (included: readonly string[], excluded: readonly string[]): ReturnType<typeof compileIndexPolicy> =>
  compileIndexPolicy({
    indexingMode: 'consistent',
    includedPaths: included.map((path) => ({ path })),
    excludedPaths: excluded.map((path) => ({ path }))
  })
const ALL = policy(['/*'], [])

describe('an index that is the same for all values', () => {
  it.each([
    ['the default policy', ['/*'], ['/"_etag"/?'], true],
    ['everything', ['/*'], [], true],
    ['everything, said twice of a path', ['/*', '/a/*', '/a/b/?', '/a/[]/?'], [], true],
    ['nothing', [], ['/*'], false],
    ['nothing, said twice of a path', ['/_ts/?'], ['/*', '/a/?'], false],
    ['no path at all', [], [], false],
    ['a value excluded', ['/*'], ['/a/?'], undefined],
    ['a tree excluded', ['/*'], ['/a/b/*'], undefined],
    ['the elements of an array excluded', ['/*'], ['/a/[]/?'], undefined],
    ['a value included', ['/a/?'], ['/*'], undefined]
  ])('is seen for what it is: %s', (_, included, excluded, expected) => {
    expect(isAllIndexed(policy(included, excluded))).toBe(expected)
  })

  it('is a policy that indexes nothing', () => {
    expect(isAllIndexed(undefined)).toBe(false)
  })

  it('counts all scalars of any document, or none', () => {
    const path = fc.constantFrom('/*', '/a/?', '/a/*', '/a/b/?', '/a/[]/?', '/a/[]/b/*', '/b/*', '/_ts/?', '/_etag/*')
    const paths = fc.array(path, { maxLength: 3 })
    const { document } = fc.letrec((tie) => ({
      value: fc.oneof({ maxDepth: 4 }, fc.constant(1), fc.array(tie('value'), { maxLength: 3 }), tie('document')),
      document: fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('value'), { maxKeys: 3 })
    }))
    let seen = 0
    fc.assert(
      fc.property(paths, paths, document, (included, excluded, value) => {
        const compiled = policy(included, excluded)
        const indexed = isAllIndexed(compiled)
        seen += indexed === undefined ? 0 : 1

        const terms = countTerms(value, compiled)
        const claimed = indexed === undefined ? terms : indexed ? countTerms(value, ALL) : 0
        expect(terms).toBe(claimed)
      }),
      { numRuns: 1000 }
    )
    expect(seen).toBeGreaterThan(300)
  })
})
