import { KeystampError } from '@keystamp/core'
// node finds the codecs only on the default export: kafkajs is a CommonJS module
import kafkajs, { CompressionTypes } from 'kafkajs'
import { takeInflating } from '../kafkajs-patches/bounded-fetch.ts'
import { objectBytesOf } from '../kafkajs-records.ts'
import { type Decompress, decompressGzip, decompressSnappy, decompressZstd, InflatedTooLarge } from './codec.ts'
import { decompressLz4 } from './lz4.ts'

/** Adds the codecs that kafkajs lacks, and bounds all of them: `limitInflation` sets the limit for one fetch. */
export function registerCodecs(): void {
  const { CompressionCodecs } = kafkajs
  CompressionCodecs[CompressionTypes.GZIP] = () => GZIP
  CompressionCodecs[CompressionTypes.Snappy] = () => SNAPPY
  CompressionCodecs[CompressionTypes.LZ4] = () => LZ4
  CompressionCodecs[CompressionTypes.ZSTD] = () => ZSTD
}

const GZIP = codec('gzip', decompressGzip)
const SNAPPY = codec('snappy', decompressSnappy)
const LZ4 = codec('lz4', decompressLz4)
const ZSTD = codec('zstd', decompressZstd)

function codec(name: string, decompress: Decompress): object {
  return {
    compress: async () => {
      throw new KeystampError(
        'OPTION_INVALID',
        `This codec can only decompress ${name}: the sink never writes compressed batches.`
      )
    },
    decompress: async (bytes: Buffer) => {
      const inflating = takeInflating()
      try {
        const { maxBytes, records } = inflating
        const inflated = await decompress(bytes, maxBytes)
        const leftBytes = maxBytes - inflated.length
        const objectBytes = records === undefined ? 0 : objectBytesOf(inflated, records, leftBytes)
        if (objectBytes > leftBytes) throw new InflatedTooLarge()
        inflating.bytes = inflated.length + objectBytes
        return inflated
      } catch (cause) {
        if (cause instanceof InflatedTooLarge) throw cause
        // an error of this class tells kafkajs not to retry; it would retry any other one
        const reason = cause instanceof Error ? cause.message : String(cause)
        throw new KeystampError(
          'KAFKA_UNAVAILABLE',
          `A batch of records that was compressed by ${name} cannot be read: ${reason}.`,
          {
            cause
          }
        )
      }
    }
  }
}
