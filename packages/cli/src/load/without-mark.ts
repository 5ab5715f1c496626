/** A line without the byte order mark that some editors put before the first. */
export function withoutMark(bytes: Buffer, line: number): Buffer {
  return line === 0 && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes
}
