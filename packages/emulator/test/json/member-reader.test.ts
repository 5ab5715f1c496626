import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MemberReader } from '../../src/json/member-reader.ts'

/** Reads properties of an object that is written between other bytes. */
function read(object: object, names: readonly string[]): Record<string, unknown> {
  const text = JSON.stringify(object)
  const bytes = Buffer.from(`{"other":"x"}${text}{"other":"y"}`)
  const record: Record<string, unknown> = {}
  new MemberReader(names).read(bytes, 13, Buffer.byteLength(text) === text.length, record)
  return record
}

function isPlain(name: string): boolean {
  return !(name in Object.prototype)
}

describe('a reader of properties', () => {
  it('gives the same values as JSON.parse for any object and any names', () => {
    const names = fc.oneof(fc.constantFrom('a', 'b', 'pk', 'a"b', 'é', '10'), fc.string()).filter(isPlain)
    const object = fc.dictionary(names, fc.jsonValue({ stringUnit: 'binary' }), { noNullPrototype: true })
    fc.assert(
      fc.property(object, fc.uniqueArray(names, { maxLength: 5 }), (value, asked) => {
        const parsed = JSON.parse(JSON.stringify(value)) as Record<string, unknown>
        expect(read(value, asked)).toEqual(Object.fromEntries(asked.map((name) => [name, parsed[name]])))
      })
    )
  })

  it('gives the same numbers as JSON.parse', () => {
    const number = fc.oneof(
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.integer(),
      fc.integer().map((value) => value / 1000)
    )
    fc.assert(
      fc.property(number, (n) => {
        expect(read({ n }, ['n'])['n']).toBe(JSON.parse(JSON.stringify(n)))
      })
    )
  })

  it.each([
    ['a long string before it', { long: 'x'.repeat(500), n: 1 }],
    ['quotes and backslashes before it', { long: `${'x'.repeat(40)}\\"${'y'.repeat(40)}\\`, n: 1 }],
    ['a string of backslashes before it', { long: '\\'.repeat(99), n: 1 }],
    ['the same name in an object before it', { deep: [{ n: 2, s: ']}' }], n: 1 }],
    ['the same name as a value before it', { other: 'n', n: 1 }]
  ])('finds a property with %s', (_, object) => {
    expect(read(object, ['n'])).toEqual({ n: 1 })
  })

  it('gives undefined for absent properties, also of an empty object', () => {
    expect(read({}, ['a'])).toStrictEqual({ a: undefined })
    expect(read({ b: 1 }, ['a'])).toStrictEqual({ a: undefined })
  })

  it('does not keep values of the last object', () => {
    const reader = new MemberReader(['a'])
    const record: Record<string, unknown> = {}
    reader.read(Buffer.from('{"a":1}'), 0, true, {})
    reader.read(Buffer.from('{"b":1}'), 0, true, record)

    expect(record['a']).toBeUndefined()
  })
})
