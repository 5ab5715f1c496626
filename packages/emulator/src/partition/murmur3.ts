/** The 128 bits of MurmurHash3 x64-128 (seed 0) as four unsigned 32-bit words: h1 high, h1 low, h2 high, h2 low. */
export function murmur3X64(bytes: Uint8Array, length: number, out: Uint32Array): void {
  let h1h = 0
  let h1l = 0
  let h2h = 0
  let h2l = 0
  const blocks = length >>> 4

  for (let block = 0; block < blocks; block++) {
    const at = block << 4
    scramble1(word(bytes, at + 4), word(bytes, at))
    h1h ^= hi
    h1l ^= lo
    rotate(h1h, h1l, 27)
    add(hi, lo, h2h, h2l)
    timesFive(0x52dce729)
    h1h = hi
    h1l = lo
    scramble2(word(bytes, at + 12), word(bytes, at + 8))
    h2h ^= hi
    h2l ^= lo
    rotate(h2h, h2l, 31)
    add(hi, lo, h1h, h1l)
    timesFive(0x38495ab5)
    h2h = hi
    h2l = lo
  }

  const tail = blocks << 4
  const rest = length - tail
  if (rest > 8) {
    scramble2(partialWord(bytes, tail + 12, length), partialWord(bytes, tail + 8, length))
    h2h ^= hi
    h2l ^= lo
  }
  if (rest > 0) {
    scramble1(partialWord(bytes, tail + 4, length), partialWord(bytes, tail, length))
    h1h ^= hi
    h1l ^= lo
  }

  finish(h1h, h1l ^ length, h2h, h2l ^ length, out)
}

// result of the 64-bit arithmetic, as two 32-bit halves; tuples would cost more than the hash
let hi = 0
let lo = 0

function scramble1(high: number, low: number): void {
  multiply(high, low, 0x87c37b91, 0x114253d5)
  rotate(hi, lo, 31)
  multiply(hi, lo, 0x4cf5ad43, 0x2745937f)
}

function scramble2(high: number, low: number): void {
  multiply(high, low, 0x4cf5ad43, 0x2745937f)
  rotate(hi, lo, 33)
  multiply(hi, lo, 0x87c37b91, 0x114253d5)
}

function timesFive(plus: number): void {
  multiply(hi, lo, 0, 5)
  add(hi, lo, 0, plus)
}

function finish(h1h: number, h1l: number, h2h: number, h2l: number, out: Uint32Array): void {
  add(h1h, h1l, h2h, h2l)
  let ah = hi
  let al = lo
  add(h2h, h2l, ah, al)
  let bh = hi
  let bl = lo
  mix(ah, al)
  ah = hi
  al = lo
  mix(bh, bl)
  bh = hi
  bl = lo
  add(ah, al, bh, bl)
  out[0] = hi
  out[1] = lo
  add(bh, bl, hi, lo)
  out[2] = hi
  out[3] = lo
}

function mix(high: number, low: number): void {
  multiply(high, low ^ (high >>> 1), 0xff51afd7, 0xed558ccd)
  multiply(hi, lo ^ (hi >>> 1), 0xc4ceb9fe, 0x1a85ec53)
  lo ^= hi >>> 1
}

function add(ah: number, al: number, bh: number, bl: number): void {
  const low = (al >>> 0) + (bl >>> 0)
  lo = low | 0
  hi = (ah + bh + (low > 0xffffffff ? 1 : 0)) | 0
}

function rotate(high: number, low: number, by: number): void {
  if (by >= 32) {
    const swapped = high
    high = low
    low = swapped
    by -= 32
  }
  hi = by === 0 ? high : (high << by) | (low >>> (32 - by))
  lo = by === 0 ? low : (low << by) | (high >>> (32 - by))
}

function multiply(ah: number, al: number, bh: number, bl: number): void {
  const high = (upperProduct(al, bl) + Math.imul(ah, bl) + Math.imul(al, bh)) | 0
  lo = Math.imul(al, bl)
  hi = high
}

function upperProduct(a: number, b: number): number {
  const a0 = a & 0xffff
  const a1 = a >>> 16
  const b0 = b & 0xffff
  const b1 = b >>> 16
  const middle = a1 * b0 + ((a0 * b0) >>> 16)
  const other = a0 * b1 + (middle & 0xffff)
  return (a1 * b1 + (middle >>> 16) + (other >>> 16)) | 0
}

function word(bytes: Uint8Array, at: number): number {
  return bytes[at] | (bytes[at + 1] << 8) | (bytes[at + 2] << 16) | (bytes[at + 3] << 24)
}

function partialWord(bytes: Uint8Array, at: number, end: number): number {
  let value = 0
  for (let i = 0; i < 4 && at + i < end; i++) value |= bytes[at + i] << (8 * i)
  return value
}

/** MurmurHash3 x86-32 with seed 0, as an unsigned number. */
export function murmur3X86(bytes: Uint8Array, length: number): number {
  let h = 0
  const blocks = length & ~3

  for (let at = 0; at < blocks; at += 4) {
    h ^= scramble(bytes[at] | (bytes[at + 1] << 8) | (bytes[at + 2] << 16) | (bytes[at + 3] << 24))
    h = (h << 13) | (h >>> 19)
    h = (Math.imul(h, 5) + 0xe6546b64) | 0
  }

  let tail = 0
  for (let at = length - 1; at >= blocks; at--) tail = (tail << 8) | bytes[at]
  h ^= scramble(tail)

  h ^= length
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return (h ^ (h >>> 16)) >>> 0
}

function scramble(k: number): number {
  k = Math.imul(k, 0xcc9e2d51)
  return Math.imul((k << 15) | (k >>> 17), 0x1b873593)
}
