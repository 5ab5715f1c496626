import { KeystampError } from '../errors/keystamp-error.ts'
import { writeUtf8 } from '../text/utf8.ts'
import { type Scratch, scratchFor, STRING_END, STRING_TAG } from './component-bytes.ts'
import { componentHashV1, V1_STRING_UNITS } from './hash-v1.ts'
import { hashV2Of } from './partition-hash.ts'
import { createHash128, finish128, type Hash128, mixBlocks128 } from './murmur128.ts'
import { murmur32Bytes } from './murmur32.ts'

/** Upper limit for the labels of one base. */
const MAX_EVEN_LABELS = 10_000

/**
 * Computes one label for each of `count` equal slices of the hash space. `result[j - 1]` is the smallest number,
 * starting at 1, with which the key `prefix + number` is in slice j. The prefix includes the separator.
 */
export function evenLabels(prefix: string, count: number, hashVersion: 1 | 2): Int32Array {
  assertEvenLabels(prefix, count, hashVersion)
  const labels = new Int32Array(count)
  const slicer = hashVersion === 1 ? slicerV1(prefix, count) : startedV2(prefix, count)
  let missing = count
  for (let number = 1; number <= count * TRIES_PER_LABEL; number++) {
    const index = slicer.sliceOf(number) - 1
    if (labels[index] !== 0) continue
    labels[index] = number
    if (--missing === 0) return labels
  }
  throw notFound(missing, count)
}

/** Throws if a prefix cannot have this number of even labels. */
export function assertEvenLabels(prefix: string, count: number, hashVersion: 1 | 2): void {
  if (!Number.isInteger(count) || count < 1 || count > MAX_EVEN_LABELS) {
    throw new KeystampError(
      'HASH_INPUT_INVALID',
      `The count of even labels must be a whole number from 1 to ${MAX_EVEN_LABELS}.`
    )
  }
  if (hashVersion === 1 && prefix.length + MAX_DIGITS > V1_STRING_UNITS) {
    throw new KeystampError(
      'HASH_INPUT_INVALID',
      `Even labels must be within the first ${V1_STRING_UNITS} characters of a key, because version 1 does not hash later characters. Shorten the base.`
    )
  }
}

/** Error for a search that ended without a label for each slice. */
export function notFound(missing: number, count: number): KeystampError {
  return new KeystampError(
    'INVARIANT_BROKEN',
    `No even labels found: ${missing} of ${count} slices have none after ${count * TRIES_PER_LABEL} numbers.`
  )
}

/**
 * Maximum number of labels to try, for each slice. Numbers fall into slices at random, so each slice has one after about
 * count * ln(count) numbers; the probability that a slice has none after 80 * count numbers is below count / e^80.
 */
export const TRIES_PER_LABEL = 80

const MAX_DIGITS = 6

/** Returns the even labels of a prefix. */
type LabelsOf = (prefix: string) => Int32Array

/** Takes about four megabytes, with four bytes for each label. */
const MAX_LABELS = 1_000_000

/** Caches the even labels of many bases. Keeps at most `maxLabels` labels, but always the labels of one base. */
export function createLabelCache(count: number, hashVersion: 1 | 2, maxLabels: number = MAX_LABELS): LabelsOf {
  return createBaseCache(maxLabels / count, (prefix) => evenLabels(prefix, count, hashVersion))
}

/**
 * Caches what `make` computes for many bases. Keeps at most `maxBases`, but always one. Drops bases that were not used
 * while half of `maxBases` were added.
 */
function createBaseCache(maxBases: number, make: (base: string) => Int32Array): (base: string) => Int32Array {
  // two generations instead of an order by last use: a hit in the young generation costs a single lookup
  const generationSize = Math.max(1, Math.floor(maxBases / 2))
  let young = new Map<string, Int32Array>()
  let old = new Map<string, Int32Array>()

  function keep(base: string, made: Int32Array): Int32Array {
    if (young.size >= generationSize) {
      old = young
      young = new Map()
    }
    young.set(base, made)
    return made
  }

  return (base) => young.get(base) ?? keep(base, old.get(base) ?? make(base))
}

/** Number of the slice that contains a key: 1 to `count`, of `count` equal slices of the hash space. */
export function sliceOf(key: string, count: number, hashVersion: 1 | 2): number {
  return hashVersion === 1
    ? sliceOfV1(componentHashV1(key), count)
    : sliceOfV2(Number.parseInt(hashV2Of(key).slice(0, 8), 16), count)
}

