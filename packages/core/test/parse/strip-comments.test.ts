import { describe, expect, test } from 'vitest'
import { stripComments } from '../../src/parse/strip-comments.ts'

describe('stripComments', () => {
  test.each([
    ['{"a":1} // end', '{"a":1}       '],
    ['{/* one\n two */"a":1}', '{      \n       "a":1}'],
    ['{"a":"// no","b":"/* no */"}', '{"a":"// no","b":"/* no */"}'],
    [String.raw`{"a":"\"// no"}//`, String.raw`{"a":"\"// no"}  `],
    ['{"a":1}/* open', '{"a":1}       '],
    ['{"a":"open // no', '{"a":"open // no']
  ])('makes %j into %j', (text, stripped) => {
    expect(stripComments(text)).toBe(stripped)
  })
})
