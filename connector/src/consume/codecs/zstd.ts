import { decompress as decompressInJavaScript } from 'fzstd'
import * as zlib from 'node:zlib'
import type { Decompress } from './codec.ts'

/** What Node has from 22.15 on. */
interface NativeZstd {
  readonly zstdDecompress?: (bytes: Buffer, done: (error: Error | null, result: Buffer) => void) => void
}

/** Zstandard: by Node where it can, else in JavaScript. */
export const decompressZstd: Decompress = createZstd(zlib as NativeZstd)

/** The same with what a version of Node offers. */
export function createZstd({ zstdDecompress }: NativeZstd): Decompress {
  if (zstdDecompress === undefined) return toBuffer
  return (bytes) =>
    new Promise((resolve, reject) => {
      zstdDecompress(bytes, (error, result) => (error === null ? resolve(result) : reject(error)))
    })
}

function toBuffer(bytes: Buffer): Buffer {
  const found = decompressInJavaScript(bytes)
  return Buffer.from(found.buffer, found.byteOffset, found.byteLength)
}
