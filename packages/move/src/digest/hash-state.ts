/** Hash of 128 bits as four words. It does not protect against texts that were made to have equal hashes. */
export type Words128 = Int32Array

// MurmurHash3 x86-128 needs only multiplications of 32 bits, so it is several times as fast in JavaScript as x64-128.
export const C1 = 0x239b961b
export const C2 = 0xab0e9789
export const C3 = 0x38b34ae5
export const C4 = 0xa1e38b93

const BACKSLASH = 0x5c

/**
 * State of MurmurHash3 x86-128 that takes its input in parts. Each part is filled up with zeros to blocks of 16 bytes,
 * so the caller adds the length of a part where another length must give another hash.
 */
export class HashState {
  readonly words: Words128 = new Int32Array(4)

  /** Begins a hash. Different seeds make independent hashes. */
  begin(seed: number, more: number): void {
    const { words } = this
    words[0] = seed
    words[1] = more
    words[2] = 0
    words[3] = 0
  }

  /** Continues from a state that was saved by `save`. */
  load(from: Words128, at: number): void {
    const { words } = this
    words[0] = from[at]
    words[1] = from[at + 1]
    words[2] = from[at + 2]
    words[3] = from[at + 3]
  }

  save(to: Words128, at: number): void {
    const { words } = this
    to[at] = words[0]
    to[at + 1] = words[1]
    to[at + 2] = words[2]
    to[at + 3] = words[3]
  }

  /** Adds one block. */
  block(k1: number, k2: number, k3: number, k4: number): void {
    const { words } = this
    let h1 = words[0]
    let h2 = words[1]
    let h3 = words[2]
    let h4 = words[3]
    h1 ^= scramble(k1, C1, 15, C2)
    h1 = (Math.imul((rotate(h1, 19) + h2) | 0, 5) + 0x561ccd1b) | 0
    h2 ^= scramble(k2, C2, 16, C3)
    h2 = (Math.imul((rotate(h2, 17) + h3) | 0, 5) + 0x0bcaa747) | 0
    h3 ^= scramble(k3, C3, 17, C4)
    h3 = (Math.imul((rotate(h3, 15) + h4) | 0, 5) + 0x96cd1c35) | 0
    h4 ^= scramble(k4, C4, 18, C1)
    h4 = (Math.imul((rotate(h4, 13) + h1) | 0, 5) + 0x32ac3b17) | 0
    words[0] = h1
    words[1] = h2
    words[2] = h3
    words[3] = h4
  }

  /** Adds the bytes of `view` from `start` up to, but not including, `end`. */
  bytes(view: DataView, start: number, end: number): void {
    let at = start
    if (at + 16 <= end) {
      const { words } = this
      let h1 = words[0]
      let h2 = words[1]
      let h3 = words[2]
      let h4 = words[3]
      // `block` in local variables, which is much faster for long strings
      for (; at + 16 <= end; at = (at + 16) | 0) {
        h1 ^= scramble(view.getInt32(at, true), C1, 15, C2)
        h1 = (Math.imul((rotate(h1, 19) + h2) | 0, 5) + 0x561ccd1b) | 0
        h2 ^= scramble(view.getInt32(at + 4, true), C2, 16, C3)
        h2 = (Math.imul((rotate(h2, 17) + h3) | 0, 5) + 0x0bcaa747) | 0
        h3 ^= scramble(view.getInt32(at + 8, true), C3, 17, C4)
        h3 = (Math.imul((rotate(h3, 15) + h4) | 0, 5) + 0x96cd1c35) | 0
        h4 ^= scramble(view.getInt32(at + 12, true), C4, 18, C1)
        h4 = (Math.imul((rotate(h4, 13) + h1) | 0, 5) + 0x32ac3b17) | 0
      }
      words[0] = h1
      words[1] = h2
      words[2] = h3
      words[3] = h4
    }
    if (at < end)
      this.block(
        wordAt(view, at, end),
        wordAt(view, at + 4, end),
        wordAt(view, at + 8, end),
        wordAt(view, at + 12, end)
      )
  }

  /** Adds the UTF-16 units of a string, so that strings with lone surrogates differ, too. */
  text(text: string): void {
    const { length } = text
    let at = 0
    for (; at + 8 <= length; at += 8)
      this.block(pairAt(text, at), pairAt(text, at + 2), pairAt(text, at + 4), pairAt(text, at + 6))
    if (at < length)
      this.block(
        lastPairAt(text, at, length),
        lastPairAt(text, at + 2, length),
        lastPairAt(text, at + 4, length),
        lastPairAt(text, at + 6, length)
      )
  }

