import { BUCKETS, bucketOf } from './identity-hash.ts'
import { HashState, type Words128 } from './hash-state.ts'

/**
 * For each bucket of the identities of a container: the number of its documents, and the sum of their hashes modulo
 * 2^128. Takes 1.3 MB. Two containers with equal content have equal buckets, and two equal mistakes do not cancel.
 */
export interface BucketDigests {
  /** Adds a document, by the hashes of its identity and of its content. */
  readonly add: (identity: Words128, content: Words128) => void
  /** Adds a document whose hashes are in `words`, of its identity from `identity` on and of its content from `content` on. */
  readonly addFrom: (words: Int32Array, identity: number, content: number) => void
  /** Removes a document that was added. */
  readonly subtract: (identity: Words128, content: Words128) => void
  /** Adds the documents of other digests. */
  readonly merge: (other: BucketDigests) => void
  /** Number of documents. */
  readonly total: () => number
  readonly countOf: (bucket: number) => number
  /** The four words of the sum of a bucket, the lowest one first. */
  readonly sumOf: (bucket: number) => readonly [number, number, number, number]
  /** Buckets that differ, in order. */
  readonly differing: (other: BucketDigests) => number[]
  /** Sets a bucket back to no documents. */
  readonly clear: (bucket: number) => void
  /** The buckets as bytes, which `readBucketDigests` reads. */
  readonly toBytes: () => Uint8Array
}

const WORDS = 5
// marks the bytes as digests of buckets in the format with this number
const MAGIC = 0x4b534244
const FORMAT = 1
const HEAD_BYTES = 8
const TOTAL_BYTES = HEAD_BYTES + BUCKETS * WORDS * 4
const PAIR_SEED = 0x0b0c4e7d
const PAIR = 1

/** Creates digests without documents. */
export function createBucketDigests(): BucketDigests {
  return digestsOf(new Uint32Array(BUCKETS * WORDS))
}

/** Reads the bytes of `toBytes`; undefined if they are others. */
export function readBucketDigests(bytes: Uint8Array): BucketDigests | undefined {
  if (bytes.length !== TOTAL_BYTES) return undefined
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (view.getUint32(0) !== MAGIC || view.getUint32(4) !== FORMAT) return undefined
  return digestsOf(Uint32Array.from({ length: BUCKETS * WORDS }, (_, at) => view.getUint32(HEAD_BYTES + at * 4, true)))
}

/** `cells`: for each bucket the count, and the words of the sum. */
function digestsOf(cells: Uint32Array): BucketDigests {
  const hash = new HashState()

  return {
    add: (identity, content) => {
      hashPair(identity, 0, content, 0)
      change(bucketOf(identity), 1)
    },
    addFrom: (words, identity, content) => {
      hashPair(words, identity, words, content)
      change(bucketOf(words, identity), 1)
    },
    subtract: (identity, content) => {
      hashPair(identity, 0, content, 0)
      negate(hash.words)
      change(bucketOf(identity), -1)
    },
    merge,
    total,
    countOf: (bucket) => cells[bucket * WORDS],
    sumOf,
    differing: (other) => bucketsWhere((bucket) => differs(bucket, other)),
    clear: (bucket) => {
      cells.fill(0, bucket * WORDS, (bucket + 1) * WORDS)
    },
    toBytes
  }

  function change(bucket: number, by: 1 | -1): void {
    const at = bucket * WORDS
    cells[at] += by
    addSum(at + 1, hash.words)
  }

  // content that moved from one document to another must not give the same sum
  function hashPair(identities: Int32Array, identity: number, contents: Int32Array, content: number): void {
    hash.begin(PAIR_SEED, 0)
    hash.block(identities[identity], identities[identity + 1], identities[identity + 2], identities[identity + 3])
    hash.block(contents[content], contents[content + 1], contents[content + 2], contents[content + 3])
    hash.finish(PAIR, 32)
  }

  function addSum(at: number, words: ArrayLike<number>): void {
    let carry = 0
    for (let word = 0; word < 4; word++) {
      const sum = cells[at + word] + (words[word] >>> 0) + carry
      cells[at + word] = sum
      carry = sum > 0xffffffff ? 1 : 0
    }
  }

  function merge(other: BucketDigests): void {
    for (let bucket = 0; bucket < BUCKETS; bucket++) {
      const count = other.countOf(bucket)
      cells[bucket * WORDS] += count
      addSum(bucket * WORDS + 1, other.sumOf(bucket))
    }
  }

  function total(): number {
    let count = 0
    for (let at = 0; at < cells.length; at += WORDS) count += cells[at]
    return count
  }

  function sumOf(bucket: number): readonly [number, number, number, number] {
    const at = bucket * WORDS + 1
    return [cells[at], cells[at + 1], cells[at + 2], cells[at + 3]]
  }

  function differs(bucket: number, other: BucketDigests): boolean {
    const sum = other.sumOf(bucket)
    const at = bucket * WORDS
    return cells[at] !== other.countOf(bucket) || sum.some((word, each) => cells[at + 1 + each] !== word)
  }

  function toBytes(): Uint8Array {
    const bytes = new Uint8Array(TOTAL_BYTES)
    const view = new DataView(bytes.buffer)
    view.setUint32(0, MAGIC)
    view.setUint32(4, FORMAT)
    for (let at = 0; at < cells.length; at++) view.setUint32(HEAD_BYTES + at * 4, cells[at], true)
    return bytes
  }
}

/** The negative number modulo 2^128: adding it subtracts. */
function negate(words: Words128): void {
  let carry = 1
  for (let word = 0; word < 4; word++) {
    const sum = (~words[word] >>> 0) + carry
    words[word] = sum
    carry = sum > 0xffffffff ? 1 : 0
  }
}

function bucketsWhere(test: (bucket: number) => boolean): number[] {
  const found: number[] = []
  for (let bucket = 0; bucket < BUCKETS; bucket++) if (test(bucket)) found.push(bucket)
  return found
}
