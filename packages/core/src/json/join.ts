import type { KeyValue } from '../key/field-value.ts'
import { QUOTE } from '../text/characters.ts'
import { utf8Length } from '../text/utf8.ts'
import { decodeAscii16 } from './read-value.ts'

/**
 * One change of JSON bytes: `before`, and then `value` as JSON, replace `bytes[at, end)`. A deletion has an empty
 * `before` and no `value`. An insertion has `end === at`; several insertions at one position are written in their
 * order.
 */
export interface Splice {
  readonly at: number
  readonly end: number
  /** JSON, such as a comma and a name with its colon. */
  readonly before: string
  /** The value, not yet converted to JSON: converting it while it is written saves a pass and a string. */
  readonly value: KeyValue | undefined
}

/** A splice whose bytes may already be encoded. */
export interface EncodedSplice extends Splice {
  /** Contains `before` and `value` as bytes, as long as its own generation equals `generation`. */
  readonly encoded: EncodedMember | undefined
  readonly generation: number
}

/**
 * A record with its key: the bytes of the source, and the changes to make in them. All positions count from the
 * beginning of `bytes`. Nothing is copied, so this is valid only as long as the content of `bytes` does not change.
 */
export interface StampedBytes {
  readonly ok: true
  readonly bytes: Uint8Array
  /** First byte of the record, without the whitespace around it. */
  readonly start: number
  readonly end: number
  /** The changes, in order and without overlap. All other bytes of the output are those of the input. */
  readonly splices: readonly Splice[]
  /** One value for each level of the key. */
  readonly values: readonly KeyValue[]
  /** The id, made by the plan or contained in the record; undefined if there is none and none is required. */
  readonly id: string | undefined
  /** Version of the plan that applied: 0 for the newest, 1 for the first one in `previous`. */
  readonly version: number
}

/** Length of the record in bytes after its splices are applied. */
export function joinedLength(stamped: StampedBytes): number {
  let length = stamped.end - stamped.start
  for (const { at, end, before, value } of stamped.splices) {
    length += at - end + utf8Length(before) + (value === undefined ? 0 : jsonLength(value))
  }
  return length
}

/** Upper bound for the bytes that `joinInto` writes, computed without reading strings. */
export function joinedLengthBound(stamped: StampedBytes): number {
  let bound = stamped.end - stamped.start
  for (const splice of stamped.splices) bound += spliceLengthBound(splice)
  return bound
}

/** Upper bound for the bytes that `writeSplice` writes, computed without reading strings. */
export function spliceLengthBound({ before, value }: Splice): number {
  return before.length * 3 + (typeof value === 'string' ? value.length * 6 + 2 : LONGEST_SCALAR)
}

// such as -1.2345678901234567e+300
const LONGEST_SCALAR = 32

/**
 * Writes the record with its splices into `target` from `at` on. Returns the position after the record. `target` must
 * have room for `joinedLength` bytes at this position.
 */
export function joinInto(stamped: StampedBytes, target: Uint8Array, at: number): number {
  const { bytes, start, end, splices } = stamped
  let from = start
  let to = at
  if (start === 0 && areNearTheEnd(splices, bytes.length)) {
    // Copies a few bytes too many, because creating a subarray costs more than copying them. The splice overwrites
    // these bytes.
    target.set(bytes, at)
    from = splices[0].at
    to += from
  }
  for (const splice of splices) {
    to = copyBytes(bytes, from, splice.at, target, to)
    to = writeSplice(splice, target, to)
    from = splice.end
  }
  return copyBytes(bytes, from, end, target, to)
}

/**
 * Writes the bytes that a splice adds, and returns the position after them. For callers that copy the bytes of the
 * source themselves.
 */
export function writeSplice(splice: Splice, target: Uint8Array, at: number): number {
  const { before, value, encoded, generation } = splice as EncodedSplice
  if (encoded !== undefined && encoded.generation === generation) return copyEncoded(encoded, target, at)
  const to = writeJsonText(before, target, at)
  return value === undefined ? to : writeJson(value, target, to)
}

function copyEncoded(member: EncodedMember, target: Uint8Array, at: number): number {
  target.set(member.written, at)
  return at + member.end
}

/**
 * Whether `joinInto` may copy all bytes first: the first splice inserts near the end, and the output is at least as
 * long as the source, so that the copy does not write past the end of the output.
 */
function areNearTheEnd(splices: readonly Splice[], length: number): boolean {
  if (splices.length === 0) return false
  const { at, end, before, value } = splices[0]
  return at === end && at + SHORT >= length && typeof value === 'string' && at + before.length + value.length >= length
}

// One call of `set` costs as much as copying some dozens of bytes one by one.
const SHORT = 24

