import { expect, it, test } from 'vitest'
import fc from 'fast-check'
import { escapePointerToken, formatPointer, parsePointer, unescapePointerToken } from '../../src/text/pointer.ts'

it('parsePointer returns every list of names that formatPointer has written', () => {
  fc.assert(
    fc.property(fc.array(fc.string(), { minLength: 1 }), (names) => {
      expect(parsePointer(formatPointer(names))).toEqual(names)
    })
  )
})

test.each(['', 'a', 'a/b', '/a~', '/a~2b'])(
  'parsePointer returns undefined for %j, which is not a pointer into a record',
  (text) => {
    expect(parsePointer(text)).toBeUndefined()
  }
)

it('escapePointerToken and unescapePointerToken handle the two special characters of a pointer', () => {
  expect(escapePointerToken('a/b~1')).toBe('a~1b~01')
  expect(unescapePointerToken('a~1b~01')).toBe('a/b~1')
})
