import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DecodeFailure } from '../../../src/decode/decode-failure.ts'
import { writeBase64, writeText } from '../../../src/decode/json/write-text.ts'
import { written } from './written.ts'

function text(bytes: Uint8Array, start = 0, end = bytes.length): string {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  return written((target) => writeText(target, bytes, view, start, end))
}

const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme' }),
  fc
    .array(fc.constantFrom('a', '"', '\\', '\n', '\u0001', '\u007f', 'é', '日', '😀', '!', '#', ' '))
    .map((parts) => parts.join(''))
)

describe('a string', () => {
  it('is written as JSON.stringify writes it', () => {
    fc.assert(
      fc.property(anyText, (given) => {
        expect(text(Buffer.from(given))).toBe(JSON.stringify(given))
      }),
      { numRuns: 2000 }
    )
  })

  it('is written as JSON.stringify writes it, for each character at each position in a word', () => {
    for (let code = 0; code < 0x200; code++) {
      for (let before = 0; before < 9; before++) {
        const given = `${'x'.repeat(before)}${String.fromCharCode(code)}tail`
        expect(text(Buffer.from(given))).toBe(JSON.stringify(given))
      }
    }
  })

  it('is read from `start` to `end` only, although other bytes surround it', () => {
    expect(text(Buffer.from('"""inside"""'), 3, 9)).toBe('"inside"')
  })

  it('can be longer than a block, even with escapes', () => {
    const given = '\u0001"é'.repeat(60_000)

    expect(text(Buffer.from(given))).toBe(JSON.stringify(given))
  })

  it.each([
    [[0xff]],
    [[0xff, 0x61, 0x61, 0x61]],
    [[0xc3]],
    [[0x61, 0x62, 0x63, 0x64, 0xe2, 0x82]],
    [[0x22, 0xc0, 0x80]],
    [[0xed, 0xa0, 0x80]]
  ])('is refused when it is not UTF-8: %j', (bytes) => {
    expect(() => text(Uint8Array.from(bytes))).toThrow(DecodeFailure)
  })
})

it('writeBase64 writes the same base64 as Buffer, from any position', () => {
  fc.assert(
    fc.property(fc.uint8Array(), fc.nat(3), (bytes, before) => {
      const all = Buffer.concat([Buffer.alloc(before, 1), bytes, Buffer.alloc(2, 7)])
      const base64 = written((target) => writeBase64(target, all, before, before + bytes.length))
      expect(base64).toBe(`"${Buffer.from(bytes).toString('base64')}"`)
    })
  )
})
