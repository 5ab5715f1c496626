import { KeystampError } from '@keystamp/core'
// node finds the codecs in the whole of the module only, not among its names
import kafkajs, { CompressionTypes } from 'kafkajs'
import type { Decompress } from './codec.ts'
import { decompressLz4 } from './lz4.ts'
import { decompressSnappy } from './snappy.ts'
import { decompressZstd } from './zstd.ts'

/** Teaches kafkajs to read what it lacks: without it a compressed batch stops the consumer, the day a producer changes its mind. */
export function registerCodecs(): void {
  const { CompressionCodecs } = kafkajs
  CompressionCodecs[CompressionTypes.Snappy] = () => SNAPPY
  CompressionCodecs[CompressionTypes.LZ4] = () => LZ4
  CompressionCodecs[CompressionTypes.ZSTD] = () => ZSTD
}

const SNAPPY = codec('snappy', decompressSnappy)
const LZ4 = codec('lz4', decompressLz4)
const ZSTD = codec('zstd', decompressZstd)

function codec(name: string, decompress: Decompress): object {
  return {
    compress: async () => {
      throw new KeystampError('OPTION_INVALID', `Batches are read that were compressed by ${name}, and not written.`)
    },
    decompress: async (bytes: Buffer) => {
      try {
        return await decompress(bytes)
      } catch (cause) {
        // an error of ours says that it does not pass: kafkajs would try any other again and again
        const reason = cause instanceof Error ? cause.message : String(cause)
        throw new KeystampError('KAFKA_UNAVAILABLE', `A batch of records that was compressed by ${name} cannot be read: ${reason}.`, {
          cause
        })
      }
    }
  }
}
