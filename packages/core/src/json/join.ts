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
  const { bytes, splices } = stamped
  let from = stamped.start
  let to = at
  for (const splice of splices) {
    to = copyBytes(bytes, from, splice.at, target, to)
    to = writeUtf8(splice.text, target, to)
    from = splice.end
  }
  return copyBytes(bytes, from, stamped.end, target, to)
}

// A copy call costs as much as some dozens of bytes moved one by one.
const SHORT = 24

function copyBytes(bytes: Uint8Array, from: number, until: number, target: Uint8Array, at: number): number {
  if (until - from > SHORT) {
    target.set(bytes.subarray(from, until), at)
    return at + until - from
  }
  let to = at
  for (let each = from; each < until; each++) target[to++] = bytes[each]
  return to
}
