import { describe, expect, it } from 'vitest'
import { isBinaryJson, parseBinaryJson } from '../../src/json/binary-json.ts'

const BINARY: readonly (readonly [string, string, unknown])[] = [
  ['null', 'd0', null],
  ['false', 'd1', false],
  ['true', 'd2', true],
  ['a small integer in its marker', '1f', 31],
  ['an unsigned byte', 'c8 ff', 255],
  ['two bytes', 'c9 18 fc', -1000],
  ['four bytes', 'ca 70 11 01 00', 70_000],
  ['eight bytes', 'cb 00 0e fa d5 fe ff ff ff', -5_000_000_000],
  ['eight unsigned bytes', 'c7 00 00 00 00 00 01 00 00', 1_099_511_627_776],
  ['a double', 'cc 00 00 00 00 00 00 0c 40', 3.5],
  ['a float', 'cd 00 00 c0 3f', 1.5],
  ['a system string by its number', '2c', 'id'],
  ['an empty string', '80', ''],
  ['a short string', '83 c3 a9 61', 'éa'],
  ['a string with one byte of length', 'c0 02 68 69', 'hi'],
  ['a string with two bytes of length', 'c1 02 00 68 69', 'hi'],
  ['a string with four bytes of length', 'c2 02 00 00 00 68 69', 'hi'],
  ['a reference to an earlier string', 'e2 05 82 68 69 c3 03', ['hi', 'hi']],
  ['a UUID in digits', '75 10 32 54 76 98 ba dc fe 10 32 54 76 98 ba dc fe', '01234567-89ab-cdef-0123-456789abcdef'],
  ['hexadecimal digits', '78 03 a1 0b', '1ab'],
  ['a date', '7a 04 13 53', '2024'],
  ['characters of four bits', '7b 02 30 21', '12'],
  ['characters of seven bits', '7e 02 c8 34', 'Hi'],
  ['base64 with padding', '71 01 01 66 6f', 'Zm8='],
  ['base64 without padding', '73 01 fe 66 6f', 'Zm8'],
  ['bytes', 'dd 02 66 6f', 'Zm8='],
  ['an empty array', 'e0', []],
  ['an array of one', 'e1 d2', [true]],
  ['an array with its length', 'e2 02 00 01', [0, 1]],
  ['an array with length and count', 'e5 02 02 00 01', [0, 1]],
  ['bytes in an array', 'f0 d7 02 0a 14', [10, 20]],
  [
    'a table of numbers',
    'f2 f0 d7 02 02 01 02 03 04',
    [
      [1, 2],
      [3, 4]
    ]
  ],
  ['an empty object', 'e8', {}],
  ['an object of one', 'e9 2c d2', { id: true }],
  ['an object with its length', 'ea 04 2c 00 3b 01', { id: 0, type: 1 }],
  ['an object with length and count', 'ee 04 00 02 00 2c 00 3b 01', { id: 0, type: 1 }]
]

function bytes(hex: string): Buffer {
  return Buffer.from(`80${hex.replaceAll(' ', '')}`, 'hex')
}

describe('binary JSON', () => {
  it.each(BINARY)('can contain %s', (_, hex, value) => {
    expect(parseBinaryJson(bytes(hex))).toEqual(value)
  })

  it('begins with a byte that is never the first byte of JSON text', () => {
    expect(isBinaryJson(bytes('d0'))).toBe(true)
    expect(isBinaryJson(Buffer.from('{}'))).toBe(false)
    expect(isBinaryJson(Buffer.alloc(0))).toBe(false)
  })

  it('may have a property named __proto__', () => {
    const value = parseBinaryJson(bytes(`e9 89 ${Buffer.from('__proto__').toString('hex')} e8`))

    expect(Object.keys(value as object)).toEqual(['__proto__'])
  })

  it.each([
    ['no bytes', ''],
    ['an unknown marker', '70'],
    ['a string that ends too early', 'c0 05 68'],
    ['bytes after the value', 'd0 d0'],
    ['a wrong count', 'e5 02 03 00 01'],
    ['a length that ends inside an entry', 'e2 01 c9 00 00'],
    ['a property without a name', 'e9 01 01'],
    ['a reference to itself', 'c3 01'],
    ['a reference to a number', 'e2 04 c8 05 c3 03'],
    ['text that is not UTF-8', '81 ff'],
    ['NaN as a number', 'cc 00 00 00 00 00 00 f8 7f'],
    ['an array of numbers that has a string', 'f0 80 01']
  ])('is refused with 400 when it has %s', (_, hex) => {
    expect(() => parseBinaryJson(bytes(hex))).toThrow(expect.objectContaining({ status: 400 }))
  })

  it('is refused when it is nested too deeply', () => {
    expect(() => parseBinaryJson(bytes(`${'e1'.repeat(1000)}00`))).toThrow(/too deep/)
  })

  it('is refused if back references expand it too much', () => {
    const long = 'a'.repeat(60_000)
    const text = `c1 ${Buffer.from([0x60, 0xea]).toString('hex')} ${Buffer.from(long).toString('hex')}`
    const references = 'c302'.repeat(2000)
    const length = Buffer.alloc(4)
    length.writeUInt32LE(3 + long.length + 4000)
    // the array begins with five bytes, so its first string is at the sixth
    const body = bytes(`e4 ${length.toString('hex')} ${text} ${references.replaceAll('c302', 'c306')}`)

    expect(() => parseBinaryJson(body)).toThrow(/repeat too much/)
  })
})
