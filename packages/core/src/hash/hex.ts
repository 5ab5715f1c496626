const UPPER: readonly string[] = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0').toUpperCase())

/** The eight upper-case hex digits of a word of 32 bits. */
export function hexOfWord(word: number): string {
  return UPPER[word >>> 24] + UPPER[(word >>> 16) & 0xff] + UPPER[(word >>> 8) & 0xff] + UPPER[word & 0xff]
}

/** The upper-case hex digits of the first `length` bytes. */
export function hexOfBytes(bytes: Uint8Array, length: number): string {
  let hex = ''
  for (let at = 0; at < length; at++) hex += UPPER[bytes[at]]
  return hex
}
