import { uncompress } from 'snappyjs'

/** Snappy as Java's clients frame it, or one bare block, as librdkafka sends it. */
export function decompressSnappy(bytes: Buffer): Buffer {
  return isFramed(bytes) ? Buffer.concat(blocksOf(bytes).map((block) => uncompress(block))) : uncompress(bytes)
}

const MAGIC = Buffer.from([0x82, 0x53, 0x4e, 0x41, 0x50, 0x50, 0x59, 0])
// behind it the version, and the oldest that can read it
const HEADER_BYTES = MAGIC.length + 8
const LENGTH_BYTES = 4

function isFramed(bytes: Buffer): boolean {
  return bytes.length >= HEADER_BYTES && bytes.subarray(0, MAGIC.length).equals(MAGIC)
}

function blocksOf(bytes: Buffer): Buffer[] {
  const blocks: Buffer[] = []
  for (let at = HEADER_BYTES; at < bytes.length;) {
    // streams that were put together repeat the header
    if (isFramed(bytes.subarray(at))) {
      at += HEADER_BYTES
      continue
    }
    if (at + LENGTH_BYTES > bytes.length) throw new RangeError('it ends within a block')
    const start = at + LENGTH_BYTES
    const end = start + bytes.readUInt32BE(at)
    if (end > bytes.length) throw new RangeError('it ends within a block')
    blocks.push(bytes.subarray(start, end))
    at = end
  }
  return blocks
}
