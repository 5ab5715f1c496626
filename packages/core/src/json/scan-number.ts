// Not imported: V8 folds a constant of the same module into the code, but reads an imported one from memory at each use.
const DOT = 0x2e
const MINUS = 0x2d
const NINE = 0x39
const PLUS = 0x2b
const ZERO = 0x30
const SMALL_E = 0x65

const INTEGER = 0
const FRACTION = 1
const EXPONENT = 2

/** Reads a number at `at`. Gives the position behind it, or `~position` of what is wrong. The arguments are those of scanString. */
export function scanNumber(bytes: Uint8Array, view: DataView, at: number, limit: number): number {
  const lastWord = (limit - 4) | 0
  let p = (bytes[at] === MINUS ? at + 1 : at) | 0
  let part = INTEGER
  let c = bytes[p]
  for (;;) {
    if (c < ZERO || c > NINE) return ~p
    if (part === INTEGER && c === ZERO) p = (p + 1) | 0
    else p = skipDigits(bytes, view, p, limit, lastWord) | 0
    c = bytes[p]
    if (part === INTEGER && c === DOT) {
      part = FRACTION
      p = (p + 1) | 0
    } else if (part !== EXPONENT && (c | 0x20) === SMALL_E) {
      part = EXPONENT
      p = (p + 1) | 0
      c = bytes[p]
      if (c === PLUS || c === MINUS) p = (p + 1) | 0
    } else return p
    c = bytes[p]
  }
}

function skipDigits(bytes: Uint8Array, view: DataView, at: number, limit: number, lastWord: number): number {
  let p = at | 0
  while (p <= lastWord) {
    const word = view.getInt32(p, true) ^ 0x30303030
    // The highest bit of a byte is set where the byte is no digit; exactly so up to the first such byte.
    const stops = (word | (word + 0x76767676)) & 0x80808080
    if (stops !== 0) return (p + ((31 - Math.clz32(stops & -stops)) >> 3)) | 0
    p = (p + 4) | 0
  }
  while (p < limit && bytes[p] >= ZERO && bytes[p] <= NINE) p = (p + 1) | 0
  return p
}
