import { describe, expect, it } from 'vitest'

import { DecodeFailure } from '../../../src/decode/decode-failure.ts'
import { JsonTarget } from '../../../src/decode/json/json-target.ts'

function write(target: JsonTarget, text: string): Buffer {
  target.begin()
  target.writeAscii(text)
  return target.end()
}

describe('documents written one after the other', () => {
  it('do not change while later documents are written, even across blocks', () => {
    const target = new JsonTarget()
    const texts = Array.from({ length: 300 }, (_, index) => `${index}`.repeat(500))

    const documents = texts.map((text) => write(target, text))

    expect(documents.map(String)).toEqual(texts)
  })

  it('do not include a document that was begun but not ended', () => {
    const target = new JsonTarget()
    const first = write(target, 'first')

    target.begin()
    target.writeAscii('abandoned')

    expect(String(write(target, 'second'))).toBe('second')
    expect(String(first)).toBe('first')
  })

  it('do not keep the block of a large document alive', () => {
    const target = new JsonTarget()
    write(target, 'x'.repeat(3_000_000))

    const small = write(target, 'small')

    expect(small.buffer.byteLength).toBeLessThan(1_000_000)
  })
})

describe('a document above a limit', () => {
  it('is refused, and the next document is written', () => {
    const target = new JsonTarget()

    expect(() => write(target, 'x'.repeat(17 * 1024 * 1024))).toThrow(DecodeFailure)

    expect(String(write(target, 'next'))).toBe('next')
  })

  it('is refused if it has more than 128 levels', () => {
    const target = new JsonTarget()
    target.begin()
    for (let level = 0; level < 128; level++) target.enter()

    expect(() => target.enter()).toThrow('128 levels')
  })
})
