const NUMBER_MARK = 0x05

const view = new DataView(new ArrayBuffer(8))

/** Writes a number so that bytes sort as numbers do, as version 1 does, and gives the end. Takes at most ten bytes. */
export function writeOrderedNumber(value: number, bytes: Uint8Array, at: number): number {
  view.setFloat64(0, value)
  let high = view.getUint32(0)
  let low = view.getUint32(4)
  if (high >>> 31 === 0) {
    high ^= 0x80000000
  } else {
    low = -low >>> 0
    high = low === 0 ? -high : ~high
  }
  bytes[at] = NUMBER_MARK
  bytes[at + 1] = high >>> 24
  return writeGroups((high << 8) | (low >>> 24), low << 8, bytes, at + 2)
}

// seven bits a byte, the lowest bit tells that more follow
function writeGroups(firstHigh: number, firstLow: number, bytes: Uint8Array, at: number): number {
  let high = firstHigh
  let low = firstLow
  let end = at
  while ((high | low) !== 0) {
    const group = (high >>> 24) & 0xfe
    high = (high << 7) | (low >>> 25)
    low <<= 7
    bytes[end++] = (high | low) === 0 ? group : group | 1
  }
  return end
}
