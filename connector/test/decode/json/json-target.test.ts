import { describe, expect, it } from 'vitest'

import { DecodeFailure } from '../../../src/decode/decode-failure.ts'
import { JsonTarget } from '../../../src/decode/json/json-target.ts'

function write(target: JsonTarget, text: string): Buffer {
  target.begin()
  target.writeAscii(text)
  return target.end()
}

describe('documents written one behind the other', () => {
  it('stay as they are while others are written, across blocks', () => {
    const target = new JsonTarget()
    const texts = Array.from({ length: 300 }, (_, index) => `${index}`.repeat(500))

    const documents = texts.map((text) => write(target, text))

    expect(documents.map(String)).toEqual(texts)
  })

  it('forget one that was begun and not ended', () => {
    const target = new JsonTarget()
    const first = write(target, 'first')

    target.begin()
    target.writeAscii('abandoned')

    expect(String(write(target, 'second'))).toBe('second')
    expect(String(first)).toBe('first')
  })

  it('do not live in the room that a large one needed', () => {
    const target = new JsonTarget()
    write(target, 'x'.repeat(3_000_000))

    const small = write(target, 'small')

    expect(small.buffer.byteLength).toBeLessThan(1_000_000)
  })
})

describe('what is too much', () => {
  it('is refused, and what comes next is written', () => {
    const target = new JsonTarget()

    expect(() => write(target, 'x'.repeat(17 * 1024 * 1024))).toThrow(DecodeFailure)

    expect(String(write(target, 'next'))).toBe('next')
  })

  it('is a level beyond 128', () => {
    const target = new JsonTarget()
    target.begin()
    for (let level = 0; level < 128; level++) target.enter()

    expect(() => target.enter()).toThrow('128 levels')
  })
})
