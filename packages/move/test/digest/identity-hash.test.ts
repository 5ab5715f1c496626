import type { KeyComponent } from '@keystamp/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hexOf } from '../../src/digest/hash-state.ts'
import { BUCKETS, bucketOf, hashIdentity } from '../../src/digest/identity-hash.ts'
import { type Identity, identityText } from '../../src/documents/identity.ts'

function hashOf(key: readonly KeyComponent[], id: string): string {
  const into = new Int32Array(4)
  hashIdentity({ key, id }, into)
  return hexOf(into)
}

describe('hashIdentity', () => {
  it('gives equal hashes for equal identities only', () => {
    const text = fc.oneof(fc.constantFrom('', '1', 'a', 'ab', '\0', '\ud800'), fc.string({ unit: 'binary' }))
    const component: fc.Arbitrary<KeyComponent> = fc.oneof(
      text,
      fc.constantFrom(0, -0, 1, true, false, null, undefined),
      fc.double({ noNaN: true })
    )
    const identities: fc.Arbitrary<Identity> = fc.record({ key: fc.array(component, { maxLength: 3 }), id: text })
    fc.assert(
      fc.property(identities, identities, (one, other) => {
        expect(hashOf(one.key, one.id) === hashOf(other.key, other.id)).toBe(identityText(one) === identityText(other))
        expect(hashOf([...one.key], one.id)).toBe(hashOf(one.key, one.id))
      }),
      { numRuns: 1000 }
    )
  })

  it('tells apart values of other types, absent values, other orders and other borders', () => {
    const identities: readonly (readonly [readonly KeyComponent[], string])[] = [
      [[1], 'a'],
      [['1'], 'a'],
      [[true], 'a'],
      [[false], 'a'],
      [[null], 'a'],
      [[undefined], 'a'],
      [[0], 'a'],
      [[''], 'a'],
      [['\0'], 'a'],
      [[], 'a'],
      [[null, null], 'a'],
      [['a', 'b'], 'c'],
      [['b', 'a'], 'c'],
      [['ab'], 'c'],
      [['a'], 'bc'],
      [['a', ''], 'bc'],
      [['', 'a'], 'bc']
    ]
    expect(hashOf([-0], 'a')).toBe(hashOf([0], 'a'))
    expect(new Set(identities.map(([key, id]) => hashOf(key, id))).size).toBe(identities.length)
  })

  it('gives the hash that it gave in earlier versions, since files contain it', () => {
    expect(hashOf(['tenant-1', 7.5, true, null, undefined, 'ü\ud800'], 'order-1')).toBe(
      'e12a66eb6ed01023ff4f4bfa825668f5'
    )
  })
})

describe('bucketOf', () => {
  it('divides similar identities evenly among the buckets', () => {
    const counts = new Uint32Array(BUCKETS)
    const into = new Int32Array(4)
    for (let number = 0; number < BUCKETS * 4; number++) {
      hashIdentity({ key: [`tenant-${number % 10}`], id: String(number) }, into)
      counts[bucketOf(into)]++
    }
    // with a mean of 4, a bucket of 20 is improbable even among 65,536
    expect(Math.max(...counts)).toBeLessThan(20)
    expect(counts.filter((count) => count === 0).length / BUCKETS).toBeCloseTo(Math.exp(-4), 2)
  })
})
