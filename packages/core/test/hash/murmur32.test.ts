import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hashHex } from '../../src/hash/murmur128.ts'
import { murmur32, murmur32Bytes } from '../../src/hash/murmur32.ts'

// published results of the function with seed 0
const KNOWN: [string, number][] = [
  ['', 0x00000000],
  ['test', 0xba6bd213],
  ['Hello, world!', 0xc0363e43],
  ['The quick brown fox jumps over the lazy dog', 0x2e4ff723]
]

const anyText = fc.oneof(
  fc.string({ maxLength: 80 }),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 20 }).map((units) => String.fromCharCode(...units))
)

describe('murmur32', () => {
  it.each(KNOWN)('returns the known hash of "%s"', (text, hash) => {
    expect(murmur32(text)).toBe(hash)
  })

  it('hashes the UTF-8 of any string, with lone surrogates as U+FFFD', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const bytes = new TextEncoder().encode(text)

        expect(murmur32(text)).toBe(murmur32Bytes(bytes, bytes.length))
      }),
      { numRuns: 2000 }
    )
  })
})

describe('hashHex', () => {
  // published results of MurmurHash3 x64-128, seed 0, written as h1 then h2
  it.each([
    ['', '00000000000000000000000000000000'],
    ['hello', 'cbd8a7b341bd9b025b1e906a48ae1d19'],
    ['The quick brown fox jumps over the lazy dog', 'e34bbc7bbc071b6c7a433ca9c49a9347']
  ])('returns h2 and then h1 of "%s"', (text, published) => {
    expect(hashHex(text)).toBe(published.slice(16) + published.slice(0, 16))
  })

  it('hashes a string in UTF-8, including its last character', () => {
    expect(hashHex('日本語')).not.toBe(hashHex('日本誟'))
    expect(hashHex('😀'.repeat(5000))).toMatch(/^[0-9a-f]{32}$/)
  })
})
