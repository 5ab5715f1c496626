import { writeUtf8 } from '../text/utf8.ts'
import { hexOfWords } from './hex.ts'
import { type Scratch, scratchFor } from './component-bytes.ts'

/** h1 and h2 of MurmurHash3 x64-128, each as two signed halves: [h1 high, h1 low, h2 high, h2 low]. */
export type Hash128 = Int32Array

export function createHash128(): Hash128 {
  return new Int32Array(4)
}

/** MurmurHash3 x64-128 with seed 0 of the first `length` bytes. Overwrites up to 16 bytes after them. */
export function murmur128(hash: Hash128, { view }: Scratch, length: number): void {
  hash[0] = hash[1] = hash[2] = hash[3] = 0
  const tail = mixBlocks128(hash, view, 0, length)
  finish128(hash, view, tail, length)
}

/**
 * MurmurHash3 x64-128 of a string in UTF-8, as 32 lower-case hex digits in the byte order of effective partition keys
 * (h2, then h1).
 */
export function hashHex(text: string): string {
  const scratch = scratchFor(text.length * 3)
  murmur128(ofText, scratch, writeUtf8(text, scratch.bytes, 0))
  return hexOfWords(ofText[2], ofText[3], ofText[0], ofText[1]).toLowerCase()
}

const ofText = createHash128()

/**
 * Mixes all full blocks of 16 bytes between `at` and `end` into the hash. Returns the position of the remaining bytes.
 */
export function mixBlocks128(hash: Hash128, view: DataView, at: number, end: number): number {
  let block = at
  for (; block + 16 <= end; block += 16) mixBlock(hash, view, block)
  return block
}

/**
 * Mixes the remaining bytes, from `tail` to `length` (the number of all bytes), into the hash, and finishes it.
 * Overwrites up to 16 bytes after `length`.
 */
export function finish128(hash: Hash128, view: DataView, tail: number, length: number): void {
  padWithZeros(view, length)
  if (tail < length) mixTail1(hash, view, tail)
  if (tail + 8 < length) mixTail2(hash, view, tail + 8)
  let h1h = hash[0]
  let h1l = hash[1] ^ length
  let h2h = hash[2]
  let h2l = hash[3] ^ length

  h1h = addHigh(h1h, h1l, h2h, h2l)
  h1l = (h1l + h2l) | 0
  h2h = addHigh(h2h, h2l, h1h, h1l)
  h2l = (h2l + h1l) | 0

  h1l ^= h1h >>> 1
  let high = mulHigh(h1h, h1l, 0xff51afd7, 0xed55, 0x8ccd)
  let low = Math.imul(h1l, 0xed558ccd) ^ (high >>> 1)
  h1h = mulHigh(high, low, 0xc4ceb9fe, 0x1a85, 0xec53)
  h1l = Math.imul(low, 0x1a85ec53) ^ (h1h >>> 1)

  h2l ^= h2h >>> 1
  high = mulHigh(h2h, h2l, 0xff51afd7, 0xed55, 0x8ccd)
  low = Math.imul(h2l, 0xed558ccd) ^ (high >>> 1)
  h2h = mulHigh(high, low, 0xc4ceb9fe, 0x1a85, 0xec53)
  h2l = Math.imul(low, 0x1a85ec53) ^ (h2h >>> 1)

  h1h = addHigh(h1h, h1l, h2h, h2l)
  h1l = (h1l + h2l) | 0
  hash[0] = h1h
  hash[1] = h1l
  hash[2] = addHigh(h2h, h2l, h1h, h1l)
  hash[3] = (h2l + h1l) | 0
}

function padWithZeros(view: DataView, at: number): void {
  view.setInt32(at, 0)
  view.setInt32(at + 4, 0)
  view.setInt32(at + 8, 0)
  view.setInt32(at + 12, 0)
}

