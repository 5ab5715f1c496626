import { type KeyComponent, maxComponentBytes, scratchFor, writeComponent } from './component-bytes.ts'
import { hexOfBytes } from './hex.ts'
import { murmur32Bytes } from './murmur32.ts'

/** Version 1 hashes only this number of UTF-16 units: strings that differ only after them have the same hash. */
export const V1_STRING_UNITS = 100

/** Longer strings are cut to this number of bytes plus one, and written without the end byte. */
const V1_STRING_BYTES = 100

const epk = new Uint8Array(128)

/** The effective partition key of version 1: the hash of the component, then the component itself. */
export function hashV1(value: KeyComponent): string {
  const component = withinUnits(value)
  const scratch = scratchFor(maxComponentBytes(component))
  const { bytes } = scratch
  const length = writeComponent(component, scratch, 0, 1)
  const at = writeOrderedNumber(murmur32Bytes(bytes, length), epk, 0)
  if (typeof component === 'string') return hexOfBytes(epk, writeEncodedText(bytes, length, at))
  if (typeof component === 'number') return hexOfBytes(epk, writeOrderedNumber(component, epk, at))
  epk[at] = bytes[0]
  return hexOfBytes(epk, at + 1)
}

/** Hash of a component in version 1; only the first 100 UTF-16 units of a string count. */
export function componentHashV1(value: KeyComponent): number {
  const component = withinUnits(value)
  const scratch = scratchFor(maxComponentBytes(component))
  return murmur32Bytes(scratch.bytes, writeComponent(component, scratch, 0, 1))
}

function withinUnits(value: KeyComponent): KeyComponent {
  return typeof value === 'string' ? value.slice(0, V1_STRING_UNITS) : value
}

// each byte of a string is one higher than in UTF-8, so that the end byte 00 sorts below all of them
function writeEncodedText(bytes: Uint8Array, length: number, at: number): number {
  const textBytes = length - 2
  const isCut = textBytes > V1_STRING_BYTES
  const last = isCut ? V1_STRING_BYTES + 1 : textBytes
  epk[at] = bytes[0]
  for (let index = 1; index <= last; index++) epk[at + index] = bytes[index] + 1
  const end = at + 1 + last
  if (isCut) return end
  epk[end] = 0
  return end + 1
}

const NUMBER_TAG = 0x05

const view = new DataView(new ArrayBuffer(8))

/**
 * Writes a number as version 1 does: the bytes have the same order as the numbers. Returns the end. Needs at most ten
 * bytes.
 */
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
  bytes[at] = NUMBER_TAG
  bytes[at + 1] = high >>> 24
  return writeGroups((high << 8) | (low >>> 24), low << 8, bytes, at + 2)
}

// seven bits in each byte; the lowest bit is set if more bytes follow
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
