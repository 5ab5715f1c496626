/** Where a line's text begins behind a byte order mark, if it has one. */
export function skipByteOrderMark(bytes: Buffer, start: number, end: number): number {
  const hasMark = end - start >= 3 && bytes[start] === 0xef && bytes[start + 1] === 0xbb && bytes[start + 2] === 0xbf
  return hasMark ? start + 3 : start
}

/** True for a line of JSON whitespace alone. */
export function isBlank(bytes: Buffer, start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    const byte = bytes[at]
    if (byte !== 0x20 && byte !== 0x0d && byte !== 0x09) return false
  }
  return true
}
