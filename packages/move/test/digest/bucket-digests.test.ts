import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type BucketDigests, createBucketDigests, readBucketDigests } from '../../src/digest/bucket-digests.ts'
import type { Words128 } from '../../src/digest/hash-state.ts'
import { BUCKETS, bucketOf, hashIdentity } from '../../src/digest/identity-hash.ts'

/** A document: an identity in one of a few buckets, and its content. */
type Pair = readonly [Words128, Words128]

const words = fc.array(fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }), { minLength: 4, maxLength: 4 })
const pairs: fc.Arbitrary<Pair> = fc
  .tuple(fc.constantFrom(0, 1, 65_535), words, words)
  .map(([bucket, identity, content]) => [
    Int32Array.from(identity, (word, at) => (at === 0 ? (bucket << 16) | (word & 0xffff) : word)),
    Int32Array.from(content)
  ])

function digestsOf(documents: readonly Pair[]): BucketDigests {
  const digests = createBucketDigests()
  for (const [identity, content] of documents) digests.add(identity, content)
  return digests
}

const identityOf = (id: string): Words128 => {
  const into = new Int32Array(4)
  hashIdentity({ key: [], id }, into)
  return into
}

const contentOf = (word: number): Words128 => Int32Array.of(word, word, word, word)

describe('the sums of buckets', () => {
  it('do not depend on the order of documents', () => {
    fc.assert(
      fc.property(fc.array(pairs, { minLength: 1, maxLength: 30 }), (documents) => {
        const digests = digestsOf(documents)
        expect(digests.differing(digestsOf(documents.toReversed()))).toEqual([])
        expect(digests.total()).toBe(documents.length)
      }),
      { numRuns: 20 }
    )
  })

  it('differ in the bucket of each document that is missing, extra or different', () => {
    fc.assert(
      fc.property(fc.array(pairs, { maxLength: 20 }), pairs, pairs, (documents, [identity, content], [, other]) => {
        const bucket = bucketOf(identity)
        const digests = digestsOf([...documents, [identity, content]])
        expect(digests.differing(digestsOf(documents))).toEqual([bucket])
        fc.pre(content.join() !== other.join())
        expect(digests.differing(digestsOf([...documents, [identity, other]]))).toEqual([bucket])
      }),
      { numRuns: 20 }
    )
  })

  it('are those of the other documents after documents were subtracted', () => {
    fc.assert(
      fc.property(fc.array(pairs, { maxLength: 20 }), fc.array(pairs, { maxLength: 20 }), (kept, removed) => {
        const digests = digestsOf([...removed, ...kept])
        for (const [identity, content] of removed) digests.subtract(identity, content)
        expect(digests.differing(digestsOf(kept))).toEqual([])
        expect(digests.total()).toBe(kept.length)
      }),
      { numRuns: 20 }
    )
  })

  it('are those of all documents after a merge', () => {
    fc.assert(
      fc.property(fc.array(pairs, { maxLength: 20 }), fc.array(pairs, { maxLength: 20 }), (some, others) => {
        const digests = digestsOf(some)
        digests.merge(digestsOf(others))
        expect(digests.differing(digestsOf([...some, ...others]))).toEqual([])
      }),
      { numRuns: 20 }
    )
  })

  it('are sums modulo 2^128', () => {
    const identity = identityOf('1')
    const bucket = bucketOf(identity)
    const digests = createBucketDigests()
    let expected = 0n
    digests.add(identity, contentOf(1))
    const each = numberOf(digests.sumOf(bucket))
    for (let times = 1; times < 100; times++) digests.add(identity, contentOf(1))
    for (let times = 0; times < 100; times++) expected = (expected + each) % 2n ** 128n
    expect(numberOf(digests.sumOf(bucket))).toBe(expected)
    expect(each * 100n).toBeGreaterThan(2n ** 128n)
  })
})

describe('mistakes that a weaker sum would not show', () => {
  const [one, other] = idsOfOneBucket()

  it('does not let two equal mistakes cancel', () => {
    const right = digestsOf([[one, contentOf(1)]])
    // with exclusive or, the two extra documents would cancel
    const twice = digestsOf([
      [one, contentOf(1)],
      [other, contentOf(2)],
      [other, contentOf(2)]
    ])
    expect(twice.sumOf(bucketOf(one))).not.toEqual(right.sumOf(bucketOf(one)))
  })

  it('differs when two documents of a bucket have each other’s content', () => {
    const right = digestsOf([
      [one, contentOf(1)],
      [other, contentOf(2)]
    ])
    const exchanged = digestsOf([
      [one, contentOf(2)],
      [other, contentOf(1)]
    ])
    expect(right.differing(exchanged)).toEqual([bucketOf(one)])
  })
})

describe('digests as bytes', () => {
  it('reads what it wrote', () => {
    const digests = digestsOf([
      [identityOf('1'), contentOf(-1)],
      [identityOf('2'), contentOf(2)]
    ])
    const bytes = digests.toBytes()
    // a part of other bytes, as they come from a file
    const padded = new Uint8Array(bytes.length + 3)
    padded.set(bytes, 3)
    const read = readBucketDigests(padded.subarray(3))
    expect(read?.differing(digests)).toEqual([])
    expect(read?.total()).toBe(2)
  })

  it('refuses bytes of another length or format', () => {
    const bytes = createBucketDigests().toBytes()
    expect(readBucketDigests(bytes.subarray(1))).toBeUndefined()
    for (const at of [0, 7]) {
      const other = bytes.slice()
      other[at] ^= 1
      expect(readBucketDigests(other)).toBeUndefined()
    }
  })

  it('takes 1.3 MB', () => {
    expect(createBucketDigests().toBytes().length).toBe(8 + BUCKETS * 20)
  })
})

it('forgets the documents of a bucket that is cleared', () => {
  const digests = digestsOf([
    [identityOf('1'), contentOf(1)],
    [identityOf('2'), contentOf(2)]
  ])
  digests.clear(bucketOf(identityOf('1')))
  expect(digests.differing(digestsOf([[identityOf('2'), contentOf(2)]]))).toEqual([])
})

function numberOf(sum: readonly number[]): bigint {
  return sum.reduceRight((number, word) => (number << 32n) | BigInt(word), 0n)
}

function idsOfOneBucket(): readonly [Words128, Words128] {
  const first = identityOf('0')
  for (let number = 1; ; number++) {
    const next = identityOf(String(number))
    if (bucketOf(next) === bucketOf(first)) return [first, next]
  }
}
