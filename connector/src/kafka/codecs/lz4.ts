import { decompressBlock } from 'lz4js'
import { InflatedTooLarge } from './codec.ts'

/**
 * Decompresses LZ4 frames, one after the other, up to their end marks. lz4js itself accepts a truncated frame as
 * complete.
 */
export function decompressLz4(bytes: Buffer, maxBytes: number): Buffer {
  const target: Target = { buffer: Buffer.allocUnsafe(Math.min(maxBytes, FIRST_BYTES)), size: 0, maxBytes }
  let at = 0
  while (at < bytes.length) {
    const frame = readHeader(bytes, at)
    at = frame.blocksAt
    for (let block = readBlock(bytes, at); block.length > 0; block = readBlock(bytes, at)) {
      appendBlock(target, bytes, block, frame.blockBytes)
      at = block.start + block.length + frame.blockChecksumBytes
    }
    at += WORD_BYTES + frame.contentChecksumBytes
  }
  if (at > bytes.length) throw new RangeError('it ends before its checksum')
  return target.buffer.subarray(0, target.size)
}

interface Frame {
  readonly blocksAt: number
  /** Largest decompressed size of a block. */
  readonly blockBytes: number
  readonly blockChecksumBytes: number
  readonly contentChecksumBytes: number
}

interface Block {
  readonly start: number
  readonly length: number
  readonly isPlain: boolean
}

const MAGIC = 0x184d2204
// magic number, two descriptor bytes, and their checksum
const HEADER_BYTES = 7
const WORD_BYTES = 4
const IS_PLAIN = 0x80000000
// bits of the first descriptor byte
const HAS_BLOCK_CHECKSUM = 0x10
const HAS_CONTENT_SIZE = 0x08
const HAS_CONTENT_CHECKSUM = 0x04
const HAS_DICTIONARY = 0x01
const SIZES: readonly (number | undefined)[] = [
  undefined,
  undefined,
  undefined,
  undefined,
  1 << 16,
  1 << 18,
  1 << 20,
  1 << 22
]

function readHeader(bytes: Buffer, at: number): Frame {
  if (at + HEADER_BYTES > bytes.length || bytes.readUInt32LE(at) !== MAGIC)
    throw new RangeError('it does not begin with the header of a frame')
  const flags = bytes.readUInt8(at + 4)
  const blockBytes = SIZES[(bytes.readUInt8(at + 5) >> 4) & 7]
  if (flags >> 6 !== 1 || blockBytes === undefined) throw new RangeError('its frame has an unknown version')
  const has = (flag: number, size: number): number => ((flags & flag) === 0 ? 0 : size)
  return {
    blocksAt: at + HEADER_BYTES + has(HAS_CONTENT_SIZE, 2 * WORD_BYTES) + has(HAS_DICTIONARY, WORD_BYTES),
    blockBytes,
    blockChecksumBytes: has(HAS_BLOCK_CHECKSUM, WORD_BYTES),
    contentChecksumBytes: has(HAS_CONTENT_CHECKSUM, WORD_BYTES)
  }
}

/** Block of a frame; of length 0 at the end mark. */
function readBlock(bytes: Buffer, at: number): Block {
  if (at + WORD_BYTES > bytes.length) throw new RangeError('it ends without its end mark')
  const word = bytes.readUInt32LE(at)
  const length = word & ~IS_PLAIN
  const start = at + WORD_BYTES
  if (start + length > bytes.length) throw new RangeError('it ends within a block')
  return { start, length, isPlain: word >= IS_PLAIN }
}

/** Buffer of the bytes that are decompressed so far. */
interface Target {
  buffer: Buffer
  size: number
  readonly maxBytes: number
}

const FIRST_BYTES = 256 * 1024

function appendBlock(target: Target, bytes: Buffer, { start, length, isPlain }: Block, blockBytes: number): void {
  const { size, maxBytes } = target
  const most = size + Math.max(blockBytes, length)
  makeRoom(target, most)
  const end = isPlain
    ? size + bytes.copy(target.buffer, size, start, start + length)
    : decompressBlock(bytes, target.buffer, start, length, size)
  if (end > most) throw new RangeError('a block is longer than its frame says')
  // a single block of up to 4 MB may exceed the limit before it is checked
  if (end > maxBytes) throw new InflatedTooLarge()
  target.size = end
}

function makeRoom(target: Target, bytes: number): void {
  const { buffer, size } = target
  if (buffer.length >= bytes) return
  target.buffer = Buffer.allocUnsafe(Math.max(bytes, 2 * buffer.length))
  buffer.copy(target.buffer, 0, 0, size)
}
