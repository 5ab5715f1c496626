import { describe, expect, it } from 'vitest'
import { QueryError } from '../../src/query/index.ts'
import { valueOf } from './query-of.ts'

describe('string functions', () => {
  it.each<[string, unknown]>([
    ['CONCAT("a", "b", "c")', 'abc'],
    ['CONCAT("a", 1)', undefined],
    ['CONTAINS("abc", "B")', false],
    ['CONTAINS("abc", "B", true)', true],
    ['CONTAINS("abc", "b", 1)', undefined],
    ['CONTAINS(1, "b")', undefined],
    ['CONTAINS("abc", "")', true],
    ['STARTSWITH("abc", "ab")', true],
    ['STARTSWITH("abc", "AB", true)', true],
    ['STARTSWITH("abc", "b")', false],
    ['ENDSWITH("abc", "bc")', true],
    ['ENDSWITH("abc", "BC", false)', false],
    ['STRINGEQUALS("a", "A")', false],
    ['StringEquals("a", "A", true)', true],
    ['INDEX_OF("abcb", "b")', 1],
    ['INDEX_OF("abcb", "b", 2)', 3],
    ['INDEX_OF("abc", "x")', -1],
    ['LENGTH("abc")', 3],
    ['LENGTH(null)', undefined],
    ['LOWER("ABC")', 'abc'],
    ['UPPER("abc")', 'ABC'],
    ['LEFT("abc", 2)', 'ab'],
    ['LEFT("abc", 9)', 'abc'],
    ['LEFT("abc", -1)', ''],
    ['LEFT("abc", 1.5)', undefined],
    ['RIGHT("abc", 2)', 'bc'],
    ['RIGHT("abc", 0)', ''],
    ['RIGHT("abc", 9)', 'abc'],
    ['SUBSTRING("abcd", 1, 2)', 'bc'],
    ['SUBSTRING("abcd", 9, 2)', ''],
    ['SUBSTRING("abcd", 1, 99)', 'bcd'],
    ['TRIM("  a ")', 'a'],
    ['LTRIM("  a ")', 'a '],
    ['RTRIM("  a ")', '  a'],
    ['REPLACE("abab", "a", "x")', 'xbxb'],
    ['REPLACE("ab", "a", "$&")', '$&b'],
    ['REPLACE("ab", "", "x")', undefined],
    ['REPLICATE("ab", 3)', 'ababab'],
    ['REPLICATE("ab", -1)', undefined],
    ['REPLICATE("ab", 5001)', undefined],
    ['REPLICATE("", 1000000000)', ''],
    ['REVERSE("ab😀")', '😀ba'],
    ['STRINGSPLIT("a,b", ",")', ['a', 'b']],
    ['STRINGJOIN(["a", "b"], "-")', 'a-b'],
    ['STRINGJOIN(["a", 1], "-")', undefined],
    ['REGEXMATCH("abcd", "b.D", "i")', true],
    ['RegexMatch("abcd", "^b")', false]
  ])('%s is %j', (expression, expected) => {
    expect(valueOf(expression)).toEqual(expected)
  })

  it.each([
    ['REPLACE(@long, "a", @long)', { '@long': 'a'.repeat(100_000) }],
    ['CONCAT(@long, @long)', { '@long': 'a'.repeat(3_000_000) }],
    ['@long || @long', { '@long': 'a'.repeat(3_000_000) }],
    ['STRINGJOIN(StringSplit(@long, "a"), @long)', { '@long': 'a'.repeat(100_000) }]
  ])('refuse to create a string that is too long for an answer: %s', (expression, parameters) => {
    expect(() => valueOf(expression, {}, parameters)).toThrow(QueryError)
  })
})

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

  it('return undefined for JSON that is nested deeper than an item can be', () => {
    expect(valueOf('STRINGTOARRAY(@text)', {}, { '@text': '['.repeat(50_000) + ']'.repeat(50_000) })).toBeUndefined()
  })
})
