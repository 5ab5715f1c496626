import { writeUtf8 } from './json-text.ts'
import type { StampedBytes } from './stamped-bytes.ts'

/** How many bytes the record takes once its splices are in. */
export function joinedLength(stamped: StampedBytes): number {
  let length = stamped.end - stamped.start
  for (const splice of stamped.splices) length += splice.byteLength - (splice.end - splice.at)
  return length
}

/** Writes the record with its splices into `target` from `at` on, and gives the position behind it. `target` needs `joinedLength` bytes there. */
export function joinInto(stamped: StampedBytes, target: Uint8Array, at: number): number {
  const { bytes, start, end, splices } = stamped
  let from = start
  let to = at
  if (start === 0 && splices.length > 0 && splices[0].at + SHORT >= bytes.length && joinedLength(stamped) >= bytes.length) {
    // The few bytes too many are written over, and a subarray is spared, which costs more than the copy itself.
    target.set(bytes, at)
    from = splices[0].at
    to += from
  }
  for (const splice of splices) {
    to = copyBytes(bytes, from, splice.at, target, to)
    to = writeUtf8(splice.before, target, to)
    to = writeUtf8(splice.text, target, to)
    to = writeUtf8(splice.after, target, to)
    from = splice.end
  }
  return copyBytes(bytes, from, end, target, to)
}

// A copy call costs as much as some dozens of bytes moved one by one.
const SHORT = 24

function copyBytes(bytes: Uint8Array, from: number, until: number, target: Uint8Array, at: number): number {
  const length = until - from
  if (length <= SHORT) for (let each = 0; each < length; each++) target[at + each] = bytes[from + each]
  else target.set(bytes.subarray(from, until), at)
  return at + length
}
