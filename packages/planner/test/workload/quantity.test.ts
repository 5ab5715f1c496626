import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import {
  formatBytes,
  formatCount,
  formatDuration,
  formatPercent,
  formatPrice,
  formatRate,
  parseBytes,
  parseCount,
  parseDuration,
  parseGrowth,
  parsePercent,
  parseRate,
  parseRu,
  type Reading
} from '../../src/index.ts'

const DAY = 86_400

const PARSERS = {
  rate: parseRate,
  size: parseBytes,
  growth: parseGrowth,
  time: parseDuration,
  percentage: parsePercent,
  count: parseCount,
  throughput: parseRu
} as const
type Kind = keyof typeof PARSERS

describe('a quantity', () => {
  test.each<[Kind, unknown, number]>([
    ['rate', '5000/s', 5000],
    ['rate', '5,000 / s', 5000],
    ['rate', '10M/day', 10e6 / DAY],
    ['rate', '300k/min', 5000],
    ['rate', '300K/MIN', 5000],
    ['rate', '5k writes per second', 5000],
    ['rate', '0.5/s', 0.5],
    ['rate', '.5/s', 0.5],
    ['rate', '1e3/sec', 1000],
    ['rate', '2 queries a second', 2],
    ['rate', '3600 queries a h', 1],
    ['rate', '7bn/week', 7e9 / (7 * DAY)],
    ['rate', '0/s', 0],
    ['size', '1KB', 1000],
    ['size', '1 kb', 1000],
    ['size', '500GB', 500e9],
    ['size', '1.5 TiB', 1.5 * 1024 ** 4],
    ['size', '2K', 2000],
    ['size', '2Ki', 2048],
    ['size', '100 bytes', 100],
    ['size', '1 byte', 1],
    ['size', '12 345 B', 12_345],
    ['growth', '2GB/day', 2e9],
    ['growth', '73 GB per month', 2.4e9],
    ['growth', '1KB/s', 86.4e6],
    ['time', '7d', 7 * DAY],
    ['time', '24h', DAY],
    ['time', '90 days', 90 * DAY],
    ['time', '5m', 300],
    ['time', '2 weeks', 14 * DAY],
    ['time', '1y', 365 * DAY],
    ['percentage', '40%', 0.4],
    ['percentage', '2.5 %', 0.025],
    ['percentage', '100 percent', 1],
    ['count', '10M', 10e6],
    ['count', '2.5M', 2.5e6],
    ['count', '2,500,000', 2.5e6],
    ['count', '2_500_000', 2.5e6],
    ['count', 7, 7],
    ['count', '1.1k', 1100],
    ['throughput', 20_000, 20_000],
    ['throughput', '20k', 20_000],
    ['throughput', '20,000 RU/s', 20_000]
  ])('is read as a %s: %j', (kind, text, expected) => {
    const reading = PARSERS[kind](text)

    expect(reading).toEqual({ ok: true, value: expect.closeTo(expected, 6) as number })
  })

  const rate = 'must be a rate such as 5000/s, 300k/min or 10M/day, not'
  const size = 'must be a size such as 1KB, 500GB or 1.5 TiB, not'
  test.each<[Kind, unknown, string]>([
    ['rate', 'fast', `${rate} "fast": it does not begin with a number`],
    ['rate', '5000', `${rate} "5000": the time is missing`],
    ['rate', 5000, `${rate} "5000": the time is missing`],
    ['rate', '5000/', `${rate} "5000/": "/" is not a unit of a rate`],
    ['rate', '5000/fortnight', `${rate} "5000/fortnight": "fortnight" is not a unit of time, such as s, min, h or day`],
    ['rate', '300k/m', `${rate} "300k/m": "m" is not a unit of time, such as s, min, h or day`],
    ['rate', '5m/s', `${rate} "5m/s": write M for million`],
    ['rate', '5 cats/s', `${rate} "5 cats/s": "cats/s" is not a unit of a rate`],
    ['rate', '-5/s', `${rate} "-5/s": it is negative`],
    ['rate', ' ', `${rate} "": it is empty`],
    ['rate', null, `${rate} null`],
    ['rate', ['5/s'], `${rate} a list`],
    ['rate', true, `${rate} a boolean`],
    ['rate', {}, `${rate} an object`],
    ['rate', undefined, `${rate} missing`],
    ['rate', '1e999/s', `${rate} "1e999/s": it is too large`],
    ['rate', Number.NaN, `${rate} "NaN": it does not begin with a number`],
    ['rate', `${'9'.repeat(50)} cats`, `${rate} "${'9'.repeat(39)}…": "cats" is not a unit of a rate`],
    ['size', '1,5 TB', `${size} "1,5 TB": write a point before a fraction, and commas between thousands`],
    ['size', '1.000.000 B', `${size} "1.000.000 B": its digits cannot be read as one number`],
    ['size', '1,0000 B', `${size} "1,0000 B": write a point before a fraction, and commas between thousands`],
    ['size', '1000', `${size} "1000": the unit is missing`],
    ['size', '5 EB', `${size} "5 EB": "EB" is not a unit of size, such as KB or GiB`],
    ['size', '5 iB', `${size} "5 iB": "iB" is not a unit of size, such as KB or GiB`],
    ['growth', '5GB', 'must be a growth such as 2GB/day or 500 GB/month, not "5GB": the time is missing'],
    [
      'growth',
      '5%/month',
      'must be a growth such as 2GB/day or 500 GB/month, not "5%/month": write a size instead of a percentage'
    ],
    [
      'growth',
      '5 x/day',
      'must be a growth such as 2GB/day or 500 GB/month, not "5 x/day": "x" is not a unit of size, such as KB or GiB'
    ],
    [
      'growth',
      '5GB/moon',
      'must be a growth such as 2GB/day or 500 GB/month, not "5GB/moon": "moon" is not a unit of time, such as day or month'
    ],
    ['time', 604_800, 'must be a time such as 7d, 24h or 90 days, not "604800": the unit is missing'],
    [
      'time',
      '7 moons',
      'must be a time such as 7d, 24h or 90 days, not "7 moons": "moons" is not a unit of time, such as s, min, h or d'
    ],
    [
      'time',
      '7M',
      'must be a time such as 7d, 24h or 90 days, not "7M": "M" is not a unit of time, such as s, min, h or d'
    ],
    ['percentage', '140%', 'must be a percentage up to 100%, such as 40%, not "140%": it is more than 100 %'],
    ['percentage', 0.4, 'must be a percentage up to 100%, such as 40%, not "0.4": the % is missing'],
    ['count', '1.5', 'must be a whole number such as 2500000 or 2.5M, not "1.5": it has a fraction'],
    [
      'count',
      '10 dozen',
      'must be a whole number such as 2500000 or 2.5M, not "10 dozen": "dozen" is not a multiple, such as k or M'
    ],
    ['count', '10m', 'must be a whole number such as 2500000 or 2.5M, not "10m": write M for million'],
    [
      'throughput',
      '20k/s',
      'must be a number of RU/s such as 20000 or 20k, not "20k/s": "k/s" is not a unit of throughput'
    ]
  ])('that cannot be read is refused with its text, the reason and an example: %s %j', (kind, text, reason) => {
    expect(PARSERS[kind](text)).toEqual({ ok: false, reason })
  })

  it('can be formatted and read again with three significant digits', () => {
    const amounts = fc.double({ min: 1e-3, max: 1e15, noNaN: true })
    const pairs: [(value: number) => string, (text: unknown) => Reading][] = [
      [formatRate, parseRate],
      [formatBytes, parseBytes],
      [formatDuration, parseDuration]
    ]
    fc.assert(
      fc.property(amounts, fc.constantFrom(...pairs), (amount, [format, parse]) => {
        const value = parse === parseBytes ? Math.max(1, amount) : amount
        const reading = parse(format(value))

        expect(reading.ok && Math.abs(reading.value / value - 1)).toBeLessThan(0.006)
      })
    )
  })
})

