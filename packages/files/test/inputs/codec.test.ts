import zlib from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { codecOf, createCompressor, createDecompressor } from '../../src/inputs/codec.ts'

describe('codecOf', () => {
  test.each([
    ['a.ndjson', undefined],
    ['a.ndjson.gz', 'gzip'],
    ['A.GZIP', 'gzip'],
    ['a.json.zst', 'zstd'],
    ['a.gz.txt', undefined]
  ])('determines the compression of %s from its extension', (name, codec) => {
    expect(codecOf(name)).toBe(codec)
  })
})

const knowsZstd = 'createZstdCompress' in zlib

test('createCompressor and createDecompressor throw an error that names the needed Node version if this version does not support zstd', ({
  skip
}) => {
  skip(knowsZstd, `Node ${process.version} supports zstd`)
  const sentence = `Node ${process.version} does not support zstd. Use Node 22.15 or later`

  expect(() => createCompressor('zstd')).toThrow(sentence)
  expect(() => createDecompressor('zstd')).toThrow(sentence)
})

test('createDecompressor restores what createCompressor has compressed with zstd', async ({ skip }) => {
  skip(!knowsZstd, `Node ${process.version} does not support zstd`)
  const compressor = createCompressor('zstd')
  compressor.end('text')

  const text = (await compressor.pipe(createDecompressor('zstd')).toArray()).join('')

  expect(text).toBe('text')
})
