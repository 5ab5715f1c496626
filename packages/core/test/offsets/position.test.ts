import { describe, expect, it } from 'vitest'
import { toPosition } from '../../src/offsets/settled-prefix.ts'

describe('toPosition', () => {
  it.each([
    [0, 0],
    ['0', 0],
    ['9007199254740990', 9007199254740990],
    [9007199254740990n, 9007199254740990],
    [12n, 12]
  ])('accepts %s', (value, position) => {
    expect(toPosition(value)).toBe(position)
  })

  it.each([
    -1,
    1.5,
    Number.NaN,
    2 ** 53,
    9007199254740991n,
    9007199254740993n,
    -1n,
    '-1',
    '',
    ' 1',
    '1e3',
    '9007199254740993',
    'x'
  ])('refuses %s', (value) => {
    expect(() => toPosition(value)).toThrow(expect.objectContaining({ code: 'INVARIANT_BROKEN' }))
  })
})
