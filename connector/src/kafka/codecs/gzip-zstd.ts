import { Decompress as ZstdStream } from 'fzstd'
import * as zlib from 'node:zlib'
import { unzip } from 'node:zlib'
import { type Decompress, InflatedTooLarge } from './codec.ts'

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

/** The same for given functions of Node; undefined for a version that has none. */
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

/** Decompresses block by block: the header of a frame need not contain its size. */
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
