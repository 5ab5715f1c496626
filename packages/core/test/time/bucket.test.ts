import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { createPlan } from '../../src/index.ts'

type Bucket = {
  bucket: 'year' | 'month' | 'day' | 'hour' | `minute:${number}`
  zone?: string
  epoch?: 'seconds' | 'milliseconds'
}

function bucketOf(bucket: Bucket, at: unknown): unknown {
  const result = createPlan({ into: '/pk', from: [{ of: '/at', ...bucket }] }).stamp({ at })
  return result.ok ? result.values[0] : result.code
}

describe('a time bucket', () => {
  it.each([
    ['year', '2018-08-09T07:15:30Z', '2018'],
    ['month', '2018-08-09T07:15:30Z', '2018-08'],
    ['day', '2018-08-09', '2018-08-09'],
    ['day', '2018-08-09T23:59:59.999Z', '2018-08-09'],
    ['day', '2018-08-09T23:30:00-02:00', '2018-08-10'],
    ['hour', '2018-08-09T07:15:30.125+0530', '2018-08-09T01'],
    ['minute:15', '2018-08-09 07:44', '2018-08-09T07:30'],
    ['minute:60', '2018-08-09T07:44:00Z', '2018-08-09T07:00'],
    ['year', '0000-01-01T00:00:00Z', '0000'],
    ['day', '9999-12-31T23:59:59Z', '9999-12-31']
  ] as const)('with the unit %s accepts the ISO string %s', (bucket, text, expected) => {
    expect(bucketOf({ bucket }, text)).toBe(expected)
  })

  it.each([
    '9999-12-31T23:59:59-01:00',
    '2018-02-30',
    '2018-13-01',
    '2018-8-9',
    '2018-08-09T24:00:00Z',
    '2018-08-09T07:15:60Z',
    'yesterday',
    '2018-08-09T07:15Z+1'
  ])('rejects the string %j', (text) => {
    expect(bucketOf({ bucket: 'day' }, text)).toBe('TIME_INVALID')
  })

  it('reads numbers only if the plan has their unit', () => {
    expect(bucketOf({ bucket: 'day' }, 1533799000)).toBe('TIME_INVALID')
    expect(bucketOf({ bucket: 'day', epoch: 'seconds' }, 1533799000)).toBe('2018-08-09')
    expect(bucketOf({ bucket: 'hour', epoch: 'milliseconds' }, 1533799000123)).toBe('2018-08-09T07')
    expect(bucketOf({ bucket: 'hour', epoch: 'milliseconds' }, 1533799000123n)).toBe('2018-08-09T07')
    expect(bucketOf({ bucket: 'day', epoch: 'seconds' }, -1)).toBe('1969-12-31')
    expect(bucketOf({ bucket: 'day', epoch: 'seconds' }, 1e300)).toBe('TIME_INVALID')
    expect(bucketOf({ bucket: 'day', epoch: 'seconds' }, true)).toBe('TIME_INVALID')
  })

  it('reads a Date as the string that JSON.stringify writes', () => {
    expect(bucketOf({ bucket: 'hour' }, new Date('2018-08-09T07:15:00Z'))).toBe('2018-08-09T07')
    expect(bucketOf({ bucket: 'hour' }, new Date(Number.NaN))).toBe('FIELD_NULL')
  })

  it.each([
    ['before the clocks go forward', '2018-03-25T00:59:59Z', '2018-03-25T01'],
    ['after the clocks went forward', '2018-03-25T01:00:00Z', '2018-03-25T03'],
    ['before the clocks go back', '2018-10-28T00:59:59Z', '2018-10-28T02'],
    ['after the clocks went back', '2018-10-28T01:00:00Z', '2018-10-28T02'],
    ['an hour after the clocks went back', '2018-10-28T02:00:00Z', '2018-10-28T03'],
    ['in winter, late in the day', '2018-12-31T23:30:00Z', '2019-01-01T00']
  ])('uses the daylight saving time of a named zone %s', (_when, text, expected) => {
    expect(bucketOf({ bucket: 'hour', zone: 'Europe/Berlin' }, text)).toBe(expected)
  })

  it.each([
    ['Asia/Kolkata', '2018-08-09T00:00:00Z', '2018-08-09T05'],
    ['Pacific/Apia', '2011-12-30T09:59:59Z', '2011-12-29T23'],
    ['Pacific/Apia', '2011-12-30T10:00:00Z', '2011-12-31T00'],
    ['Australia/Lord_Howe', '2018-04-07T15:00:00Z', '2018-04-08T01'],
    ['+14:00', '2018-08-09T10:00:00Z', '2018-08-10T00'],
    ['-0330', '2018-08-09T03:00:00Z', '2018-08-08T23']
  ])('uses the zone %s for %s', (zone, text, expected) => {
    expect(bucketOf({ bucket: 'hour', zone }, text)).toBe(expected)
  })

  it('interprets a time without a zone in the zone of the bucket', () => {
    expect(bucketOf({ bucket: 'hour', zone: 'America/New_York' }, '2018-08-09T07:15:00')).toBe('2018-08-09T07')
  })

  it('agrees with Intl.DateTimeFormat in every zone and year', () => {
    const zones = [
      'UTC',
      'Europe/Berlin',
      'America/St_Johns',
      'Asia/Kathmandu',
      'Pacific/Chatham',
      'America/Sao_Paulo',
      'Africa/Casablanca'
    ]
    fc.assert(
      fc.property(fc.constantFrom(...zones), fc.integer({ min: 0, max: 4_102_444_800 }), (zone, seconds) => {
        const clock = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'short' })
        const expected = clock
          .format(seconds * 1000)
          .replace(' ', 'T')
          .slice(0, 13)
        expect(bucketOf({ bucket: 'hour', zone, epoch: 'seconds' }, seconds)).toBe(expected)
      }),
      { numRuns: 500 }
    )
  })
})
