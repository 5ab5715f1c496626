const QUOTE = 0x22
const BACKSLASH = 0x5c
const SPACE = 0x20

/** Takes the whitespace out of sound JSON, but for that in strings, in place; gives the position behind what is left. */
export function toOneLine(bytes: Buffer, start: number, end: number): number {
  let to = start
  let isText = false
  for (let at = start; at < end; at++) {
    const byte = bytes[at]
    if (!isText && byte <= SPACE) continue
    if (byte === QUOTE) isText = !isText
    bytes[to++] = byte
    if (isText && byte === BACKSLASH) bytes[to++] = bytes[++at]
  }
  return to
}
