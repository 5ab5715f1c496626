import { KeystampError } from '@keystamp/core'
import type { Transform } from 'node:stream'
import zlib from 'node:zlib'

export type Codec = 'gzip' | 'zstd'

/** Returns the compression of a file, recognized by the extension of its name. */
export function codecOf(path: string): Codec | undefined {
  if (/\.(gz|gzip)$/i.test(path)) return 'gzip'
  return /\.(zst|zstd)$/i.test(path) ? 'zstd' : undefined
}

export function createDecompressor(codec: Codec): Transform {
  return codec === 'gzip' ? zlib.createGunzip({ chunkSize: CHUNK_BYTES }) : zstd('createZstdDecompress')
}

export function createCompressor(codec: Codec): Transform {
  return codec === 'gzip' ? zlib.createGzip({ chunkSize: CHUNK_BYTES }) : zstd('createZstdCompress')
}

const CHUNK_BYTES = 256 * 1024

type ZstdFactory = (options: { readonly chunkSize: number }) => Transform

// available in Node from 22.15 and 23.8 on
function zstd(name: 'createZstdCompress' | 'createZstdDecompress'): Transform {
  const factory = (zlib as unknown as Partial<Record<typeof name, ZstdFactory>>)[name]
  if (factory !== undefined) return factory({ chunkSize: CHUNK_BYTES })
  throw new KeystampError(
    'OPTION_INVALID',
    `Node ${process.version} does not support zstd. Use Node 22.15 or later, or decompress in a pipe: zstd -dc in.zst | keystamp ...`
  )
}
