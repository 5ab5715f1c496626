import { describe, expect, test } from 'vitest'
import { parseInstant, parseIsoTime } from '../../src/time/iso-time.ts'

describe('parseIsoTime', () => {
  test('reads the form that programs write most often as it reads any other form', () => {
    for (let each = 0; each < 20_000; each++) {
      // a step that is no divisor of a day, from year 1 to beyond 2100
      const instant = Date.UTC(2000, 0, 1) + (each - 10_000) * 333_337 * 97 * 97
      const text = new Date(instant).toISOString()
      if (text.length !== 24) continue
      expect(parseInstant(text)).toBe(instant)
      expect(parseIsoTime(text)).toEqual(parseIsoTime(text.replace('T', ' ')))
      expect(parseInstant(`${text.slice(0, 19)}Z`)).toBe(parseInstant(`${text.slice(0, 19)}+00`))
    }
  })

  test.each([
    '2018-02-29T07:15:30Z',
    '2018-13-01T07:15:30Z',
    '2018-00-01T07:15:30Z',
    '2018-08-09T24:15:30Z',
    '2018-08-09T07:60:30Z',
    '2018-08-09T07:15:60Z',
    '2018-08-09T07:15:30.12xZ',
    '2018-08-09T07:15:3 .125Z',
    '2018-08-0:T07:15:30.125Z',
    '2018/08/09T07:15:30.125Z',
    '2018-08-09T07:15:30.125X'
  ])('rejects %s', (text) => {
    expect(parseIsoTime(text)).toBeUndefined()
  })

  test('reads a valid time after an invalid one of the same day', () => {
    expect(parseInstant('2018-08-09T07:15:30Z')).toBe(Date.UTC(2018, 7, 9, 7, 15, 30))
    expect(parseInstant('2018-08-32T07:15:30Z')).toBeUndefined()
    expect(parseInstant('2018-08-09T07:15:31Z')).toBe(Date.UTC(2018, 7, 9, 7, 15, 31))
  })
})
