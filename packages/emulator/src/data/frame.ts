import { crc32 } from 'node:zlib'

/** Number of bytes before the payload of an entry: length, checksum of the payload, checksum of both. */
export const FRAME_HEADER_BYTES = 12

/** Fills the header of an entry. Its payload follows the header and ends at `end`; `position` is that in the file. */
export function sealFrame(bytes: Buffer, start: number, end: number, position: number): void {
  const body = start + FRAME_HEADER_BYTES
  bytes.writeUInt32LE(end - body, start)
  bytes.writeUInt32LE(crc32(bytes.subarray(body, end)), start + 4)
  bytes.writeUInt32LE(checkOf(bytes, start, position), start + 8)
}

/** The length of the payload; undefined when the checksum of the header does not match. */
export function payloadLength(bytes: Buffer, start: number, position: number): number | undefined {
  return bytes.readUInt32LE(start + 8) === checkOf(bytes, start, position) ? bytes.readUInt32LE(start) : undefined
}

/** Whether the payload of an entry has its checksum. */
export function isIntact(bytes: Buffer, start: number, end: number): boolean {
  return bytes.readUInt32LE(start + 4) === crc32(bytes.subarray(start + FRAME_HEADER_BYTES, end))
}

// the checksum depends on the position, so that an entry at another place is not valid
function checkOf(bytes: Buffer, start: number, position: number): number {
  return crc32(bytes.subarray(start, start + 8), position % 0x100000000)
}
