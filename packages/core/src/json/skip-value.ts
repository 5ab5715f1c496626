import { BACKSLASH, CLOSE_BRACE, CLOSE_BRACKET, OPEN_BRACE, OPEN_BRACKET, QUOTE } from './characters.ts'

/** Finds the end of an object or array by its brackets and strings alone, however deep it is; undefined when the bytes run out. */
export function skipValue(bytes: Uint8Array, start: number, limit: number): number | undefined {
  let depth = 0
  for (let p = start; p < limit; p++) {
    const byte = bytes[p]
    if (byte === QUOTE) p = skipString(bytes, p + 1, limit)
    else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) depth++
    else if ((byte === CLOSE_BRACE || byte === CLOSE_BRACKET) && --depth === 0) return p + 1
  }
  return undefined
}

function skipString(bytes: Uint8Array, start: number, limit: number): number {
  let p = start
  while (p < limit && bytes[p] !== QUOTE) p += bytes[p] === BACKSLASH ? 2 : 1
  return p
}
