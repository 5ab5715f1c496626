import { describe, expect, it } from 'vitest'

import { DecodeFailure } from '../../src/decode/decode-failure.ts'
import { JsonTarget } from '../../src/decode/json/json-target.ts'
import { documentOfBytes, documentOfText } from '../../src/decode/decoder.ts'

const textOf = (given: string | Uint8Array): string => String(documentOfText(Buffer.from(given), new JsonTarget()))

describe('a string', () => {
  it.each(['{}', ' {"a":1}\n', '{"a":{"b":"}"}}'])(
    'becomes the document as is when it is a JSON object: %s',
    (json) => {
      expect(textOf(json)).toBe(json)
    }
  )

  it.each([
    '',
    'hello',
    '"quoted"',
    '[1]',
    '5',
    'null',
    '{"a":1',
    '{hello}',
    '{"a":1} {"b":2}',
    'é"\\\n',
    `{"a":${'['.repeat(10_000)}`
  ])('is wrapped in a JSON object when it is not a JSON object: %s', (text) => {
    expect(textOf(text)).toBe(JSON.stringify({ value: text }))
  })

  it('loses its byte order mark', () => {
    expect(textOf('\ufeff{"a":1}')).toBe('{"a":1}')
    expect(textOf('\ufeffhello')).toBe('{"value":"hello"}')
  })

  it('is refused when it is not UTF-8', () => {
    expect(() => textOf(Uint8Array.of(0x7b, 0x22, 0xff, 0x22, 0x7d))).toThrow(DecodeFailure)
  })
})

describe('bytes', () => {
  it('are converted to base64 and wrapped in a JSON object', () => {
    expect(String(documentOfBytes(Uint8Array.of(0, 255, 1), new JsonTarget()))).toBe('{"value":"AP8B"}')
  })
})
