export const QUOTE = 0x22
export const COMMA = 0x2c
export const BACKSLASH = 0x5c
export const OPEN_BRACKET = 0x5b
export const CLOSE_BRACKET = 0x5d
export const OPEN_BRACE = 0x7b
export const CLOSE_BRACE = 0x7d

/** Whitespace of JSON: space, tab, line feed, carriage return. */
export function isWhitespace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09
}

/** Position of the first byte from `at` on that is not whitespace. */
export function skipWhitespace(bytes: Uint8Array, at: number): number {
  let p = at
  while (isWhitespace(bytes[p])) p++
  return p
}
