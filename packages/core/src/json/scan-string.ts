import { scanUtf8 } from './scan-utf8.ts'

// Not imported: V8 folds a constant of the same module into the code, but reads an imported one from memory at each use.
const BACKSLASH = 0x5c
const QUOTE = 0x22

// A constant, since V8 asks at each call of a declared function whether it still is the same.
/** The highest bit of a byte is set where the byte is a control, a quote, a backslash, or not ASCII; exactly so up to the first such byte. */
const stopsIn = (word: number): number => (word | ((word ^ 0x02020202) - 0x21212121) | ((word ^ 0x5c5c5c5c) - 0x01010101)) & 0x80808080

/**
 * Reads the body of a JSON string from `at` on. Gives the position behind the closing quote, or `~position` of what is wrong.
 * Reads nothing at or behind `limit`, as long as `bytes[limit - 1]` is a closing brace or `bytes[limit]` is a zero that may be read.
 * `view` covers the same bytes as `bytes`.
 */
export function scanString(bytes: Uint8Array, view: DataView, at: number, limit: number): number {
  const lastPair = (limit - 8) | 0
  let p = at | 0
  let word = 0
  let stops = 0
  // two words a turn: what V8 checks before it reads, it checks once for both
  while (p <= lastPair) {
    word = view.getInt32(p, true)
    stops = stopsIn(word)
    if (stops !== 0) break
    p = (p + 4) | 0
    word = view.getInt32(p, true)
    stops = stopsIn(word)
    if (stops !== 0) break
    p = (p + 4) | 0
  }
  if (stops === 0) return scanUnusual(bytes, view, p, limit)
  const shift = (24 - Math.clz32(stops & -stops)) | 0
  p = (p + (shift >> 3)) | 0
  return ((word >>> shift) & 0xff) === QUOTE ? (p + 1) | 0 : scanUnusual(bytes, view, p, limit)
}

/** The rest of a string, from a byte on that may be anything. Apart, so that V8 puts the usual into the loop that asks for it. */
function scanUnusual(bytes: Uint8Array, view: DataView, at: number, limit: number): number {
  const lastWord = (limit - 4) | 0
  let p = at | 0
  for (;;) {
    if (p >= limit) return ~limit
    const byte = bytes[p]
    if (byte === QUOTE) return p + 1
    if (byte === BACKSLASH) p = scanEscape(bytes, p) | 0
    else if (byte >= 0x80) p = scanUtf8(bytes, p) | 0
    else if (byte >= 0x20) p = (p + 1) | 0
    else return ~p
    if (p < 0) return p
    while (p <= lastWord) {
      const stops = stopsIn(view.getInt32(p, true))
      if (stops !== 0) {
        p = (p + ((31 - Math.clz32(stops & -stops)) >> 3)) | 0
        break
      }
      p = (p + 4) | 0
    }
  }
}

const U = 0x75
const SIMPLE_ESCAPES = markAll('"\\/bfnrt')
const HEX_DIGITS = markAll('0123456789abcdefABCDEF')

function scanEscape(bytes: Uint8Array, at: number): number {
  const kind = bytes[at + 1]
  if (SIMPLE_ESCAPES[kind] === 1) return at + 2
  if (kind !== U) return ~(at + 1)
  for (let p = at + 2; p < at + 6; p++) if (HEX_DIGITS[bytes[p]] !== 1) return ~p
  return at + 6
}

function markAll(characters: string): Uint8Array {
  const marks = new Uint8Array(256)
  for (const character of characters) marks[character.charCodeAt(0)] = 1
  return marks
}
