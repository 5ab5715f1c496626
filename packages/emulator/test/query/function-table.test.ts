import { describe, expect, it } from 'vitest'
import { valueOf } from './query-of.ts'

const VALUES = ['undefined', 'null', 'true', '1', '1.5', '"a"', '[]', '{}']

describe('type functions', () => {
  it.each<[string, string[]]>([
    ['IS_DEFINED', ['null', 'true', '1', '1.5', '"a"', '[]', '{}']],
    ['IS_NULL', ['null']],
    ['IS_BOOL', ['true']],
    ['IS_BOOLEAN', ['true']],
    ['IS_NUMBER', ['1', '1.5']],
    ['IS_FINITE_NUMBER', ['1', '1.5']],
    ['IS_INTEGER', ['1']],
    ['IS_STRING', ['"a"']],
    ['IS_ARRAY', ['[]']],
    ['IS_OBJECT', ['{}']],
    ['IS_PRIMITIVE', ['null', 'true', '1', '1.5', '"a"']]
  ])('%s is true for %j and false for all other values', (name, expected) => {
    expect(VALUES.filter((value) => valueOf(`${name}(${value})`) === true)).toEqual(expected)
    expect(VALUES.filter((value) => valueOf(`${name}(${value})`) === false)).toEqual(
      VALUES.filter((value) => !expected.includes(value))
    )
  })
})

describe('choice functions', () => {
  it.each<[string, unknown]>([
    ['IIF(true, 1, 2)', 1],
    ['IIF(false, 1, 2)', 2],
    ['IIF(1, 1, 2)', 2],
    ['CHOOSE(1, "a", "b")', 'a'],
    ['CHOOSE(2, "a", "b")', 'b'],
    ['CHOOSE(3, "a", "b")', undefined],
    ['CHOOSE(0, "a", "b")', undefined]
  ])('%s is %j', (expression, expected) => {
    expect(valueOf(expression)).toEqual(expected)
  })
})
