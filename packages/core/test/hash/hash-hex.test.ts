import { describe, expect, it } from 'vitest'
import { hashHex } from '../../src/hash/hash-hex.ts'

describe('hashHex', () => {
  // published results of MurmurHash3 x64-128, seed 0, written as h1 then h2
  it.each([
    ['', '00000000000000000000000000000000'],
    ['hello', 'cbd8a7b341bd9b025b1e906a48ae1d19'],
    ['The quick brown fox jumps over the lazy dog', 'e34bbc7bbc071b6c7a433ca9c49a9347']
  ])('gives h2 and then h1 of "%s"', (text, published) => {
    expect(hashHex(text)).toBe(published.slice(16) + published.slice(0, 16))
  })

  it('hashes the UTF-8 of a text, to its last character', () => {
    expect(hashHex('日本語')).not.toBe(hashHex('日本誟'))
    expect(hashHex('😀'.repeat(5000))).toMatch(/^[0-9a-f]{32}$/)
  })
})
