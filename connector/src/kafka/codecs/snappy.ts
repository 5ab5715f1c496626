import { uncompress } from 'snappyjs'
import { InflatedTooLarge } from './codec.ts'

/** Decompresses Snappy in the framing of Java clients, or as one bare block, which librdkafka sends. */
export function decompressSnappy(bytes: Buffer, maxBytes: number): Buffer {
  const blocks = isFramed(bytes) ? blocksOf(bytes) : [bytes]
  // a block begins with its decompressed length, so an oversized block is refused before it is decompressed
  if (blocks.reduce((sum, block) => sum + inflatedLength(block), 0) > maxBytes) throw new InflatedTooLarge()
  return blocks.length === 1 ? uncompress(blocks[0]) : Buffer.concat(blocks.map((block) => uncompress(block)))
}

/** Reads the length at the start of a block: 7 bits in each byte, least significant first. */
function inflatedLength(block: Buffer): number {
  let length = 0
  for (let at = 0; at < Math.min(block.length, MAX_LENGTH_BYTES); at++) {
    length += (block[at] & 0x7f) * 2 ** (7 * at)
    if (block[at] < 0x80) return length
  }
  throw new RangeError('it ends within a block')
}

const MAX_LENGTH_BYTES = 5

const MAGIC = Buffer.from([0x82, 0x53, 0x4e, 0x41, 0x50, 0x50, 0x59, 0])
// magic number, version, and lowest compatible version
const HEADER_BYTES = MAGIC.length + 8
const LENGTH_BYTES = 4

function isFramed(bytes: Buffer): boolean {
  return bytes.length >= HEADER_BYTES && bytes.subarray(0, MAGIC.length).equals(MAGIC)
}

function blocksOf(bytes: Buffer): Buffer[] {
  const blocks: Buffer[] = []
  for (let at = HEADER_BYTES; at < bytes.length;) {
    // concatenated streams repeat the header
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
