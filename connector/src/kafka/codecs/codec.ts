import * as zlib from 'node:zlib'
import { unzip } from 'node:zlib'
import { Decompress as ZstdStream } from 'fzstd'
import { uncompress } from 'snappyjs'

/**
 * Decompresses the records of a batch. Throws an InflatedTooLarge as soon as they take more than `maxBytes`. If the
 * bytes are damaged, throws another error, whose message begins with `it`.
 */
export type Decompress = (bytes: Buffer, maxBytes: number) => Buffer | Promise<Buffer>

/** The records of a batch take more bytes than the limit. */
export class InflatedTooLarge extends Error {
  constructor() {
    super('it inflates to more bytes than are allowed')
    this.name = 'InflatedTooLarge'
  }
}

/** Zstandard functions of Node, from 22.15 on. */
interface NativeZstd {
  readonly zstdDecompress?: (
    bytes: Buffer,
    options: { readonly maxOutputLength: number },
    done: (error: Error | null, result: Buffer) => void
  ) => void
}

/** Decompresses Zstandard: with Node where it can, otherwise in JavaScript. */
export const decompressZstd: Decompress = createZstd(zlib as NativeZstd)

/** Uses the Zstandard functions of Node; without them, an implementation in JavaScript. */
export function createZstd({ zstdDecompress }: NativeZstd): Decompress {
  if (zstdDecompress === undefined) return decompressInJavaScript
  return (bytes, maxBytes) =>
    new Promise((resolve, reject) => {
      zstdDecompress(bytes, { maxOutputLength: Math.max(1, maxBytes) }, (error, result) => {
        if (error === null) resolve(result)
        else reject(isTooLarge(error) ? new InflatedTooLarge() : error)
      })
    })
}

/** Decompresses block by block, since the header of a frame may lack the decompressed size. */
function decompressInJavaScript(bytes: Buffer, maxBytes: number): Buffer {
  const blocks: Uint8Array[] = []
  let size = 0
  const stream = new ZstdStream((block) => {
    size += block.length
    if (size > maxBytes) throw new InflatedTooLarge()
    blocks.push(block)
  })
  stream.push(bytes, true)
  return Buffer.concat(blocks, size)
}

/** Decompresses gzip with Node. */
export const decompressGzip: Decompress = (bytes, maxBytes) =>
  new Promise((resolve, reject) => {
    unzip(bytes, { maxOutputLength: Math.max(1, maxBytes) }, (error, inflated) => {
      if (error === null) resolve(inflated)
      else reject(isTooLarge(error) ? new InflatedTooLarge() : new RangeError(`it is damaged (${error.message})`))
    })
  })

/** Whether Node stopped because `maxOutputLength` was reached. */
function isTooLarge(error: Error): boolean {
  return 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE'
}

/** Decompresses Snappy in the framing of Java clients, or as one block without framing, as librdkafka sends it. */
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
