import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { headOf, type KeyDefinition, partitionHash, partitionHashHead } from '../../src/hash/partition-hash.ts'
import type { KeyComponent } from '../../src/hash/component-bytes.ts'
import { componentsOf, epkVectors } from './epk-vectors.ts'
import { sdkHash } from './sdk-hash.ts'

const V1 = { version: 1 } as const
const V2 = { version: 2 } as const
const MULTI = { kind: 'MultiHash', version: 2 } as const

const text = fc.oneof(
  fc.string({ maxLength: 40 }),
  fc.string({ unit: 'grapheme', maxLength: 20 }),
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.string({ minLength: 90, maxLength: 400 })
)
const number = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer(),
  fc.maxSafeInteger(),
  fc.constant(-0)
)
const component: fc.Arbitrary<KeyComponent> = fc.oneof(
  text,
  number,
  fc.boolean(),
  fc.constant(null),
  fc.constant(undefined)
)

describe('partitionHash', () => {
  it('is tested with more than 80 published hashes', () => {
    expect(epkVectors.hashes.length).toBeGreaterThan(80)
  })

  // checks L13
  it.each(epkVectors.hashes)(
    'returns the published hash of $values under $definition',
    ({ values, definition, epk }) => {
      expect(partitionHash(componentsOf(values), definition)).toBe(epk)
    }
  )

  // checks L13
  it('agrees with the client of Cosmos DB on version 2', () => {
    fc.assert(
      fc.property(fc.array(component, { minLength: 1, maxLength: 3 }), (values) => {
        expect(partitionHash(values, V2)).toBe(sdkHash(values, V2))
      }),
      { numRuns: 1000 }
    )
  })

  // checks L13
  it('agrees with the client of Cosmos DB on hierarchical keys and their prefixes', () => {
    fc.assert(
      fc.property(fc.array(component, { minLength: 1, maxLength: 3 }), (values) => {
        expect(partitionHash(values, MULTI)).toBe(sdkHash(values, MULTI))
      }),
      { numRuns: 300 }
    )
  })

  it.each([V1, V2, MULTI])(
    'returns a hash that begins with the digits from partitionHashHead, under %j',
    (definition) => {
      const max = definition === V1 ? 1 : 3
      fc.assert(
        fc.property(fc.array(component, { minLength: 1, maxLength: max }), (values) => {
          expect(partitionHashHead(values, definition)).toBe(headOf(partitionHash(values, definition)))
        }),
        { numRuns: 500 }
      )
    }
  )

  it('has a function headOf that accepts boundaries of any length', () => {
    expect(['', '05', '05C1E3F900AA'].map(headOf)).toEqual([0, 0x05000000, 0x05c1e3f9])
  })

  // the client counts characters and the service counts bytes, so only the hashes of long strings are compared
  // checks L13
  it('agrees with the client of Cosmos DB on version 1', () => {
    fc.assert(
      fc.property(component, (value) => {
        const cut = typeof value === 'string' && new TextEncoder().encode(value.slice(0, 100)).length > 100
        const compared = (epk: string): string => (cut ? epk.slice(0, 14) : epk)

        expect(compared(partitionHash([value], V1))).toBe(compared(sdkHash([value], V1)))
      }),
      { numRuns: 1000 }
    )
  })

  // checks L13
  it('keeps 101 bytes of a string of more than 100 bytes in version 1, and no end byte', () => {
    const epk = partitionHash(['é'.repeat(60)], V1)

    const encoded = epk.slice(epk.indexOf('08C4AA'))
    expect(encoded).toBe(`08${'C4AA'.repeat(50)}C4`)
  })

  it('throws for an unknown version instead of hashing as version 1', () => {
    expect(() => partitionHash(['a'], { kind: 'Hash', version: 3 as 2 })).toThrow('is 1 or 2, not 3')
    expect(() => partitionHash(['a'], { kind: 'Hash', version: '2' as unknown as 2 })).toThrow('is 1 or 2, not "2"')
  })

  it('uses version 1 for a definition without a version', () => {
    expect(partitionHash(['redmond'], {})).toBe(partitionHash(['redmond'], V1))
  })

  it('returns a hash of a hierarchical key that begins with the hash of each prefix of the key', () => {
    const whole = partitionHash(['tenant1', 'user1', 7], MULTI)

    expect(whole.startsWith(partitionHash(['tenant1', 'user1'], MULTI))).toBe(true)
    expect(whole.startsWith(partitionHash(['tenant1'], MULTI))).toBe(true)
    expect(whole).toHaveLength(96)
  })

  it('returns a hash that does not depend on earlier calls', () => {
    const first = partitionHash(['abc'], V2)
    partitionHash(['x'.repeat(100_000)], V2)
    partitionHash(['\u{1F600}'.repeat(300)], V1)

    expect(partitionHash(['abc'], V2)).toBe(first)
  })

  it('hashes a string that is longer than its buffer as the client does', () => {
    const long = 'é1'.repeat(20_000)

    expect(partitionHash([long], V2)).toBe(sdkHash([long], V2))
  })

  const refused: [string, readonly unknown[], KeyDefinition][] = [
    ['an empty list of values', [], V2],
    ['four levels', ['a', 'b', 'c', 'd'], MULTI],
    ['more values than paths', ['a', 'b'], { kind: 'MultiHash', version: 2, paths: ['/a'] }],
    ['NaN', [Number.NaN], V2],
    ['infinity', [Number.POSITIVE_INFINITY], V1],
    ['an object', [{}], V2],
    ['a bigint', [1n], V2]
  ]
  it.each(refused)('throws for %s', (_what, values, definition) => {
    expect(() => Reflect.apply(partitionHash, undefined, [values, definition])).toThrow(
      expect.objectContaining({ code: 'HASH_INPUT_INVALID' })
    )
  })
})