function copyBytes(bytes: Uint8Array, from: number, until: number, target: Uint8Array, at: number): number {
  const length = until - from
  if (length <= SHORT) for (let each = 0; each < length; each++) target[at + each] = bytes[from + each]
  // The subarray of a Buffer would be a Buffer, which is several times as expensive to create.
  else target.set(new Uint8Array(bytes.buffer, bytes.byteOffset + from, length), at)
  return at + length
}

/** Maximum length of a value in an encoded member; longer strings take the general path. */
export const MAX_MEMBER_BYTES = 512

/**
 * Reusable buffer with a property in the form that is inserted into a record: `,"name":"value"`. The property of the
 * next record overwrites it.
 */
export class EncodedMember {
  readonly bytes: Uint8Array
  readonly view: DataView
  /** Position of the value, after its quote. */
  readonly valueStart: number
  /** Position after the closing quote. */
  end = 0
  /** The value as a string. */
  value = ''
  /** Increases with each value, so that a splice can check that the buffer still contains its value. */
  generation = 0
  readonly #written: (Uint8Array | undefined)[] = []

  constructor(name: string) {
    // a UTF-16 unit takes at most six bytes as JSON
    this.bytes = new Uint8Array(name.length * 6 + MAX_MEMBER_BYTES + PADDING)
    this.view = new DataView(this.bytes.buffer)
    const colon = writeJson(name, this.bytes, writeJsonText(',', this.bytes, 0))
    this.valueStart = writeJsonText(':"', this.bytes, colon)
  }

  /** Begins another value and returns its position. Invalidates the previous content, even if encoding is abandoned. */
  open(): number {
    this.generation++
    return this.valueStart
  }

  /** Ends the value at the position `at`. */
  close(at: number): void {
    this.value = this.#read(at)
    this.bytes[at] = QUOTE
    this.end = at + 1
  }

  /**
   * The whole property as bytes. Keeps one view for each length, because a new view costs more than copying its bytes.
   */
  get written(): Uint8Array {
    const { end } = this
    return (this.#written[end] ??= this.bytes.subarray(0, end))
  }

  #read(end: number): string {
    let value = ''
    let at = this.valueStart
    for (; at + 16 < end; at += 16) value += decodeAscii16(this.bytes, at)
    const last = decodeAscii16(this.bytes, at)
    return value + (at + 16 === end ? last : last.slice(0, end - at))
  }
}

// room for quotes, comma and colon, and for the bytes after the end that decoding reads
const PADDING = 32

/** Length of a value as JSON in UTF-8 bytes. */
function jsonLength(value: KeyValue): number {
  if (typeof value !== 'string') return JSON.stringify(value).length
  let length = value.length + 2
  for (let at = 0; at < value.length; at++) {
    const unit = value.charCodeAt(at)
    if (unit >= 0x80) {
      if (isSurrogate(unit)) return utf8Length(JSON.stringify(value))
      length += unit < 0x800 ? 1 : 2
    } else if (unit < 0x20 || unit === 0x22 || unit === 0x5c) return utf8Length(JSON.stringify(value))
  }
  return length
}

/** Writes a value as JSON into `target` from `at` on. Returns the position after it. */
function writeJson(value: KeyValue, target: Uint8Array, at: number): number {
  if (typeof value !== 'string') return writeJsonText(JSON.stringify(value), target, at)
  let to = at
  target[to++] = 0x22
  for (let from = 0; from < value.length; from++) {
    const unit = value.charCodeAt(from)
    if (unit < 0x20 || unit === 0x22 || unit === 0x5c || unit >= 0x80)
      return writeJsonText(JSON.stringify(value), target, at)
    target[to++] = unit
  }
  target[to++] = 0x22
  return to
}

// This is not `writeUtf8` of text/utf8.ts: hashing calls `writeUtf8` for each record, and is a sixth slower if that
// function also writes JSON (Node 20).
/**
 * Writes `text` in UTF-8 into `target` from `at` on. Returns the position after it. `text` has no lone surrogates,
 * because JSON.stringify escapes them.
 */
export function writeJsonText(text: string, target: Uint8Array, at: number): number {
  let to = at
  for (let from = 0; from < text.length; from++) {
    const unit = text.charCodeAt(from)
    if (unit < 0x80) target[to++] = unit
    else {
      const point = text.codePointAt(from) ?? 0
      if (point > 0xffff) from++
      to = writePoint(point, target, to)
    }
  }
  return to
}

function writePoint(point: number, target: Uint8Array, at: number): number {
  let to = at
  if (point < 0x800) target[to++] = 0xc0 | (point >> 6)
  else {
    if (point < 0x10000) target[to++] = 0xe0 | (point >> 12)
    else {
      target[to++] = 0xf0 | (point >> 18)
      target[to++] = 0x80 | ((point >> 12) & 0x3f)
    }
    target[to++] = 0x80 | ((point >> 6) & 0x3f)
  }
  target[to++] = 0x80 | (point & 0x3f)
  return to
}

function isSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdfff
}
