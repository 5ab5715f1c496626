import { isUtf8 } from 'node:buffer'
import { DecodeFailure } from '../decode-failure.ts'
import type { JsonTarget } from './json-target.ts'

const QUOTE = 0x22
const BACKSLASH = 0x5c
const HIGH_BITS = 0x80808080

/** Writes the UTF-8 text `bytes[start, end)` as a JSON string; `view` covers the same bytes. */
export function writeText(target: JsonTarget, bytes: Uint8Array, view: DataView, start: number, end: number): void {
  target.reserve(end - start + 2)
  const { bytes: out, view: outView } = target
  const lastWord = end - 4
  let to = target.at
  let from = start
  let seen = 0
  out[to++] = QUOTE
  for (; from <= lastWord; from += 4, to += 4) {
    const word = view.getInt32(from, true)
    if (escapesIn(word) !== 0) break
    seen |= word
    outView.setInt32(to, word, true)
  }
  for (; from < end; from++) {
    const byte = bytes[from]
    if (byte < 0x20 || byte === QUOTE || byte === BACKSLASH) break
    seen |= byte
    out[to++] = byte
  }
  target.at = to
  if (from < end) seen |= writeEscaped(target, bytes, from, end)
  if ((seen & HIGH_BITS) !== 0 && !isUtf8(bytes.subarray(start, end)))
    throw new DecodeFailure('a string in it is not valid UTF-8')
  target.bytes[target.at++] = QUOTE
}

/**
 * Sets the highest bit of each byte that JSON escapes: a control character, a quote, a backslash. After the first such
 * byte, other bits may be wrong.
 */
const escapesIn = (word: number): number =>
  (((word ^ 0x02020202) - 0x21212121) | ((word ^ 0x5c5c5c5c) - 0x01010101)) & ~word & HIGH_BITS

/** Writes `bytes[start, end)` byte by byte, as JSON.stringify would. Returns the bitwise OR of all bytes. */
function writeEscaped(target: JsonTarget, bytes: Uint8Array, start: number, end: number): number {
  target.reserve(MAX_ESCAPE_BYTES * (end - start) + 1)
  const { bytes: out } = target
  let to = target.at
  let seen = 0
  for (let from = start; from < end; from++) {
    const byte = bytes[from]
    seen |= byte
    const escape =
      byte < 0x20 ? CONTROL_ESCAPES[byte] : byte === QUOTE ? '\\"' : byte === BACKSLASH ? '\\\\' : undefined
    if (escape === undefined) out[to++] = byte
    else for (let at = 0; at < escape.length; at++) out[to++] = escape.charCodeAt(at)
  }
  target.at = to
  return seen
}

const MAX_ESCAPE_BYTES = 6
const CONTROL_ESCAPES: readonly string[] = Array.from({ length: 0x20 }, (_, code) =>
  JSON.stringify(String.fromCharCode(code)).slice(1, -1)
)

const PADDING = 0x3d
const ALPHABET = Buffer.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/', 'latin1')

/** Writes `bytes[start, end)` as a JSON string in base64. */
export function writeBase64(target: JsonTarget, bytes: Uint8Array, start: number, end: number): void {
  target.reserve(4 * Math.ceil((end - start) / 3) + 2)
  const { bytes: out } = target
  let to = target.at
  out[to++] = QUOTE
  for (let from = start; from < end; from += 3) {
    const bits =
      (bytes[from] << 16) | ((from + 1 < end ? bytes[from + 1] : 0) << 8) | (from + 2 < end ? bytes[from + 2] : 0)
    out[to++] = ALPHABET[bits >> 18]
    out[to++] = ALPHABET[(bits >> 12) & 63]
    out[to++] = from + 1 < end ? ALPHABET[(bits >> 6) & 63] : PADDING
    out[to++] = from + 2 < end ? ALPHABET[bits & 63] : PADDING
  }
  out[to++] = QUOTE
  target.at = to
}
