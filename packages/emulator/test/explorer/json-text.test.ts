import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { elementsOf, indented, userText } from '../../src/explorer/client/json-text.ts'
import { keyHeader, keyOf, NO_VALUE, parseKeyInput } from '../../src/explorer/client/key-text.ts'

describe('the JSON that the explorer shows', () => {
  it('has the same value when it is indented, for any value and any spaces', () => {
    fc.assert(
      fc.property(fc.json(), fc.integer({ min: 0, max: 3 }), (text, spaces) => {
        const spaced = JSON.stringify(JSON.parse(text), null, spaces)
        expect(JSON.stringify(JSON.parse(indented(spaced)))).toBe(JSON.stringify(JSON.parse(text)))
      })
    )
  })

  it('keeps all digits of numbers, and names such as __proto__', () => {
    const text = '{"id":"1","big":12345678901234567890.10,"__proto__":{"a":1e400},"e":[],"o":{}}'

    expect(indented(text)).toBe(
      '{\n  "id": "1",\n  "big": 12345678901234567890.10,\n  "__proto__": {\n    "a": 1e400\n  },\n  "e": [],\n  "o": {}\n}'
    )
  })

  it('has no system properties, but keeps properties of the user whose values look the same', () => {
    const document =
      '{"id":"1","a":{"_rid":1},"t":"\\"_ts\\":5,}","_rid":"x","_self":"y","_etag":"\\"z\\"","_attachments":"a/","_ts":5}'

    expect(userText(document)).toBe('{"id":"1","a":{"_rid":1},"t":"\\"_ts\\":5,}"}')
  })

  it('splits a page into the texts of its documents', () => {
    fc.assert(
      fc.property(fc.array(fc.json()), (texts) => {
        expect(
          elementsOf(`{"_rid":"Documents","Documents":[${texts.join(' ,')}],"_count":${texts.length}}`, 'Documents')
        ).toEqual(texts.map((text) => text.trim()))
      })
    )
  })
})

describe('a key in the explorer', () => {
  it.each([
    ['device-7', 'device-7'],
    ['5', 5],
    ['"5"', '5'],
    ['null', null],
    ['true', true],
    [' ', NO_VALUE]
  ])('is read from the input %j as %j', (input, value) => {
    expect(parseKeyInput(input)).toBe(value)
  })

  it('is ASCII in its header, and the same value', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(fc.string({ unit: 'binary', maxLength: 8 }), fc.double({ noNaN: true, noDefaultInfinity: true }))
        ),
        (values) => {
          const header = keyHeader(values)
          expect(header).toMatch(/^[\x20-\x7e]*$/)
          expect(JSON.stringify(JSON.parse(header))).toBe(JSON.stringify(values))
        }
      )
    )
  })

  it('has escapes for each character outside of ASCII in its header', () => {
    expect(keyHeader(['\u007f\u00fc\u20ac'])).toBe(String.raw`["\u007f\u00fc\u20ac"]`)
  })

  it('keeps -0 and undefined, which are keys of their own', () => {
    expect(keyHeader([-0, undefined, 0])).toBe('[-0,{},0]')
  })

  it('is read from the own properties of a document only', () => {
    const paths = [['constructor'], ['a', 'b'], ['o']]

    expect(keyOf(JSON.parse('{"a":{"b":1},"o":{"x":1}}'), paths)).toEqual([undefined, 1, undefined])
    expect(keyOf(JSON.parse('{"__proto__":{"b":2}}'), [['__proto__', 'b']])).toEqual([2])
  })
})
