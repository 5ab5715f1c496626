import { reject, type Rejection } from '../errors/rejection.ts'
import type { CompiledPlan } from '../key/compile-plan.ts'
import type { FieldValue, Source } from '../key/field-value.ts'
import { utf8Length } from '../text/utf8.ts'
import { BACKSLASH, CLOSE_BRACE, CLOSE_BRACKET, OPEN_BRACE, OPEN_BRACKET, QUOTE } from '../text/characters.ts'
import { isWhitespace, readField } from './read-value.ts'
import { createDirectStamper } from './direct-stamper.ts'
import { type StampedBytes, writeJsonText } from './join.ts'
import { ABSENT, Scanner } from './scanner.ts'
import { createSpliceFinder } from './splices.ts'
import { createWatchList } from './watch-list.ts'

/** Result for a value whose end was not known. */
export interface StampedElement {
  readonly result: StampedBytes | Rejection
  /** Position after the value; undefined if it cannot be found: the JSON is invalid, or has no end within 1 GiB. */
  readonly end: number | undefined
}

/** Stamps JSON bytes, one record after the other. Keeps a reference to the last buffer, but no data of records. */
export interface BytesStamper {
  /**
   * Stamps the record in `bytes[start, end)`, which may have whitespace around it. Reads no other bytes. Accepts every
   * object of at most 128 levels and less than 1 GiB that JSON.parse accepts after a strict UTF-8 decode.
   */
  readonly stamp: (bytes: Uint8Array, source?: Source, start?: number, end?: number) => StampedBytes | Rejection
  /**
   * Stamps the value that begins at `start`, which must not be whitespace, and finds its end. Returns undefined if
   * `bytes[start, limit)` contains only a part of the value. Requires that `bytes[limit]` exists and is zero.
   */
  readonly stampElement: (
    bytes: Uint8Array,
    source: Source | undefined,
    start: number,
    limit: number
  ) => StampedElement | undefined
}

const MAX_BYTES = 2 ** 30

let isWarm = false

/** Creates the front end of a plan for JSON bytes. */
export function createBytesStamper(plan: CompiledPlan): BytesStamper {
  warmUpOnce()
  const watch = createWatchList(plan)
  const scanner = new Scanner(watch)
  const findSplices = createSpliceFinder(watch)
  const stampDirectly = plan.direct && createDirectStamper(plan.direct, watch)

  const paths = watch.fields
  // One array for all records, because a plan does not keep it.
  const fields: FieldValue[] = paths.map(() => undefined)

  return { stamp, stampElement }

  function stamp(bytes: Uint8Array, source?: Source, start = 0, end: number = bytes.length): StampedBytes | Rejection {
    let first = start
    let limit = end
    while (first < limit && isWhitespace(bytes[first])) first++
    while (limit > first && isWhitespace(bytes[limit - 1])) limit--
    if (limit - first >= MAX_BYTES || limit >= 2 ** 31) return reject('JSON_TOO_LARGE', '')
    if (first === limit || bytes[limit - 1] !== CLOSE_BRACE) return rejectOther(scanner, bytes, first, limit, start)
    const scanEnd = scanner.scan(bytes, first, limit)
    if (scanEnd !== limit) return rejectScan(scanner, bytes, scanEnd, limit, start)
    return decide(bytes, source, first, limit)
  }

  function stampElement(
    bytes: Uint8Array,
    source: Source | undefined,
    start: number,
    limit: number
  ): StampedElement | undefined {
    const scanEnd = scanner.scan(bytes, start, limit)
    if (scanEnd < 0) {
      if (~scanEnd >= limit)
        return limit - start < MAX_BYTES ? undefined : { result: reject('JSON_TOO_LARGE', ''), end: undefined }
      const result = rejectScan(scanner, bytes, scanEnd, limit, start)
      if (!scanner.tooDeep) return { result, end: undefined }
      const end = skipValue(bytes, start, limit)
      return end === undefined ? undefined : { result, end }
    }
    // The end of a number is known only from the byte after it.
    if (scanEnd === limit && bytes[start] !== OPEN_BRACE) return undefined
    if (bytes[start] !== OPEN_BRACE) return { result: reject('JSON_NOT_OBJECT', ''), end: scanEnd }
    if (scanEnd - start >= MAX_BYTES) return { result: reject('JSON_TOO_LARGE', ''), end: scanEnd }
    return { result: decide(bytes, source, start, scanEnd), end: scanEnd }
  }

  function decide(bytes: Uint8Array, source: Source | undefined, start: number, end: number): StampedBytes | Rejection {
    const stamped = stampDirectly?.(bytes, scanner, source, start, end)
    if (stamped !== undefined) return stamped
    scanner.countFromBytes()
    const decision = plan.decide(readFields(bytes), source)
    if (!decision.ok) return decision
    const splices = findSplices(bytes, scanner, decision)
    if ('ok' in splices) return splices
    const { id, version } = decision
    return {
      ok: true,
      bytes,
      start,
      end,
      splices,
      values: decision.values,
      id,
      version
    }
  }

  function readFields(bytes: Uint8Array): readonly FieldValue[] {
    const { valueStarts, valueEnds } = scanner
    for (let field = 0; field < paths.length; field++) {
      const start = valueStarts[paths[field]]
      fields[field] = start === ABSENT ? undefined : readField(bytes, start, valueEnds[paths[field]])
    }
    return fields
  }
}