/** Slice of a 32-bit hash of version 1. */
export function sliceOfV1(hash: number, count: number): number {
  return 1 + Math.floor((hash * count) / 0x1_0000_0000)
}

/** Slice of an effective partition key of version 2, by its first eight digits: 30 bits as a number. */
export function sliceOfV2(top: number, count: number): number {
  return 1 + Math.floor((top * count) / 0x4000_0000)
}

interface Slicer {
  readonly sliceOf: (number: number) => number
}

/** Slices of the keys of one prefix, version 2. */
export class SlicerV2 {
  /** Hash of the key of the last number. */
  readonly hash: Hash128 = createHash128()
  readonly #ofPrefix = createHash128()
  readonly #ofBlock = createHash128()
  #scratch = scratchFor(0)
  #count = 0
  /** Where the number begins, and where the bytes begin that are not in a full block of the prefix. */
  #at = 0
  #tail = 0
  /** Bytes after the block that the number completes, and the digits in that block: `#ofBlock` is for them. */
  #outside = 0
  #inside = 0

  /** Begins with a prefix. Hashes its full blocks once. */
  start(prefix: string, count: number): void {
    this.#scratch = scratchFor(prefix.length * 3 + MAX_DIGITS + 2)
    this.#count = count
    this.#at = writePrefix(prefix, this.#scratch)
    this.#ofPrefix.fill(0)
    this.#tail = mixBlocks128(this.#ofPrefix, this.#scratch.view, 0, this.#at)
    this.#outside = 0
  }

  /** Slice of the key with a number. Hashes only the bytes that the key of the last number does not have. */
  sliceOf(number: number): number {
    const { bytes, view } = this.#scratch
    const end = writeNumber(number, bytes, this.#at)
    bytes[end] = STRING_END[2]
    const length = end + 1
    const outside = length - this.#tail - BLOCK_BYTES
    const { hash } = this
    if (outside > 0) {
      const inside = Math.floor(number / TEN_TO_THE[outside - 1])
      if (outside !== this.#outside || inside !== this.#inside) {
        copyHash(this.#ofBlock, this.#ofPrefix)
        mixBlocks128(this.#ofBlock, view, this.#tail, length)
        this.#outside = outside
        this.#inside = inside
      }
      copyHash(hash, this.#ofBlock)
      finish128(hash, view, this.#tail + BLOCK_BYTES, length)
    } else {
      copyHash(hash, this.#ofPrefix)
      finish128(hash, view, mixBlocks128(hash, view, this.#tail, length), length)
    }
    return sliceOfV2(hash[2] & 0x3fff_ffff, this.#count)
  }
}

function startedV2(prefix: string, count: number): Slicer {
  slicerV2.start(prefix, count)
  return slicerV2
}

const slicerV2 = new SlicerV2()
const BLOCK_BYTES = 16
const TEN_TO_THE = Array.from({ length: MAX_DIGITS + 1 }, (_, digits) => 10 ** digits)

function slicerV1(prefix: string, count: number): Slicer {
  const scratch = scratchFor(prefix.length * 3 + MAX_DIGITS + 2)
  const { bytes } = scratch
  const at = writePrefix(prefix, scratch)
  const sliceOfNumber = (number: number): number => {
    const end = writeNumber(number, bytes, at)
    bytes[end] = STRING_END[1]
    return sliceOfV1(murmur32Bytes(bytes, end + 1), count)
  }
  return { sliceOf: sliceOfNumber }
}

function writePrefix(prefix: string, { bytes }: Scratch): number {
  bytes[0] = STRING_TAG
  return writeUtf8(prefix, bytes, 1)
}

function writeNumber(number: number, bytes: Uint8Array, at: number): number {
  const end = at + digitsOf(number)
  let rest = number
  for (let digitAt = end - 1; digitAt >= at; digitAt--) {
    const tenth = (rest / 10) | 0
    bytes[digitAt] = 0x30 + rest - tenth * 10
    rest = tenth
  }
  return end
}

function digitsOf(number: number): number {
  let digits = 1
  for (let limit = 10; number >= limit; limit *= 10) digits++
  return digits
}

function copyHash(target: Hash128, source: Hash128): void {
  target[0] = source[0]
  target[1] = source[1]
  target[2] = source[2]
  target[3] = source[3]
}
