// Not imported: V8 folds a constant of the same module into the code, but reads an imported one from memory at each use.
const BACKSLASH = 0x5c
const QUOTE = 0x22
const SPACE = 0x20
const BEYOND_ASCII = 0x80
const NOT_CANONICAL = 0

/**
 * Reads a JSON string behind its opening quote. Gives the position behind the closing quote, as its complement (`~position`) when a byte
 * lies beyond ASCII; 0 where a control stands, or an escape other than the short ones, which JSON.stringify writes.
 */
export function scanText(bytes: Uint8Array, view: DataView, at: number, limit: number): number {
  const lastWord = (limit - 4) | 0
  let p = at | 0
  let isAscii = true
  for (;;) {
    while (p <= lastWord) {
      const word = view.getInt32(p, true)
      // the highest bit of a byte is set where it is a control, a quote, a backslash or beyond ASCII; exactly so up to the first such byte
      const stops = (word | ((word ^ 0x02020202) - 0x21212121) | ((word ^ 0x5c5c5c5c) - 0x01010101)) & 0x80808080
      if (stops !== 0) {
        p = (p + ((31 - Math.clz32(stops & -stops)) >> 3)) | 0
        break
      }
      p = (p + 4) | 0
    }
    const c = bytes[p]
    if (c === QUOTE) return isAscii ? (p + 1) | 0 : ~(p + 1)
    if (c === BACKSLASH) {
      if (SHORT_ESCAPES[bytes[p + 1]] !== 1) return NOT_CANONICAL
      p = (p + 2) | 0
    } else if (c >= BEYOND_ASCII) {
      isAscii = false
      p = (p + 1) | 0
      while (bytes[p] >= BEYOND_ASCII) p = (p + 1) | 0
    } else if (c >= SPACE) p = (p + 1) | 0
    else return NOT_CANONICAL
  }
}

// `\/` and `\u0041` are JSON too, but JSON.stringify writes neither
const SHORT_ESCAPES = new Uint8Array(256)
for (const kind of Buffer.from('"\\bfnrt')) SHORT_ESCAPES[kind] = 1
