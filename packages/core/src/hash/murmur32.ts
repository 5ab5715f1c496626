import { writeUtf8 } from '../text/utf8.ts'
import { scratchFor } from './component-bytes.ts'

/** MurmurHash3 x86-32 with seed 0 of a string in UTF-8, as an unsigned number. A lone surrogate counts as U+FFFD. */
export function murmur32(text: string): number {
  const length = text.length
  const whole = length & ~3
  let hash = 0
  let seen = 0
  let at = 0
  for (; at < whole; at += 4) {
    const a = text.charCodeAt(at)
    const b = text.charCodeAt(at + 1)
    const c = text.charCodeAt(at + 2)
    const d = text.charCodeAt(at + 3)
    seen |= a | b | c | d
    hash = mixWord32(hash, a | (b << 8) | (c << 16) | (d << 24))
  }
  let last = 0
  for (let shift = 0; at < length; at++, shift += 8) {
    const unit = text.charCodeAt(at)
    seen |= unit
    last |= unit << shift
  }
  return seen < 0x80 ? finish32(mixLast32(hash, last), length) : murmur32Encoded(text)
}

function murmur32Encoded(text: string): number {
  const { bytes } = scratchFor(text.length * 3)
  return murmur32Bytes(bytes, writeUtf8(text, bytes, 0))
}

/** MurmurHash3 x86-32 with seed 0 of the first `length` bytes, as an unsigned number. */
export function murmur32Bytes(bytes: Uint8Array, length: number): number {
  const whole = length & ~3
  let hash = 0
  let at = 0
  for (; at < whole; at += 4) {
    hash = mixWord32(hash, bytes[at] | (bytes[at + 1] << 8) | (bytes[at + 2] << 16) | (bytes[at + 3] << 24))
  }
  let last = 0
  for (let shift = 0; at < length; at++, shift += 8) last |= bytes[at] << shift
  return finish32(mixLast32(hash, last), length)
}

/** Mixes one little-endian word of four bytes into the hash. */
function mixWord32(hash: number, word: number): number {
  const mixed = mixLast32(hash, word)
  return (Math.imul((mixed << 13) | (mixed >>> 19), 5) + 0xe6546b64) | 0
}

/** Mixes the last one to three bytes into the hash; 0 stands for none and changes nothing. */
function mixLast32(hash: number, word: number): number {
  const scaled = Math.imul(word, 0xcc9e2d51)
  return hash ^ Math.imul((scaled << 15) | (scaled >>> 17), 0x1b873593)
}

/** Finishes the hash of `length` bytes. */
function finish32(hash: number, length: number): number {
  let mixed = hash ^ length
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return (mixed ^ (mixed >>> 16)) >>> 0
}
