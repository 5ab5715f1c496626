import { describe, expect, it } from 'vitest'
import { QueryError } from '../../src/query/index.ts'
import { valueOf } from './query-of.ts'

describe('array functions', () => {
  it.each<[string, unknown]>([
    ['ARRAY_CONCAT([1], [2, 3], [])', [1, 2, 3]],
    ['ARRAY_CONCAT([1], 2)', undefined],
    ['ARRAY_CONTAINS([1, {a: 1, b: 2}], {b: 2, a: 1})', true],
    ['ARRAY_CONTAINS([1, {a: 1, b: 2}], {a: 1})', false],
    ['ARRAY_CONTAINS([1, {a: 1, b: 2}], {a: 1}, true)', true],
    ['ARRAY_CONTAINS([{a: 2}], {a: 1}, true)', false],
    ['ARRAY_CONTAINS([1], 1, true)', true],
    ['ARRAY_CONTAINS([1], "1")', false],
    ['ARRAY_CONTAINS(1, 1)', undefined],
    ['ARRAY_CONTAINS([1], undefined)', undefined],
    ['ARRAY_CONTAINS_ANY([1, 2], 3, 2)', true],
    ['ARRAY_CONTAINS_ANY([1, 2], 3, 4)', false],
    ['ARRAY_CONTAINS_ALL([1, 2], 2, 1)', true],
    ['ARRAY_CONTAINS_ALL([1, 2], 2, 3)', false],
    ['ARRAY_LENGTH([1, 2])', 2],
    ['ARRAY_LENGTH("ab")', undefined],
    ['ARRAY_SLICE([1, 2, 3, 4], 1)', [2, 3, 4]],
    ['ARRAY_SLICE([1, 2, 3, 4], 1, 2)', [2, 3]],
    ['ARRAY_SLICE([1, 2, 3, 4], -2, 1)', [3]],
    ['ARRAY_SLICE([1, 2], -9, 1)', [1]],
    ['ARRAY_SLICE([1, 2], 5)', []],
    ['ARRAY_SLICE([1, 2], 0, -1)', []],
    ['ARRAY_SLICE([1, 2], 0.5)', undefined],
    ['SETINTERSECT([1, 2, 2, {a: 1}], [2, {a: 1}])', [2, { a: 1 }]],
    ['SETUNION([1, 2], [2, 3])', [1, 2, 3]],
    ['OBJECTTOARRAY({a: 1})', [{ k: 'a', v: 1 }]]
  ])('%s is %j', (expression, expected) => {
    expect(valueOf(expression)).toEqual(expected)
  })

  it('refuse to create an array that is too large for the memory', () => {
    const call = `ARRAY_CONCAT(${Array.from({ length: 900 }, () => 'c.list').join(', ')})`

    expect(() => valueOf(call, { list: Array.from({ length: 100_000 }, () => 0) })).toThrow(QueryError)
  })
})
