import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { DecodeFailure } from '../../../src/decode/decode-failure.ts'
import { writeDate, writeTimeOfDay, writeTimestamp } from '../../../src/decode/json/write-time.ts'
import { written } from './written.ts'

const DAY_MS = 86_400_000
const date = (days: number): string => written((target) => writeDate(target, days))
const timestamp = (value: number | bigint, digits: 3 | 6 | 9, isUtc = true): string =>
  written((target) => writeTimestamp(target, value, digits, isUtc))

describe('a date', () => {
  it('is written as Date writes it, on every fourth day of 400 years and at the ends of the four-digit years', () => {
    const days = [
      ...Array.from({ length: 36_525 }, (_, day) => 4 * day - 73_000),
      -719_528,
      -719_529,
      2_932_896,
      2_932_897,
      -100_000_000,
      100_000_000
    ]
    const wrong = days.filter((day) => date(day) !== `"${new Date(day * DAY_MS).toISOString().slice(0, -14)}"`)
    expect(wrong).toEqual([])
  })

  it.each([100_000_001, -100_000_001, 2 ** 31 - 1])('is refused outside of the calendar: %d days', (days) => {
    expect(() => date(days)).toThrow(DecodeFailure)
  })
})

describe('a time of day', () => {
  it('has milliseconds or microseconds', () => {
    expect(written((target) => writeTimeOfDay(target, 26_100_250, 3))).toBe('"07:15:00.250"')
    expect(written((target) => writeTimeOfDay(target, 86_399_999_999, 6))).toBe('"23:59:59.999999"')
  })

  it.each([-1, DAY_MS, NaN])('is refused outside of the day: %d', (millis) => {
    expect(() => written((target) => writeTimeOfDay(target, millis, 3))).toThrow(DecodeFailure)
  })
})

describe('a timestamp', () => {
  it('is written as Date writes it, before and after 1970', () => {
    fc.assert(
      fc.property(fc.date({ noInvalidDate: true }), (time) => {
        expect(timestamp(time.getTime(), 3)).toBe(`"${time.toISOString()}"`)
      }),
      { numRuns: 2000 }
    )
  })

  it('keeps microseconds and nanoseconds, whether it is a number or a bigint', () => {
    fc.assert(
      fc.property(
        fc.date({ noInvalidDate: true, min: new Date('0000-01-01'), max: new Date('9999-12-31') }),
        fc.nat(999_999),
        (time, rest) => {
          const nanos = BigInt(time.getTime()) * 1_000_000n + BigInt(rest)
          const expected = `"${time.toISOString().slice(0, -1)}${String(rest).padStart(6, '0')}Z"`
          expect(timestamp(nanos, 9)).toBe(expected)
          const micros = nanos / 1000n - (nanos % 1000n < 0n ? 1n : 0n)
          const inMicros = `${expected.slice(0, -5)}Z"`
          expect(timestamp(micros, 6)).toBe(inMicros)
        }
      )
    )
  })

  it('is the same text for a number and for an equal bigint', () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), (micros) => {
        expect(timestamp(micros, 6)).toBe(timestamp(BigInt(micros), 6))
      })
    )
  })

  it('has no Z if it is local time', () => {
    expect(timestamp(1, 3, false)).toBe('"1970-01-01T00:00:00.001"')
  })

  it('is refused outside of the calendar', () => {
    expect(() => timestamp(8.64e15 + 86_400_000, 3)).toThrow(DecodeFailure)
    expect(() => timestamp(-(2n ** 63n), 3)).toThrow(DecodeFailure)
  })

  it('can be the last instant of the calendar', () => {
    expect(timestamp(8.64e15, 3)).toBe('"+275760-09-13T00:00:00.000Z"')
  })
})
