import { DOT, MINUS, NINE, PLUS, ZERO } from './characters.ts'

/** Reads a number, `true`, `false` or `null` at `at`. Gives the position behind it, or `~position` of what is wrong. Stops at any other byte. The arguments are those of scanString. */
export function scanScalar(bytes: Uint8Array, view: DataView, base: number, at: number, limit: number): number {
  const first = bytes[at]
  if (first === 0x74) return scanWord(bytes, at, TRUE)
  if (first === 0x66) return scanWord(bytes, at, FALSE)
  if (first === 0x6e) return scanWord(bytes, at, NULL)
  return scanNumber(bytes, view, base, at, limit)
}

const TRUE = 'true'
const FALSE = 'false'
const NULL = 'null'

function scanWord(bytes: Uint8Array, at: number, word: string): number {
  for (let next = 1; next < word.length; next++) if (bytes[at + next] !== word.charCodeAt(next)) return ~(at + next)
  return at + word.length
}

function scanNumber(bytes: Uint8Array, view: DataView, base: number, at: number, limit: number): number {
  let p = bytes[at] === MINUS ? at + 1 : at
  if (bytes[p] === ZERO) p++
  else {
    p = scanDigits(bytes, view, base, p, limit)
    if (p < 0) return p
  }
  let c = bytes[p]
  if (c === DOT) {
    p = scanDigits(bytes, view, base, p + 1, limit)
    if (p < 0) return p
    c = bytes[p]
  }
  if (c !== 0x65 && c !== 0x45) return p
  c = bytes[++p]
  return scanDigits(bytes, view, base, c === PLUS || c === MINUS ? p + 1 : p, limit)
}

function scanDigits(bytes: Uint8Array, view: DataView, base: number, at: number, limit: number): number {
  const lastWord = limit - 4
  let p = at
  while (p <= lastWord) {
    const word = view.getInt32(p + base, true) ^ 0x30303030
    // The highest bit of a byte is set where the byte is no digit; exactly so up to the first such byte.
    const stops = (word | (word + 0x76767676)) & 0x80808080
    if (stops !== 0) {
      p += (31 - Math.clz32(stops & -stops)) >> 3
      return p === at ? ~p : p
    }
    p += 4
  }
  while (bytes[p] >= ZERO && bytes[p] <= NINE) p++
  return p === at ? ~p : p
}
