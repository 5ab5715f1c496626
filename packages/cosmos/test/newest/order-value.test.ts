import { describe, expect, it } from 'vitest'
import { compareValues, orderValue } from '../../src/newest/order-value.ts'

describe('orderValue', () => {
  it.each([
    [5, 5],
    [-0, 0],
    [1.5, 1.5],
    ['12', 12],
    ['-7', -7],
    ['0042', 42],
    ['9007199254740993', '9007199254740993'],
    ['-9007199254740993', '-9007199254740993'],
    ['2018-08-09T07:15:30Z', '2018-08-09T07:15:30.000000000Z'],
    ['2018-08-09T09:15:30.5+02:00', '2018-08-09T07:15:30.500000000Z'],
    ['2018-08-09T07:15:30.123456789Z', '2018-08-09T07:15:30.123456789Z'],
    ['2018-08-09', '2018-08-09T00:00:00.000000000Z'],
    ['0000-01-01T00:30:00+01:00', undefined],
    ['9999-12-31T23:59:59-01:00', undefined]
  ])('has a canonical form for %j: %j', (value, canonical) => {
    expect(orderValue(value)).toBe(canonical)
    expect(orderValue(canonical)).toBe(canonical)
  })

  it.each([
    2 ** 53,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    '',
    ' 5',
    '1.5',
    '1e3',
    'soon',
    true,
    null,
    undefined,
    {},
    [1]
  ])('is undefined for %j', (value) => {
    expect(orderValue(value)).toBeUndefined()
  })
})

describe('compareValues', () => {
  it('orders numbers, large integers and times', () => {
    const numbers = [
      '-99999999999999999999',
      '-9007199254740993',
      -5,
      0,
      1.5,
      9_007_199_254_740_991,
      '9007199254740993'
    ]
    const times = ['2018-08-09T07:15:30.123456788Z', '2018-08-09T07:15:30.123456789Z', '2018-08-10', '9000-01-01']
    for (const values of [numbers, times].map((list) => list.map((value) => orderValue(value)!))) {
      for (const [one, value] of values.entries()) {
        for (const [other, otherValue] of values.entries())
          expect(Math.sign(compareValues(value, otherValue)!), `${value} ${otherValue}`).toBe(Math.sign(one - other))
      }
    }
  })

  it('does not compare a time with a number', () => {
    expect(compareValues(5, orderValue('2018-08-09')!)).toBeUndefined()
    expect(compareValues(orderValue('2018-08-09')!, '9007199254740993')).toBeUndefined()
  })
})
