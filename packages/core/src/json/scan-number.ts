// Not imported: V8 folds a constant of the same module into the code, but reads an imported one from memory at each use.
const DOT = 0x2e
const MINUS = 0x2d
const NINE = 0x39
const PLUS = 0x2b
const ZERO = 0x30

/** Reads a number at `at`. Gives the position behind it, or `~position` of what is wrong. The arguments are those of scanString. */
export function scanNumber(bytes: Uint8Array, view: DataView, base: number, at: number, limit: number): number {
  let p = (bytes[at] === MINUS ? at + 1 : at) | 0
  if (bytes[p] === ZERO) p = (p + 1) | 0
  else {
    p = scanDigits(bytes, view, base, p, limit) | 0
    if (p < 0) return p
  }
  let c = bytes[p]
  if (c === DOT) {
    p = scanDigits(bytes, view, base, p + 1, limit) | 0
    if (p < 0) return p
    c = bytes[p]
  }
  if (c !== 0x65 && c !== 0x45) return p
  c = bytes[++p]
  return scanDigits(bytes, view, base, c === PLUS || c === MINUS ? p + 1 : p, limit)
}

function scanDigits(bytes: Uint8Array, view: DataView, base: number, at: number, limit: number): number {
  const lastWord = (limit - 4) | 0
  let p = at | 0
  while (p <= lastWord) {
    const word = view.getInt32((p + base) | 0, true) ^ 0x30303030
    // The highest bit of a byte is set where the byte is no digit; exactly so up to the first such byte.
    const stops = (word | (word + 0x76767676)) & 0x80808080
    if (stops !== 0) {
      p = (p + ((31 - Math.clz32(stops & -stops)) >> 3)) | 0
      return p === at ? ~p : p
    }
    p = (p + 4) | 0
  }
  while (bytes[p] >= ZERO && bytes[p] <= NINE) p++
  return p === at ? ~p : p
}