  /**
   * Adds the body of a JSON string as `text` adds the string. False if it has escapes or characters that are not ASCII:
   * then nothing was added.
   */
  asciiText(bytes: Uint8Array, start: number, end: number): boolean {
    for (let at = start; at < end; at++) if (bytes[at] >= 0x80 || bytes[at] === BACKSLASH) return false
    const { words } = this
    let h1 = words[0]
    let h2 = words[1]
    let h3 = words[2]
    let h4 = words[3]
    let at = start | 0
    // `block` without calls and in local variables, which takes half the time
    for (; at + 8 <= end; at = (at + 8) | 0) {
      const k1 = Math.imul(bytes[at] | (bytes[at + 1] << 16), C1)
      h1 ^= Math.imul((k1 << 15) | (k1 >>> 17), C2)
      h1 = (Math.imul((((h1 << 19) | (h1 >>> 13)) + h2) | 0, 5) + 0x561ccd1b) | 0
      const k2 = Math.imul(bytes[at + 2] | (bytes[at + 3] << 16), C2)
      h2 ^= Math.imul((k2 << 16) | (k2 >>> 16), C3)
      h2 = (Math.imul((((h2 << 17) | (h2 >>> 15)) + h3) | 0, 5) + 0x0bcaa747) | 0
      const k3 = Math.imul(bytes[at + 4] | (bytes[at + 5] << 16), C3)
      h3 ^= Math.imul((k3 << 17) | (k3 >>> 15), C4)
      h3 = (Math.imul((((h3 << 15) | (h3 >>> 17)) + h4) | 0, 5) + 0x96cd1c35) | 0
      const k4 = Math.imul(bytes[at + 6] | (bytes[at + 7] << 16), C4)
      h4 ^= Math.imul((k4 << 18) | (k4 >>> 14), C1)
      h4 = (Math.imul((((h4 << 13) | (h4 >>> 19)) + h1) | 0, 5) + 0x32ac3b17) | 0
    }
    words[0] = h1
    words[1] = h2
    words[2] = h3
    words[3] = h4
    if (at < end)
      this.block(
        lastUnitsAt(bytes, at, end),
        lastUnitsAt(bytes, at + 2, end),
        lastUnitsAt(bytes, at + 4, end),
        lastUnitsAt(bytes, at + 6, end)
      )
    return true
  }

  /** Ends the hash, which is then in `words`. Another kind or another length gives another hash. */
  finish(kind: number, length: number): void {
    const { words } = this
    let h1 = words[0] ^ length ^ Math.imul(kind, C3)
    let h2 = words[1] ^ length
    let h3 = words[2] ^ length
    let h4 = words[3] ^ length
    h1 = (h1 + h2 + h3 + h4) | 0
    h2 = avalanche((h2 + h1) | 0)
    h3 = avalanche((h3 + h1) | 0)
    h4 = avalanche((h4 + h1) | 0)
    h1 = (avalanche(h1) + h2 + h3 + h4) | 0
    words[0] = h1
    words[1] = (h2 + h1) | 0
    words[2] = (h3 + h1) | 0
    words[3] = (h4 + h1) | 0
  }
}

const rotate = (word: number, by: number): number => (word << by) | (word >>> (32 - by))

const scramble = (word: number, first: number, by: number, second: number): number => {
  const product = Math.imul(word, first)
  return Math.imul((product << by) | (product >>> (32 - by)), second)
}

export function avalanche(word: number): number {
  let h = word ^ (word >>> 16)
  h = Math.imul(h, 0x85ebca6b)
  h ^= h >>> 13
  h = Math.imul(h, 0xc2b2ae35)
  return h ^ (h >>> 16)
}

/** The next four bytes, with zeros instead of bytes from `end` on. */
function wordAt(view: DataView, at: number, end: number): number {
  const left = end - at
  if (left <= 0) return 0
  if (at + 4 > view.byteLength) return lastWord(view, at, end)
  const word = view.getInt32(at, true)
  return left >= 4 ? word : word & (-1 >>> (32 - 8 * left))
}

function lastWord(view: DataView, at: number, end: number): number {
  let word = 0
  for (let each = at; each < end; each++) word |= view.getUint8(each) << (8 * (each - at))
  return word
}

const pairAt = (text: string, at: number): number => text.charCodeAt(at) | (text.charCodeAt(at + 1) << 16)

/** The next two units, with zeros instead of units after the end: the length of the string is part of the hash. */
function lastPairAt(text: string, at: number, length: number): number {
  if (at + 1 < length) return pairAt(text, at)
  return at < length ? text.charCodeAt(at) : 0
}

function lastUnitsAt(bytes: Uint8Array, at: number, end: number): number {
  if (at + 1 < end) return bytes[at] | (bytes[at + 1] << 16)
  return at < end ? bytes[at] : 0
}

/** Writes four words, as number `entry` of all entries of four words. */
export function setWords(to: Int32Array, entry: number, w1: number, w2: number, w3: number, w4: number): void {
  const at = entry << 2
  to[at] = w1
  to[at + 1] = w2
  to[at + 2] = w3
  to[at + 3] = w4
}

/** The hash as 32 hexadecimal digits. */
export function hexOf(words: Words128): string {
  return Array.from(words, (word) => (word >>> 0).toString(16).padStart(8, '0')).join('')
}
