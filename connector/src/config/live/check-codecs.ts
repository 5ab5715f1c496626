import { KeystampError } from '@keystamp/core'
import type { Decompress } from '../../consume/codecs/codec.ts'
import { decompressLz4 } from '../../consume/codecs/lz4.ts'
import { decompressSnappy } from '../../consume/codecs/snappy.ts'
import { decompressZstd } from '../../consume/codecs/zstd.ts'

/** Reads something small by each codec that producers can choose, beside gzip, which Node has. Throws where one of them does not work here. */
export async function checkCodecs(codecs: readonly KnownCodec[] = CODECS): Promise<string> {
  for (const { name, decompress, compressed } of codecs) {
    // oxlint-disable-next-line no-await-in-loop -- three, and the first that fails is named
    const text = await read(name, decompress, Buffer.from(compressed, 'hex'))
    if (text !== TEXT)
      throw new KeystampError('KAFKA_UNAVAILABLE', `Batches that are compressed by ${name} are read wrongly on this machine.`)
  }
  return `Batches can be read that are compressed by gzip, ${codecs.map(({ name }) => name).join(', ')}.`
}

export interface KnownCodec {
  readonly name: string
  readonly decompress: Decompress
  /** TEXT, in hex. */
  readonly compressed: string
}

const TEXT = 'keystamp keystamp keystamp keystamp'

const CODECS: readonly KnownCodec[] = [
  { name: 'snappy', decompress: decompressSnappy, compressed: '23206b65797374616d7020660900' },
  { name: 'lz4', decompress: decompressLz4, compressed: '04224d184070df130000009f6b65797374616d7020090002507374616d7000000000' },
  { name: 'zstd', decompress: decompressZstd, compressed: '28b52ffd00687d0000486b65797374616d70200100b4cb11' }
]

async function read(name: string, decompress: Decompress, compressed: Buffer): Promise<string> {
  try {
    return (await decompress(compressed, TEXT.length)).toString()
  } catch (cause) {
    throw new KeystampError(
      'KAFKA_UNAVAILABLE',
      `Batches that are compressed by ${name} cannot be read on this machine: ${(cause as Error).message}.`,
      { cause }
    )
  }
}
