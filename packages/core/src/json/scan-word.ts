/** Reads `true`, `false` or `null` at `at`. Gives the position behind it, or `~position` of what is wrong. Stops at any other byte. */
export function scanWord(bytes: Uint8Array, at: number): number {
  const first = bytes[at]
  if (first === 0x74)
    return bytes[at + 1] === 0x72 && bytes[at + 2] === 0x75 && bytes[at + 3] === 0x65 ? at + 4 : wrongIn(bytes, at, 'true')
  if (first === 0x66) {
    const isFalse = bytes[at + 1] === 0x61 && bytes[at + 2] === 0x6c && bytes[at + 3] === 0x73 && bytes[at + 4] === 0x65
    return isFalse ? at + 5 : wrongIn(bytes, at, 'false')
  }
  if (first === 0x6e)
    return bytes[at + 1] === 0x75 && bytes[at + 2] === 0x6c && bytes[at + 3] === 0x6c ? at + 4 : wrongIn(bytes, at, 'null')
  return ~at
}

function wrongIn(bytes: Uint8Array, at: number, word: string): number {
  let right = 1
  while (bytes[at + right] === word.charCodeAt(right)) right++
  return ~(at + right)
}
