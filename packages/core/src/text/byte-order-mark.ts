/**
 * Length of the byte order mark of UTF-8, which some editors and exports write at the beginning of a file; JSON does
 * not allow it.
 */
export const BYTE_ORDER_MARK_BYTES = 3

/** First byte of the byte order mark of UTF-8. */
export const BYTE_ORDER_MARK_START = 0xef

/** Position of the first byte of `bytes[start, end)` after a byte order mark; `start` if there is none. */
export function skipByteOrderMark(bytes: Uint8Array, start: number, end: number): number {
  const hasMark =
    end - start >= BYTE_ORDER_MARK_BYTES &&
    bytes[start] === BYTE_ORDER_MARK_START &&
    bytes[start + 1] === 0xbb &&
    bytes[start + 2] === 0xbf
  return hasMark ? start + BYTE_ORDER_MARK_BYTES : start
}

/** The bytes without a byte order mark at their beginning: the same array, or a view of it. */
export function withoutByteOrderMark<Bytes extends Uint8Array>(bytes: Bytes): Bytes {
  const start = skipByteOrderMark(bytes, 0, bytes.length)
  return start === 0 ? bytes : (bytes.subarray(start) as Bytes)
}

/** The string without a byte order mark at its beginning. */
export function withoutTextByteOrderMark(text: string): string {
  return text.startsWith('\ufeff') ? text.slice(1) : text
}
