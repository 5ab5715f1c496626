import type { KeyComponent } from '@keystamp/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hexOf } from '../../src/digest/hash-state.ts'
import { BUCKETS, bucketOf, hashIdentity, hashPlace } from '../../src/digest/identity-hash.ts'
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

describe('hashPlace', () => {
  const text = fc.oneof(
    fc.string(),
    fc.string({ unit: 'binary' }),
    fc.constantFrom('', 'a', '"', 'a\\b', 'ü', '0123456789abcdef')
  )
  const component = fc.oneof(text, fc.double({ noNaN: true, noDefaultInfinity: true }), fc.constantFrom(true, null))

  it('is the hash of the identity, for any text of id and key', () => {
    fc.assert(
      fc.property(component, text, fc.boolean(), (value, id, isEscaped) => {
        expect(placeHash(value, id, isEscaped)).toEqual({ hash: hashOf([value], id), hasKey: true })
      }),
      { numRuns: 2000 }
    )
  })

  it('says whether the document has a key', () => {
    expect(placeHash(undefined, 'a', false)).toEqual({ hash: hashOf([undefined], 'a'), hasKey: false })
  })

  it('uses the identity where the positions in the bytes are not known', () => {
    const into = new Int32Array(4)
    const identity = { key: ['a', undefined], id: 'b' }
    const bytes = Buffer.from('{}')

    expect(hashPlace({ bytes, start: 0, end: 2, identity, etag: '', timestamp: 0, lsn: 0 }, into)).toBe(true)
    expect(hexOf(into)).toBe(hashOf(identity.key, identity.id))
  })
})

/** Hash of a document that has its id and key between other bytes, with an escape for each character if wanted. */
function placeHash(value: KeyComponent, id: string, isEscaped: boolean): { hash: string; hasKey: boolean } {
  const [idText, keyText] = [id, value].map((each) => jsonOf(each, isEscaped))
  const head = `{"id":${idText},"ü":"${'x'.repeat(3)}","pk":`
  const bytes = Buffer.from(`${head}${keyText ?? '[]'}}`)
  const [idStart, keyStart] = [6, keyText === undefined ? -1 : Buffer.byteLength(head)]
  const into = new Int32Array(4)
  const hasKey = hashPlace(
    {
      bytes,
      start: 0,
      end: bytes.length,
      identity: { key: [value], id },
      etag: '',
      timestamp: 0,
      lsn: undefined,
      idStart,
      idEnd: idStart + Buffer.byteLength(idText!),
      keyStart,
      keyEnd: bytes.length - 1
    },
    into
  )
  return { hash: hexOf(into), hasKey }
}

function jsonOf(value: KeyComponent, isEscaped: boolean): string | undefined {
  if (typeof value !== 'string' || !isEscaped) return JSON.stringify(value)
  return `"${Array.from({ length: value.length }, (_, at) => `\\u${value.charCodeAt(at).toString(16).padStart(4, '0')}`).join('')}"`
}

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
