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
  ])('reads the ending of %s', (name, codec) => {
    expect(codecOf(name)).toBe(codec)
  })
})

const knowsZstd = 'createZstdCompress' in zlib

test('says in a sentence that this Node knows no zstd', ({ skip }) => {
  skip(knowsZstd, `Node ${process.version} knows zstd`)
  const sentence = `Node ${process.version} knows no zstd. Use Node 22.15 or later`

  expect(() => createCompressor('zstd')).toThrow(sentence)
  expect(() => createDecompressor('zstd')).toThrow(sentence)
})

test('gives back what it took by zstd', async ({ skip }) => {
  skip(!knowsZstd, `Node ${process.version} knows no zstd`)
  const compressor = createCompressor('zstd')
  compressor.end('text')

  const text = (await compressor.pipe(createDecompressor('zstd')).toArray()).join('')

  expect(text).toBe('text')
})
