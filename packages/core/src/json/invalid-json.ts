import { reject, type Rejection } from '../errors/rejection.ts'
import { BACKSLASH, CLOSE_BRACE, CLOSE_BRACKET, isWhitespace, OPEN_BRACE, OPEN_BRACKET, QUOTE } from './characters.ts'
import type { Scanner } from './scanner.ts'

/** Creates the rejection for a scan that ended at `scanEnd` instead of `limit`. */
export function rejectScan(scanner: Scanner, bytes: Uint8Array, scanEnd: number, limit: number, start: number): Rejection {
  if (scanner.tooDeep) return reject('JSON_TOO_DEEP', '', undefined, ~scanEnd - start)
  let at = scanEnd < 0 ? ~scanEnd : scanEnd
  if (scanEnd >= 0) while (at < limit && isWhitespace(bytes[at])) at++
  return rejectInvalid(bytes, at, limit, start)
}

/** Creates the rejection for bytes that do not end with a brace: scans a copy with a sentinel to distinguish other JSON values from invalid JSON. */
export function rejectOther(scanner: Scanner, bytes: Uint8Array, first: number, limit: number, start: number): Rejection {
  if (!(bytes instanceof Uint8Array)) return reject('RECORD_NOT_OBJECT', '', NO_BYTES)
  const text = bytes.subarray(first, limit)
  const padded = new Uint8Array(text.length + 1)
  padded.set(text)
  const scanEnd = scanner.scan(padded, 0, text.length)
  if (scanEnd === text.length && scanEnd > 0) return reject('JSON_NOT_OBJECT', '')
  return rejectScan(scanner, padded, scanEnd, text.length, start - first)
}

const NO_BYTES = 'The argument is not a Uint8Array: pass a string as Buffer.from(text), and an object to `stamp`.'

/** Creates the rejection for JSON that is invalid at `at`; the record begins at `start` and ends at `limit`. */
function rejectInvalid(bytes: Uint8Array, at: number, limit: number, start: number): Rejection {
  return reject('JSON_INVALID', '', sentenceFor(bytes, at, limit), at - start)
}

function sentenceFor(bytes: Uint8Array, at: number, limit: number): string {
  if (at >= limit) return 'The record is not valid JSON: it ends before it is complete.'
  const byte = bytes[at]
  if (byte >= 0x80) return 'The record is not valid JSON: there is a byte that the grammar does not allow or that is not valid UTF-8.'
  if (byte < 0x20) return 'The record is not valid JSON: there is a control character where the grammar does not allow one.'
  return 'The record is not valid JSON: there is a character where the grammar does not allow it.'
}

/** Finds the end of an object or array of any depth by brackets and strings alone; undefined where it has no end before `limit`. */
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
