import { describe, expect, it } from 'vitest'
import { valueOf } from '../query-of.ts'

describe('conversion functions', () => {
  it.each<[string, unknown]>([
    ['TOSTRING(1.5)', '1.5'],
    ['TOSTRING("a")', 'a'],
    ['TOSTRING(true)', 'true'],
    ['TOSTRING(null)', 'null'],
    ['TOSTRING([1, "a"])', '[1,"a"]'],
    ['TOSTRING({a: 1})', '{"a":1}'],
    ['TOSTRING(undefined)', undefined],
    ['STRINGTONUMBER(" -1.5e2 ")', -150],
    ['STRINGTONUMBER("0x10")', undefined],
    ['STRINGTONUMBER("")', undefined],
    ['STRINGTONUMBER("NaN")', undefined],
    ['STRINGTONUMBER("1e999")', undefined],
    ['STRINGTOBOOLEAN(" true")', true],
    ['STRINGTOBOOLEAN("false")', false],
    ['STRINGTOBOOLEAN("True")', undefined],
    ['STRINGTONULL("null")', null],
    ['STRINGTONULL("NULL")', undefined],
    ['STRINGTOARRAY("[1, {}]")', [1, {}]],
    ['STRINGTOARRAY("{}")', undefined],
    ['STRINGTOARRAY("[")', undefined],
    ['STRINGTOOBJECT("{\\"a\\":1}")', { a: 1 }],
    ['STRINGTOOBJECT("[]")', undefined]
  ])('%s is %j', (expression, expected) => {
    expect(valueOf(expression)).toEqual(expected)
  })

  it('makes nothing of JSON that nests deeper than an item may', () => {
    expect(valueOf('STRINGTOARRAY(@text)', {}, { '@text': '['.repeat(50_000) + ']'.repeat(50_000) })).toBeUndefined()
  })
})
