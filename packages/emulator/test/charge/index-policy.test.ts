import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { changedTerms, compileIndexPolicy, countTerms, isAllIndexed } from '../../src/charge/index-policy.ts'
import { SYSTEM_PROPERTIES } from '../../src/store/document.ts'

const policy = (included: readonly string[], excluded: readonly string[]): ReturnType<typeof compileIndexPolicy> =>
  compileIndexPolicy({
    indexingMode: 'consistent',
    includedPaths: included.map((path) => ({ path })),
    excludedPaths: excluded.map((path) => ({ path }))
  })
const ALL = policy(['/*'], [])

describe('isAllIndexed', () => {
  it.each([
    ['the default policy', ['/*'], ['/"_etag"/?'], true],
    ['everything', ['/*'], [], true],
    ['everything, with a path that is included twice', ['/*', '/a/*', '/a/b/?', '/a/[]/?'], [], true],
    ['nothing', [], ['/*'], false],
    ['nothing, with a path that is excluded twice', ['/_ts/?'], ['/*', '/a/?'], false],
    ['no path at all', [], [], false],
    ['an excluded value', ['/*'], ['/a/?'], undefined],
    ['an excluded subtree', ['/*'], ['/a/b/*'], undefined],
    ['excluded elements of an array', ['/*'], ['/a/[]/?'], undefined],
    ['an included value', ['/a/?'], ['/*'], undefined]
  ])(
    'returns whether all values or none are indexed, and undefined if that depends on the path: %s',
    (_, included, excluded, expected) => {
      expect(isAllIndexed(policy(included, excluded), SYSTEM_PROPERTIES)).toBe(expected)
    }
  )

  it('returns false without a policy', () => {
    expect(isAllIndexed(undefined, SYSTEM_PROPERTIES)).toBe(false)
  })

  it('agrees with the number of index terms of any document', () => {
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
        const indexed = isAllIndexed(compiled, SYSTEM_PROPERTIES)
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

const all = policy(['/*'], ['/"_etag"/?'])
const document = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd'), fc.jsonValue({ maxDepth: 3 }))

describe('index terms', () => {
  it.each([
    ['everything', ['/*'], [], 7],
    ['everything except for a value', ['/*'], ['/a/?'], 6],
    ['everything except for a subtree', ['/*'], ['/b/*'], 4],
    ['one value only', ['/b/c/?'], ['/*'], 1],
    ['the elements of an array only', ['/list/[]/?'], ['/*'], 2],
    ['a subtree except for one value in it', ['/b/*'], ['/*', '/b/c/?'], 2],
    ['a quoted name', ['/"odd name"/?'], ['/*'], 1],
    ['nothing', [], ['/*'], 0]
  ])('are counted according to the policy: %s', (_, included, excluded, terms) => {
    const value = { a: 1, b: { c: 2, d: { e: true, f: null } }, list: ['x', 'y'], 'odd name': 'z' }

    expect(countTerms(value, policy(included, excluded))).toBe(terms)
  })

  it('are not counted under a policy that indexes nothing', () => {
    const none = compileIndexPolicy({ indexingMode: 'none', includedPaths: [], excludedPaths: [] })

    expect(countTerms({ a: 1 }, none)).toBe(0)
    expect(changedTerms({ a: 1 }, { a: 2 }, none)).toBe(0)
  })

  it('do not change between equal documents; a change and its reversal change the same number of terms', () => {
    fc.assert(
      fc.property(document, document, (before, after) => {
        expect(changedTerms(before, before, all)).toBe(0)
        expect(changedTerms(before, after, all)).toBe(changedTerms(after, before, all))
        expect(changedTerms(before, after, all)).toBeLessThanOrEqual(countTerms(before, all) + countTerms(after, all))
        expect(changedTerms({}, after, all)).toBe(countTerms(after, all))
      })
    )
  })

  it.each(['valueOf', 'constructor', 'toString', 'hasOwnProperty'])(
    'of a property named %s are those of the property itself, not of an inherited one',
    (name) => {
      expect(changedTerms({ [name]: 1 }, {}, all)).toBe(1)
      expect(changedTerms({}, { [name]: {} }, all)).toBe(0)
      expect(changedTerms({ [name]: {} }, {}, all)).toBe(0)
    }
  )

  it('of an array do not contain positions: an element inserted at the head adds only its own term', () => {
    expect(changedTerms({ list: [1, 2, 3] }, { list: [0, 1, 2, 3] }, all)).toBe(1)
    expect(changedTerms({ list: [1, 2, 3] }, { list: [3, 2, 1] }, all)).toBe(0)
  })

  it('are refused for a document of more than 128 levels', () => {
    let nested: object = {}
    for (let depth = 1; depth < 128; depth++) nested = { nested }

    expect(countTerms(nested, all)).toBe(0)
    expect(countTerms({ nested }, all)).toBe(-1)
  })
})
