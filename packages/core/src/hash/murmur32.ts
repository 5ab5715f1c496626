import { finish32, mixLast32, mixWord32, murmur32Bytes } from './murmur32-bytes.ts'
import { scratchFor } from './scratch.ts'
import { writeUtf8 } from './utf8.ts'

/** MurmurHash3 x86-32 with seed 0 of the UTF-8 of a text, as an unsigned number. A lone surrogate counts as U+FFFD. */
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
