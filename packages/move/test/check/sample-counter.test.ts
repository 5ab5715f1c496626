import type { PlanDefinition } from '@keystamp/core'
import { describe, expect, it } from 'vitest'
import { indexedValues } from '../../src/check/indexed-values.ts'
import { countSample, SampleCounter, type SampleCounterOptions } from '../../src/check/sample-counter.ts'
import { createPlanMapper } from '../../src/documents/plan-mapper.ts'
import { CHANGED_AT, optionsFor, stored } from '../documents/mapped.ts'

const TENANT = [['tenantId']]
const BY_DAY: PlanDefinition = { into: '/pk', from: [{ field: '/tenantId' }, { field: '/day' }] }
const DAY = 86_400

/** Counts documents that were changed `seconds` before now. */
function count(
  plan: PlanDefinition,
  documents: readonly object[],
  { seconds = 0, ...options }: Partial<SampleCounterOptions> & { readonly seconds?: number } = {}
) {
  const { defaultTtl } = options
  const counter = new SampleCounter({
    mapper: createPlanMapper(optionsFor(plan, { sourceDefaultTtl: defaultTtl })),
    defaultTtl,
    targetKey: { paths: ['/pk'], kind: 'Hash', version: 2 },
    uniqueKeys: [],
    indexingPolicy: {},
    nowMs: (CHANGED_AT + seconds) * 1000,
    ...options
  })
  for (const document of documents) counter.add(stored(document, TENANT))
  return counter.finish()
}

const order = (id: string, tenantId: string, day: string, more: object = {}) => ({ id, tenantId, day, ...more })

describe('counts of a sample', () => {
  it('are those of documents and bytes; a document that came twice counts once', () => {
    const one = order('1', 'a', 'mo')
    const found = count(BY_DAY, [one, one, order('2', 'a', 'mo')])

    expect(found).toMatchObject({ documents: 2, rejected: [], collisions: 0, expiring: 0, mortal: 0 })
    expect(found.meanBytes).toBeGreaterThan(JSON.stringify(one).length)
    expect(found.meanIndexedValues).toBe(3)
    // a header of 20 bytes, key and id as text, and a multiple of 8
    expect(found.meanEntryBytes).toBe(32)
  })

  it('are zero for an empty container', () => {
    expect(count(BY_DAY, [])).toEqual({
      documents: 0,
      meanBytes: 0,
      meanIndexedValues: 0,
      meanEntryBytes: 0,
      rejected: [],
      expiring: 0,
      collisions: 0,
      uniqueConflicts: 0,
      largestKey: null,
      sharedKeys: 0,
      tornKeys: 0,
      mortal: 0,
      inherited: 0,
      longestLife: null,
      secondsLeft: []
    })
  })

  it('tell rejections by code, the most frequent first, without values', () => {
    const found = count(BY_DAY, [
      order('1', 'a', 'mo', { pk: 'secret' }),
      { id: '2', tenantId: 'secret' },
      { id: '3', tenantId: 'secret' }
    ])

    expect(found.rejected).toMatchObject([
      { code: 'FIELD_MISSING', documents: 2 },
      { code: 'KEY_DIFFERS', documents: 1 }
    ])
    expect(JSON.stringify(found)).not.toContain('secret')
  })

  it('tell documents that would get the same key and id', () => {
    const byDayAlone: PlanDefinition = { into: '/pk', from: [{ field: '/day' }] }
    const documents = [order('1', 'a', 'mo'), order('1', 'b', 'mo'), order('1', 'c', 'mo'), order('1', 'd', 'tu')]

    expect(count(byDayAlone, documents).collisions).toBe(2)
    expect(count(BY_DAY, documents).collisions).toBe(0)
  })

  it('tell old keys whose documents get several new keys', () => {
    const found = count(BY_DAY, [
      order('1', 'a', 'mo'),
      order('2', 'a', 'tu'),
      order('3', 'b', 'mo'),
      order('4', 'b', 'mo'),
      order('5', 'c', 'mo')
    ])

    expect(found).toMatchObject({ sharedKeys: 2, tornKeys: 1 })
  })

  it('tell the new key with most bytes, by its hash', () => {
    const found = count(BY_DAY, [
      order('1', 'a', 'mo'),
      order('2', 'a', 'mo'),
      order('3', 'secret', 'mo', { text: 'x'.repeat(10_000) })
    ])

    expect(found.largestKey).toMatchObject({ hash: expect.stringMatching(/^[0-9A-F]{8}$/), documents: 1 })
    expect(found.largestKey!.share).toBeGreaterThan(0.9)
  })

  it('tell documents that a unique key refuses: a missing value counts as null', () => {
    const documents = [
      order('1', 'a', 'mo', { plate: { text: 'X' } }),
      order('2', 'a', 'mo', { plate: { text: 'X' } }),
      order('3', 'a', 'tu', { plate: { text: 'X' } }),
      order('4', 'a', 'tu'),
      order('5', 'a', 'tu', { plate: { text: null } })
    ]

    expect(count(BY_DAY, documents, { uniqueKeys: [[['plate', 'text']]] }).uniqueConflicts).toBe(2)
    expect(count(BY_DAY, documents, { uniqueKeys: [[['plate', 'text'], ['id']]] }).uniqueConflicts).toBe(0)
  })
})