function warmUpOnce(): void {
  if (!isWarm) warmUp()
  isWarm = true
}

/** Creates the rejection for a scan that ended at `scanEnd` instead of `limit`. */
function rejectScan(scanner: Scanner, bytes: Uint8Array, scanEnd: number, limit: number, start: number): Rejection {
  if (scanner.tooDeep) return reject('JSON_TOO_DEEP', '', undefined, ~scanEnd - start)
  let at = scanEnd < 0 ? ~scanEnd : scanEnd
  if (scanEnd >= 0) while (at < limit && isWhitespace(bytes[at])) at++
  return rejectInvalid(bytes, at, limit, start)
}

/**
 * Creates the rejection for bytes that do not end with a brace: scans a copy with a sentinel to distinguish other JSON
 * values from invalid JSON.
 */
function rejectOther(scanner: Scanner, bytes: Uint8Array, first: number, limit: number, start: number): Rejection {
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
  if (byte >= 0x80)
    return 'The record is not valid JSON: there is a byte that the grammar does not allow or that is not valid UTF-8.'
  if (byte < 0x20)
    return 'The record is not valid JSON: there is a control character where the grammar does not allow one.'
  return 'The record is not valid JSON: there is a character where the grammar does not allow it.'
}

/**
 * Finds the end of an object or array of any depth. Checks only brackets and strings. Returns undefined if the value
 * has no end before `limit`.
 */
function skipValue(bytes: Uint8Array, start: number, limit: number): number | undefined {
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

/**
 * Scans examples of every form of JSON, so that V8 has seen all of them before it compiles the loop of the scanner. V8
 * compiles code for the forms that it has seen, and discards this code when another form comes. Records of a stream are
 * similar, so another form would come late. If it comes while V8 compiles the loop a second time, the process keeps
 * code that is half as fast.
 */
function warmUp(): void {
  const scanner = new Scanner(createWatchList(PLAN))
  for (let round = 0; round < ROUNDS; round++) {
    for (const bytes of EXAMPLES) scanner.scan(bytes, 0, bytes.length - PADDING)
  }
}

// V8 begins to collect type feedback for a function after some hundreds of steps
const ROUNDS = 8
const PADDING = 8

const PLAN = {
  fields: [
    ['a', 'b'],
    ['a', '0']
  ],
  managed: [{ pointer: ['pk'], field: 0, written: true }]
}

const EXAMPLES = [
  '{"a":{"b":1,"0":[]},"text":"eight or more","a":[10,{"b":[[]]},"b"],"id":"x","id":"y","n":-1234567.25e+12,"z":0.5E-7}',
  '{"a":{"b":2,"0":[]},"text":"eight or less","c":[1,20,true,false,null,"","\\u0041\\n\\"","é漢😀 and more"]}',
  '{\t"a" :\r\n{ "b" : [ { } , [ ] , { "b" : 0 } ] , "0" : "" } , "\\u0061" : 1 , "é" : null , "text" : "a" }',
  '{"a":1,}',
  '{"a" 1}',
  '{a":1}',
  '[1 2]',
  '[tru]',
  '["\\x"]',
  '["\u0001"]',
  '[-]'
].map((text) => {
  const bytes = new Uint8Array(utf8Length(text) + PADDING)
  writeJsonText(text, bytes, 0)
  return bytes
})
