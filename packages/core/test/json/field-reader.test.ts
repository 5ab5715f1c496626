import { describe, expect, it } from 'vitest'
import { createFieldReader } from '../../src/json/field-reader.ts'

const fields = createFieldReader([['a'], ['b', 'c'], ['d']])

/** Scans the first value of a string, in the middle of a larger buffer. */
function scan(text: string): { readonly end: number; readonly bytes: Uint8Array } {
  const whole = new TextEncoder().encode(`}}${text}}}`)
  const bytes = whole.subarray(2, whole.length - 2)
  return { end: fields.scan(bytes, 0, bytes.length), bytes }
}

describe('a field reader', () => {
  it('finds the end of the first value, and its fields', () => {
    const text = '{"a":"ü","b":{"c":12.5},"d":[1]},{"a":2}'
    const { end, bytes } = scan(text)

    expect(end).toBe(new TextEncoder().encode('{"a":"ü","b":{"c":12.5},"d":[1]}').length)
    expect([fields.text(0), fields.text(1)]).toEqual(['ü', undefined])
    expect([fields.number(0), fields.number(1)]).toEqual([undefined, 12.5])
    expect([0, 1, 2].map(fields.component)).toEqual(['ü', 12.5, undefined])
    expect(new TextDecoder().decode(bytes.subarray(fields.startOf(2), fields.endOf(2)))).toBe('[1]')
  })

  it('knows which fields a value does not have, and forgets those of the value before', () => {
    scan('{"a":1,"d":2}')
    scan('{"d":null}')

    expect([0, 1, 2].map(fields.has)).toEqual([false, false, true])
    expect([0, 1, 2].map(fields.component)).toEqual([undefined, undefined, null])
  })

  it('reads strings of all lengths', () => {
    const text = Array.from({ length: 80 }, (_, index) => String.fromCharCode(0x30 + index))
      .join('')
      .replace('\\', '/')
    for (let length = 0; length <= 80; length++) {
      scan(JSON.stringify({ a: text.slice(0, length) }))

      expect(fields.component(0)).toBe(text.slice(0, length))
    }
  })

  it('reads an integer beyond those of a double as the nearest double', () => {
    scan('{"a":9007199254740993}')

    expect(fields.component(0)).toBe(9007199254740992)
  })

  it('returns a negative number for a value that is not valid or has no end', () => {
    for (const text of ['{"a":}', '{"a":{"b":1', '{"a":"}', '{a:1}', '{"a":1,}'])
      expect(scan(`${text}}`).end).toBeLessThan(0)
  })
})
