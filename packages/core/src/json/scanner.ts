import { CLOSE_BRACE, CLOSE_BRACKET, COLON, COMMA, OPEN_BRACE, OPEN_BRACKET, QUOTE, SPACE, isWhitespace } from './characters.ts'
import { decodeString } from './decode-string.ts'
import { scanScalar } from './scan-scalar.ts'
import { scanString } from './scan-string.ts'
import { ROOT, UNWATCHED, findChild, type Watch } from './watch.ts'

/** Cosmos DB stores at most so many levels of objects and arrays. */
export const MAX_DEPTH = 128

/** Place of a member that does not occur in the record. */
export const ABSENT = -1

/** An earlier occurrence of a member that may occur only once: from its name's quote to the end of its value. */
export interface Repeated {
  readonly nameStart: number
  readonly valueEnd: number
}

/** Reads one JSON value after the other; what it found of the last one is valid until the next. */
export interface Scanner {
  /**
   * Reads the value at `start`, which is no whitespace. Gives the position behind it, or `~position` of what is wrong;
   * a position at or behind `limit` says that the bytes ran out.
   * Demands that `bytes[limit - 1]` is a closing brace or that `bytes[limit]` can be read and is zero.
   */
  readonly scan: (bytes: Uint8Array, start: number, limit: number) => number
  /** True when the last scan ended because of the depth. */
  readonly isTooDeep: () => boolean
  /** Where the value of each watched place begins, or ABSENT; the last occurrence counts, as with JSON.parse. */
  readonly valueStarts: Int32Array
  readonly valueEnds: Int32Array
  readonly repeated: readonly Repeated[]
  /** Positions of the members at the top, four each. */
  readonly takeMemberSpans: () => readonly number[]
}

/** Makes a scanner that finds the watched places. */
export function createScanner(watch: Watch): Scanner {
  const { places } = watch
  const valueStarts = new Int32Array(places.length)
  const valueEnds = new Int32Array(places.length)
  const nameStarts = new Int32Array(places.length)
  const repeated: Repeated[] = []
  const isObject = new Uint8Array(MAX_DEPTH + 1)
  const placeAt = new Int32Array(MAX_DEPTH + 1)
  const indexAt = new Int32Array(MAX_DEPTH + 1)
  let spans: number[] = []
  let tooDeep = false
  let view: DataView = new DataView(new ArrayBuffer(0))

  return { scan, isTooDeep: () => tooDeep, valueStarts, valueEnds, repeated, takeMemberSpans: () => spans }

  function scan(bytes: Uint8Array, start: number, limit: number): number {
    valueStarts.fill(ABSENT)
    if (repeated.length > 0) repeated.length = 0
    tooDeep = false
    spans = []
    if (view.buffer !== bytes.buffer) view = new DataView(bytes.buffer)
    return scanValue(bytes, start, limit)
  }

  function scanValue(bytes: Uint8Array, start: number, limit: number): number {
    const base = bytes.byteOffset
    let p = start
    let depth = 0
    // The place whose members are being read, and the place of the value being read.
    let inside = UNWATCHED
    let place = ROOT
    let inObject = false
    let c = bytes[p]
    for (;;) {
      // A value begins at p.
      if (place !== UNWATCHED) valueStarts[place] = p
      if (depth === 1 && inObject) spans.push(p)
      let opened = false
      if (c === QUOTE) p = scanString(bytes, view, base, p + 1, limit)
      else if (c === OPEN_BRACE || c === OPEN_BRACKET) {
        if (depth === MAX_DEPTH) {
          tooDeep = true
          return ~p
        }
        depth++
        inObject = c === OPEN_BRACE
        isObject[depth] = inObject ? 1 : 0
        placeAt[depth] = place
        indexAt[depth] = 0
        inside = place !== UNWATCHED && (places[place].children.length !== 0 || place === ROOT) ? place : UNWATCHED
        opened = true
        p++
      } else p = scanScalar(bytes, p)
      if (p < 0) return p
      if (!opened) {
        if (depth === 0) return p
        if (place !== UNWATCHED) valueEnds[place] = p
        if (depth === 1 && inObject) spans.push(p)
      }
      // Commas and closing brackets, up to the next name or value.
      for (;;) {
        c = bytes[p]
        while (c <= SPACE && isWhitespace(c)) c = bytes[++p]
        if (c === (inObject ? CLOSE_BRACE : CLOSE_BRACKET)) {
          p++
          place = placeAt[depth]
          depth--
          if (place !== UNWATCHED) valueEnds[place] = p
          if (depth === 0) return p
          inObject = isObject[depth] === 1
          inside = placeAt[depth]
          if (depth === 1 && inObject) spans.push(p)
          opened = false
          continue
        }
        if (opened) break
        if (c !== COMMA) return ~p
        c = bytes[++p]
        while (c <= SPACE && isWhitespace(c)) c = bytes[++p]
        break
      }
      if (inObject) {
        if (c !== QUOTE) return ~p
        const nameStart = p
        p = scanString(bytes, view, base, p + 1, limit)
        if (p < 0) return p
        if (depth === 1) spans.push(nameStart, p)
        place = inside === UNWATCHED ? UNWATCHED : findChild(places, inside, decodeString(bytes, nameStart + 1, p - 1))
        if (place !== UNWATCHED) beginMember(place, nameStart)
        c = bytes[p]
        while (c <= SPACE && isWhitespace(c)) c = bytes[++p]
        if (c !== COLON) return ~p
        c = bytes[++p]
        while (c <= SPACE && isWhitespace(c)) c = bytes[++p]
      } else place = inside === UNWATCHED ? UNWATCHED : findChild(places, inside, String(indexAt[depth]++))
    }
  }

  function beginMember(place: number, nameStart: number): void {
    if (valueStarts[place] !== ABSENT) {
      if (places[place].unique) repeated.push({ nameStart: nameStarts[place], valueEnd: valueEnds[place] })
      forgetInside(place)
    }
    nameStarts[place] = nameStart
  }

  function forgetInside(place: number): void {
    for (const child of places[place].children) {
      valueStarts[child] = ABSENT
      forgetInside(child)
    }
  }
}