describe('countSample', () => {
  it('reads documents with the key of the source, and the unique keys of the target', () => {
    const documents = [
      order('1', 'a', 'mo', { 'a b': 1, _ts: CHANGED_AT }),
      order('2', 'a', 'mo', { 'a b': 1, _ts: CHANGED_AT }),
      // no document of Cosmos DB
      { tenantId: 'a' }
    ]

    const found = countSample(documents, {
      copy: optionsFor(BY_DAY, { sourceDefaultTtl: DAY }),
      target: { partitionKey: { paths: ['/pk'], kind: 'Hash', version: 2 }, uniqueKeys: [['/"a b"']] },
      indexingPolicy: {},
      nowMs: (CHANGED_AT + 100) * 1000
    })

    expect(found).toMatchObject({
      documents: 2,
      sharedKeys: 1,
      uniqueConflicts: 1,
      secondsLeft: [DAY - 100, DAY - 100]
    })
  })
})

describe('counts of lives', () => {
  const documents = [
    order('1', 'a', 'mo'),
    order('2', 'a', 'mo', { ttl: 10 * DAY }),
    order('3', 'a', 'mo', { ttl: 90 })
  ]

  it('are those of documents with an end, by their own `ttl` or that of the container', () => {
    expect(count(BY_DAY, documents, { defaultTtl: 5 * DAY, seconds: 40 })).toMatchObject({
      mortal: 3,
      inherited: 1,
      longestLife: 10 * DAY,
      secondsLeft: [50, 5 * DAY - 40, 10 * DAY - 40],
      expiring: 1
    })
  })

  it('have no longest life if a document never expires', () => {
    expect(count(BY_DAY, documents, { defaultTtl: -1 })).toMatchObject({ mortal: 2, inherited: 0, longestLife: null })
    expect(
      count(BY_DAY, [...documents, order('4', 'a', 'mo', { ttl: -1 })], { defaultTtl: DAY }).longestLife
    ).toBeNull()
  })

  it('are none if the container has no default: Cosmos DB ignores the member', () => {
    expect(count(BY_DAY, documents)).toMatchObject({ mortal: 0, longestLife: null, secondsLeft: [] })
  })
})

const paths = (...all: readonly string[]) => all.map((path) => ({ path }))

describe('indexedValues', () => {
  const document = { id: '1', a: { b: 1, c: [1, 2, { d: null }] }, 'e f': true, _ts: 1, _etag: 'x' }
  const of = (policy: Parameters<typeof indexedValues>[1]) => indexedValues(document, policy)

  it.each([
    ['everything, without system properties', {}, 6],
    ['nothing in the mode none', { indexingMode: 'none' }, 0],
    ['what no path excludes', { includedPaths: paths('/*'), excludedPaths: paths('/a/*') }, 2],
    ['what a path includes', { includedPaths: paths('/a/b/?', '/"e f"/?'), excludedPaths: paths('/*') }, 2],
    ['elements of arrays', { includedPaths: paths('/a/c/[]/?'), excludedPaths: paths('/*') }, 2],
    ['what a longer path includes again', { includedPaths: paths('/*', '/a/c/*'), excludedPaths: paths('/a/*') }, 5],
    [
      'what a path of the value itself excludes',
      { includedPaths: paths('/a/b/*'), excludedPaths: paths('/*', '/a/b/?') },
      0
    ]
  ])('counts %s', (_title, policy, values) => {
    expect(of(policy)).toBe(values)
  })
})
