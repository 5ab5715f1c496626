import { DOT, MINUS, NINE, ZERO } from './characters.ts'

/** Reads a number, `true`, `false` or `null` at `at`. Gives the position behind it, or `~position` of what is wrong. Stops at any other byte. */
export function scanScalar(bytes: Uint8Array, at: number): number {
  const first = bytes[at]
  if (first === 0x74) return scanWord(bytes, at, TRUE)
  if (first === 0x66) return scanWord(bytes, at, FALSE)
  if (first === 0x6e) return scanWord(bytes, at, NULL)
  return scanNumber(bytes, at)
}

const TRUE = 'true'
const FALSE = 'false'
const NULL = 'null'

function scanWord(bytes: Uint8Array, at: number, word: string): number {
  for (let next = 1; next < word.length; next++) if (bytes[at + next] !== word.charCodeAt(next)) return ~(at + next)
  return at + word.length
}

function scanNumber(bytes: Uint8Array, at: number): number {
  let p = bytes[at] === MINUS ? at + 1 : at
  if (bytes[p] === ZERO) p++
  else {
    const digits = scanDigits(bytes, p)
    if (digits < 0) return digits
    p = digits
  }
  if (bytes[p] === DOT) {
    p = scanDigits(bytes, p + 1)
    if (p < 0) return p
  }
  if (bytes[p] === 0x65 || bytes[p] === 0x45) {
    const sign = bytes[p + 1]
    p = scanDigits(bytes, sign === 0x2b || sign === MINUS ? p + 2 : p + 1)
  }
  return p
}

function scanDigits(bytes: Uint8Array, at: number): number {
  let p = at
  while (bytes[p] >= ZERO && bytes[p] <= NINE) p++
  return p === at ? ~p : p
}