describe('the text of a quantity', () => {
  test.each([
    [formatCount(5000), '5,000'],
    [formatCount(1_234_567), '1,234,567'],
    [formatCount(2.345), '2.35'],
    [formatCount(1234.5), '1,235'],
    [formatCount(0.000_000_123), '0.000000123'],
    [formatCount(1e22), '10,000,000,000,000,000,000,000'],
    [formatRate(5000), '5,000/s'],
    [formatRate(0.5), '30/min'],
    [formatRate(0.0001), '8.64/day'],
    [formatRate(0), '0/s'],
    [formatBytes(1000), '1 KB'],
    [formatBytes(3.024e12), '3.02 TB'],
    [formatBytes(500e9), '500 GB'],
    [formatBytes(999_999), '1 MB'],
    [formatBytes(12), '12 B'],
    [formatBytes(5e18), '5,000 PB'],
    [formatDuration(7 * DAY), '7 days'],
    [formatDuration(DAY), '1 day'],
    [formatDuration(36 * 3600), '36 hours'],
    [formatDuration(100_001), '27.8 hours'],
    [formatDuration(0), '0 seconds'],
    [formatPercent(2 / 3), '67 %'],
    [formatPercent(0.0889), '8.9 %'],
    [formatPercent(1), '100 %'],
    [formatPercent(0), '0 %'],
    [formatPrice(1168, 'USD'), '$1,168'],
    [formatPrice(0.432, 'USD'), '$0.43'],
    [formatPrice(9.999, 'USD'), '$10'],
    [formatPrice(1168.4, 'EUR'), 'EUR 1,168']
  ])('%s is %s', (text, expected) => {
    expect(text).toBe(expected)
  })
})