function mixBlock(hash: Hash128, view: DataView, at: number): void {
  const k1l = view.getInt32(at, true)
  const k1h = view.getInt32(at + 4, true)
  const k2l = view.getInt32(at + 8, true)
  const k2h = view.getInt32(at + 12, true)
  let h1h = hash[0]
  let h1l = hash[1]
  let h2h = hash[2]
  let h2l = hash[3]

  let high = mulHigh(k1h, k1l, 0x87c37b91, 0x1142, 0x53d5)
  let low = Math.imul(k1l, 0x114253d5)
  let turned = (high << 31) | (low >>> 1)
  low = (low << 31) | (high >>> 1)
  h1h ^= mulHigh(turned, low, 0x4cf5ad43, 0x2745, 0x937f)
  h1l ^= Math.imul(low, 0x2745937f)
  turned = (h1h << 27) | (h1l >>> 5)
  low = (h1l << 27) | (h1h >>> 5)
  h1h = addHigh(turned, low, h2h, h2l)
  h1l = (low + h2l) | 0
  h1h = fiveTimesHigh(h1h, h1l, 0x52dce729)
  h1l = (Math.imul(h1l, 5) + 0x52dce729) | 0

  high = mulHigh(k2h, k2l, 0x4cf5ad43, 0x2745, 0x937f)
  low = Math.imul(k2l, 0x2745937f)
  turned = (low << 1) | (high >>> 31)
  low = (high << 1) | (low >>> 31)
  h2h ^= mulHigh(turned, low, 0x87c37b91, 0x1142, 0x53d5)
  h2l ^= Math.imul(low, 0x114253d5)
  turned = (h2h << 31) | (h2l >>> 1)
  low = (h2l << 31) | (h2h >>> 1)
  h2h = addHigh(turned, low, h1h, h1l)
  h2l = (low + h1l) | 0
  hash[0] = h1h
  hash[1] = h1l
  hash[2] = fiveTimesHigh(h2h, h2l, 0x38495ab5)
  hash[3] = (Math.imul(h2l, 5) + 0x38495ab5) | 0
}

function mixTail1(hash: Hash128, view: DataView, at: number): void {
  const low = view.getInt32(at, true)
  const high = mulHigh(view.getInt32(at + 4, true), low, 0x87c37b91, 0x1142, 0x53d5)
  const scaled = Math.imul(low, 0x114253d5)
  const turnedHigh = (high << 31) | (scaled >>> 1)
  const turnedLow = (scaled << 31) | (high >>> 1)
  hash[0] ^= mulHigh(turnedHigh, turnedLow, 0x4cf5ad43, 0x2745, 0x937f)
  hash[1] ^= Math.imul(turnedLow, 0x2745937f)
}

function mixTail2(hash: Hash128, view: DataView, at: number): void {
  const low = view.getInt32(at, true)
  const high = mulHigh(view.getInt32(at + 4, true), low, 0x4cf5ad43, 0x2745, 0x937f)
  const scaled = Math.imul(low, 0x2745937f)
  const turnedHigh = (scaled << 1) | (high >>> 31)
  const turnedLow = (high << 1) | (scaled >>> 31)
  hash[2] ^= mulHigh(turnedHigh, turnedLow, 0x87c37b91, 0x1142, 0x53d5)
  hash[3] ^= Math.imul(turnedLow, 0x114253d5)
}

/**
 * High half of a 64-bit product. The low half of the second factor is passed as two halves of 16 bits, so that no
 * intermediate result has more than 32 bits.
 */
function mulHigh(high: number, low: number, byHigh: number, byMiddle: number, byLow: number): number {
  const upper = low >>> 16
  const lower = low & 0xffff
  const first = (Math.imul(upper, byLow) + (Math.imul(lower, byLow) >>> 16)) | 0
  const second = (Math.imul(lower, byMiddle) + (first & 0xffff)) | 0
  const carried = (Math.imul(upper, byMiddle) + (first >>> 16) + (second >>> 16)) | 0
  return (carried + Math.imul(high, (byMiddle << 16) | byLow) + Math.imul(low, byHigh)) | 0
}

/**
 * High half of a 64-bit sum. Computes the carry without a branch, because the carry is random and a branch would often
 * be mispredicted.
 */
function addHigh(high: number, low: number, plusHigh: number, plusLow: number): number {
  const carry = ((low & plusLow) | ((low | plusLow) & ~(low + plusLow))) >>> 31
  return (high + plusHigh + carry) | 0
}

/** High half of five times a 64-bit number and 32 bits more. */
function fiveTimesHigh(high: number, low: number, plus: number): number {
  const fourfold = addHigh((high << 2) | (low >>> 30), low << 2, high, low)
  return addHigh(fourfold, Math.imul(low, 5), 0, plus)
}
