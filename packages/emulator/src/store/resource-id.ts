/** The resource id of the n-th database: four bytes, big-endian. */
export function databaseRid(ordinal: number): string {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(ordinal)
  return toText(bytes)
}

/** The resource id of the n-th container of a database: its parent, then four bytes whose top bit is set. */
export function containerRid(database: number, ordinal: number): string {
  const bytes = Buffer.alloc(8)
  bytes.writeUInt32BE(database)
  bytes.writeUInt32BE((0x80000000 | ordinal) >>> 0, 4)
  return toText(bytes)
}

/** The resource id of the n-th user of a database: like that of a container, but without the top bit. */
export function userRid(database: number, ordinal: number): string {
  const bytes = Buffer.alloc(8)
  bytes.writeUInt32BE(database)
  bytes.writeUInt32BE(ordinal, 4)
  return toText(bytes)
}

/** The resource id of the n-th permission of a user: its parent, then eight bytes. */
export function permissionRid(user: string, ordinal: number): string {
  const bytes = Buffer.alloc(16)
  bytes.write(user.replaceAll('-', '/'), 'base64')
  bytes.writeUInt32BE(ordinal, 8)
  return toText(bytes)
}

/** The ETag of a resource other than an item. */
export function resourceEtag(revision: number, timestamp: number): string {
  return `"${revision.toString(16).padStart(8, '0')}-0000-0000-0000-${timestamp.toString(16)}0000"`
}

/**
 * The resource id of a child of a container; the ordinal is little-endian, the type sits in the top nibble of the
 * last byte. It is made for each document that is returned, so its digits are put together without a buffer.
 */
export function childRid(container: string, ordinal: number, type: 'item' | 'range'): string {
  const low = ordinal >>> 0
  const high = Math.floor(ordinal / 0x100000000) & 0xffff
  // the digit at 10 has the last four bits of the container, and the first two of the ordinal
  const shared = (DIGITS.indexOf(container[10]) << 6) + (low & 0xff)
  const middle = reverseBytes(low) & 0xffffff
  const last = ((high & 0xff) << 4) | (high >>> 12)
  const end = ((high >>> 8) & 0x0f) << 8
  return `${container.slice(0, 10)}${PAIRS[shared]}${PAIRS[middle >>> 12]}${PAIRS[middle & 0xfff]}${PAIRS[last]}${PAIRS[end]}${type === 'range' ? 'UA==' : 'AA=='}`
}

// of base64, in which resource ids have - instead of /
const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+-'
const PAIRS: readonly string[] = Array.from({ length: 4096 }, (_, bits) => DIGITS[bits >>> 6] + DIGITS[bits & 63])

function reverseBytes(value: number): number {
  return (value << 24) | ((value & 0xff00) << 8) | ((value >>> 8) & 0xff00) | (value >>> 24)
}

/** The short resource id of the n-th offer: three bytes, scattered so that consecutive ids look different. */
export function offerRid(ordinal: number): string {
  const bytes = Buffer.alloc(3)
  bytes.writeUIntBE((ordinal * 0x9e3779) & 0xffffff, 0, 3)
  return toText(bytes)
}

/** Whether a string is a resource id of this many bytes. */
export function isResourceId(text: string, bytes: number): boolean {
  const read = Buffer.from(text.replaceAll('-', '/'), 'base64')
  return read.length === bytes && toText(read) === text
}

/** The ordinal in the resource id of an item of this container; undefined for any other id. */
export function itemOrdinal(rid: string, container: string): number | undefined {
  const ordinal = Buffer.from(rid.replaceAll('-', '/'), 'base64').readUIntLE(8, 6)
  return childRid(container, ordinal, 'item') === rid ? ordinal : undefined
}

function toText(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('/', '-')
}
