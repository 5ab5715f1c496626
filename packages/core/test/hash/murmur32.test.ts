import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { murmur32Bytes } from '../../src/hash/murmur32-bytes.ts'
import { murmur32 } from '../../src/hash/murmur32.ts'

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
  it.each(KNOWN)('gives the known hash of "%s"', (text, hash) => {
    expect(murmur32(text)).toBe(hash)
  })

  it('hashes the UTF-8 of any text, lone surrogates as U+FFFD', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const bytes = new TextEncoder().encode(text)

        expect(murmur32(text)).toBe(murmur32Bytes(bytes, bytes.length))
      }),
      { numRuns: 2000 }
    )
  })
})
