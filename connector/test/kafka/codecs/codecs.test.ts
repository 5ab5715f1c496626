import * as zlib from 'node:zlib'
import { createRandom } from '@keystamp/testkit'
import { compress as compressLz4 } from 'lz4js'
import { compress as compressSnappyBlock } from 'snappyjs'
import { describe, expect, it } from 'vitest'
import {
  createZstd,
  type Decompress,
  decompressGzip,
  decompressSnappy,
  InflatedTooLarge
} from '../../../src/kafka/codecs/codec.ts'
import { decompressLz4 } from '../../../src/kafka/codecs/lz4.ts'
import { zstdOfZeros } from '../zstd-of-zeros.ts'

const MANY = 1_000_000
const random = createRandom(7)
const TEXTS: readonly (readonly [string, Buffer])[] = [
  ['no bytes', Buffer.alloc(0)],
  ['one byte', Buffer.from('x')],
  ['repetition', Buffer.from('abcd'.repeat(50_000))],
  ['noise', Buffer.from(Array.from({ length: 100_000 }, () => random.below(256)))],
  [
    'JSON',
    Buffer.from(
      JSON.stringify(Array.from({ length: 3000 }, (_, id) => ({ id, deviceId: `abc-${random.below(1000)}` })))
    )
  ]
]

const CODECS = [
  ['snappy', frameSnappy, decompressSnappy, 'it ends within a block'],
  ['lz4', (bytes: Buffer) => Buffer.from(compressLz4(bytes)), decompressLz4, /^it ends w/]
] as const

describe.for(CODECS)('%s', ([, compress, decompress, cut]) => {
  it.for(TEXTS)('decompresses %s', ([, bytes]) => {
    expect(decompress(compress(bytes), MANY).equals(bytes)).toBe(true)
  })

  it('decompresses two concatenated streams', () => {
    const twice = Buffer.concat([compress(Buffer.from('one '.repeat(20))), compress(Buffer.from('two'))])

    expect(decompress(twice, MANY).toString()).toBe(`${'one '.repeat(20)}two`)
  })

  it('refuses truncated bytes', () => {
    const whole = compress(Buffer.from('one two three '.repeat(4)))

    for (let length = 17; length < whole.length; length++)
      expect(() => decompress(whole.subarray(0, length), MANY)).toThrow(cut)
  })
})

describe('every codec', () => {
  const inflated = Buffer.alloc(3_000_000)
  const COMPRESSED: readonly (readonly [string, Decompress, Buffer])[] = [
    ['gzip', decompressGzip, zlib.gzipSync(inflated)],
    ['snappy, framed', decompressSnappy, frameSnappy(inflated)],
    ['snappy, one block', decompressSnappy, Buffer.from(compressSnappyBlock(inflated))],
    ['lz4', decompressLz4, Buffer.from(compressLz4(inflated))],
    ['zstd in JavaScript', createZstd({}), zstdOfZeros(inflated.length)],
    ['zstd by Node, if it has zstd', createZstd(zlib as object), zstdOfZeros(inflated.length)]
  ]

  // checks L6
  it.for(COMPRESSED)('decompresses up to the limit and no further: %s', async ([, decompress, compressed]) => {
    expect((await decompress(compressed, inflated.length)).length).toBe(inflated.length)
    await expect((async () => decompress(compressed, inflated.length - 1))()).rejects.toThrow(InflatedTooLarge)
  })
})

describe('snappy', () => {
  it('decompresses a block without a frame', () => {
    // literal "Wikipedia" of 9 bytes: its length, the tag, the bytes
    const bare = Buffer.concat([Buffer.from([9, 8 << 2]), Buffer.from('Wikipedia')])

    expect(decompressSnappy(bare, MANY).toString()).toBe('Wikipedia')
  })
})

describe('lz4', () => {
  it('decompresses frames with checksums, content sizes and uncompressed blocks', () => {
    const frame = [
      '04224d18',
      '7c',
      '40',
      '00',
      '0300000000000000',
      '03000080',
      '616263',
      '11223344',
      '00000000',
      '55667788'
    ].join('')

    expect(decompressLz4(Buffer.from(frame, 'hex'), MANY).toString()).toBe('abc')
  })

  it('refuses bytes that are not a frame', () => {
    expect(() => decompressLz4(Buffer.from('something else'), MANY)).toThrow(
      'it does not begin with the header of a frame'
    )
  })
})

describe('zstd', () => {
  // one raw block that holds `keystamp`
  const FRAME = Buffer.from(`28b52ffd0008410000${Buffer.from('keystamp').toString('hex')}`, 'hex')

  it('is decompressed in JavaScript if Node has no zstd', async () => {
    expect(String(await createZstd({})(FRAME, MANY))).toBe('keystamp')
  })

  it('is decompressed by Node if Node has zstd', async ({ skip }) => {
    skip(!('zstdDecompress' in zlib), `Node ${process.version} has no zstd`)
    expect(String(await createZstd(zlib as object)(FRAME, MANY))).toBe('keystamp')
  })
})

/** Compresses in the framing of Java clients. */
function frameSnappy(bytes: Buffer): Buffer {
  const blocks: Buffer[] = [Buffer.from('82534e41505059000000000100000001', 'hex')]
  for (let at = 0; at < bytes.length; at += 32_768) {
    const block = Buffer.from(compressSnappyBlock(bytes.subarray(at, at + 32_768)))
    const length = Buffer.alloc(4)
    length.writeUInt32BE(block.length)
    blocks.push(length, block)
  }
  return Buffer.concat(blocks)
}
