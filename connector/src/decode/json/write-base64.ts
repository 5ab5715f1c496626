import type { JsonTarget } from './json-target.ts'

const QUOTE = 0x22
const PADDING = 0x3d
const ALPHABET = Buffer.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/', 'latin1')

/** Writes `bytes[start, end)` as a JSON string in base64. */
export function writeBase64(target: JsonTarget, bytes: Uint8Array, start: number, end: number): void {
  target.reserve(4 * Math.ceil((end - start) / 3) + 2)
  const { bytes: out } = target
  let to = target.at
  out[to++] = QUOTE
  for (let from = start; from < end; from += 3) {
    const bits = (bytes[from] << 16) | ((from + 1 < end ? bytes[from + 1] : 0) << 8) | (from + 2 < end ? bytes[from + 2] : 0)
    out[to++] = ALPHABET[bits >> 18]
    out[to++] = ALPHABET[(bits >> 12) & 63]
    out[to++] = from + 1 < end ? ALPHABET[(bits >> 6) & 63] : PADDING
    out[to++] = from + 2 < end ? ALPHABET[bits & 63] : PADDING
  }
  out[to++] = QUOTE
  target.at = to
}
