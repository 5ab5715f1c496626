import { describe, expect, it } from 'vitest'
import { createIdMaker, inputId, withId } from '../src/record-id.ts'

describe('createIdMaker', () => {
  it('returns undefined if `id` is not set, and throws for an unknown value', () => {
    expect(createIdMaker(undefined)).toBeUndefined()
    expect(() => createIdMaker('uuid')).toThrow(/`id` must be/)
    expect(() => createIdMaker('field:')).toThrow(/`id` must be/)
  })

  it('with `hash` makes the same id from the same content, and another id from other content', () => {
    const make = createIdMaker('hash')!
    const one = make(Buffer.from('{"a":1}'), 'x', 1)

    expect(make(Buffer.from('{"a":1}'), 'y', 2)).toBe(one)
    expect(make(Buffer.from('{"a":2}'), 'x', 1)).not.toBe(one)
  })

  it('with `position` makes ids from the name of the input, without invalid characters, and line numbers from 1', () => {
    const make = createIdMaker('position')!

    expect(make(Buffer.from('{}'), 'data/a b#1.ndjson', 0)).toBe('data_a_b_1.ndjson-1')
    expect(inputId('-')).toBe('stdin')
  })

  it('with `field:` uses the canonical text of a field as the id, and rejects a record without this field', () => {
    const make = createIdMaker('field:/a/b')!

    expect(make(Buffer.from('{"a":{"b":1.50}}'), 'x', 0)).toBe('1.5')
    expect(make(Buffer.from('{"unused":1,"a":{"b":"x"}}'), 'x', 0)).toBe('x')
    expect(make(Buffer.from('{"a":{}}'), 'x', 0)).toMatchObject({ ok: false, code: 'FIELD_MISSING', path: '/a/b' })
  })
})

describe('withId', () => {
  it.each([
    ['{}', { id: 'x"y' }],
    ['  { }  ', { id: 'x"y' }],
    ['{"a":1}', { id: 'x"y', a: 1 }],
    [' {\t"a" : [1] }', { id: 'x"y', a: [1] }]
  ])('inserts the id into %s', (text, record) => {
    expect(JSON.parse(withId(Buffer.from(text), 'x"y').toString())).toEqual(record)
  })
})
