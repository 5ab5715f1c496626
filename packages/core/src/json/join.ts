import type { KeyValue } from '../key/field-value.ts'
import { utf8Length } from '../text/utf8.ts'
import { type EncodedMember, jsonLength, writeJson, writeJsonText } from './encoded-member.ts'
import type { MemberTable } from './member-table.ts'

/**
 * One change of JSON bytes: `before` and then `value` as JSON replace `bytes[at, end)`.
 * A deletion has neither; an insertion has `end === at`; several insertions at one position are written in their order.
 */
export interface Splice {
  readonly at: number
  readonly end: number
  /** JSON, such as a comma and a name with its colon. */
  readonly before: string
  /** The value itself, not yet as JSON: quoting it while it is written saves a pass and a string. */
  readonly value: KeyValue | undefined
}

/** A splice whose bytes may already be written somewhere. */
export interface EncodedSplice extends Splice {
  /** Holds `before` and `value` as bytes for as long as its generation is `generation`. */
  readonly encoded: EncodedMember | undefined
  readonly generation: number
}

/**
 * A record with its key: the bytes of the source and what has to change in them.
 * All positions count from the beginning of `bytes`. Nothing is copied: it is valid for as long as `bytes` keeps its content.
 */
export interface StampedBytes {
  readonly ok: true
  readonly bytes: Uint8Array
  /** First byte of the record, without the whitespace around it. */
  readonly start: number
  readonly end: number
  /** In order, without overlap. Outside of them every byte of the output is that of the input. */
  readonly splices: readonly Splice[]
  /** One value for each level of the key. */
  readonly values: readonly KeyValue[]
  /** The id, made by the plan or carried by the record; undefined where there is none and none is required. */
  readonly id: string | undefined
  /** Version of the plan that applied: 0 for the newest, 1 for the first of the previous ones. */
  readonly version: number
  /** The members at the top level of the record, as they came in. */
  readonly members: MemberTable
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

/** Writes the record with its splices into `target` from `at` on. Returns the position after it. `target` needs `joinedLength` bytes there. */
export function joinInto(stamped: StampedBytes, target: Uint8Array, at: number): number {
  const { bytes, start, end, splices } = stamped
  let from = start
  let to = at
  if (start === 0 && areNearTheEnd(splices, bytes.length)) {
    // Copies a few bytes too many, which the splice overwrites, since a subarray costs more than the copy.
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

/** Writes the bytes that a splice adds, and gives the position after them. For callers that copy the bytes of the source themselves. */
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

/** Whether the output is at least as long as the bytes after the first splice, so that copying all bytes does not write past its end. */
function areNearTheEnd(splices: readonly Splice[], length: number): boolean {
  if (splices.length === 0) return false
  const { at, end, before, value } = splices[0]
  return at === end && at + SHORT >= length && typeof value === 'string' && at + before.length + value.length >= length
}

// A call that copies costs as much as some dozens of bytes that are copied one by one.
const SHORT = 24

function copyBytes(bytes: Uint8Array, from: number, until: number, target: Uint8Array, at: number): number {
  const length = until - from
  if (length <= SHORT) for (let each = 0; each < length; each++) target[at + each] = bytes[from + each]
  // The subarray of a Buffer would be a Buffer, which is several times as expensive to create.
  else target.set(new Uint8Array(bytes.buffer, bytes.byteOffset + from, length), at)
  return at + length
}
