import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatTicks, parseTicks } from '../../src/query/date-functions.ts'
import { parseQuery, QueryError, runQuery } from '../../src/query/index.ts'
import { NOW_MS, valueOf } from './query-of.ts'

describe('date functions', () => {
  it.each<[string, unknown]>([
    ['GetCurrentDateTime()', '2020-09-13T12:26:40.1230000Z'],
    ['GetCurrentTimestamp()', NOW_MS],
    ['GetCurrentTicks()', NOW_MS * 10_000],
    ['DateTimeAdd("mm", 1, "2020-01-31T10:00:00.1234567Z")', '2020-02-29T10:00:00.1234567Z'],
    ['DateTimeAdd("year", -1, "2020-02-29")', '2019-02-28T00:00:00.0000000Z'],
    ['DateTimeAdd("hh", 25, "2020-12-31T00:00:00Z")', '2021-01-01T01:00:00.0000000Z'],
    ['DateTimeAdd("ns", 250, "2020-01-01T00:00:00Z")', '2020-01-01T00:00:00.0000002Z'],
    ['DateTimeAdd("age", 1, "2020-01-01")', undefined],
    ['DateTimeAdd("yyyy", 9000, "2020-01-01")', undefined],
    ['DateTimeAdd("yyyy", 1e300, "2020-01-01")', undefined],
    ['DateTimeAdd("ns", 1e300, "2020-01-01")', undefined],
    ['DateTimeDiff("day", "2020-01-01T23:00:00Z", "2020-01-02T01:00:00Z")', 1],
    ['DateTimeDiff("hour", "2020-01-01T23:00:00Z", "2020-01-02T01:30:00Z")', 2],
    ['DateTimeDiff("month", "2020-01-31", "2021-01-01")', 12],
    ['DateTimeDiff("yyyy", "2021-01-01", "2020-12-31")', -1],
    ['DateTimeDiff("ns", "2020-01-01T00:00:00.0000001Z", "2020-01-01T00:00:00.0000003Z")', 200],
    ['DateTimePart("yyyy", "2020-01-02T03:04:05.6789012Z")', 2020],
    ['DateTimePart("mm", "2020-01-02T03:04:05.6789012Z")', 1],
    ['DateTimePart("dw", "2020-01-02T03:04:05.6789012Z")', 5],
    ['DateTimePart("mi", "2020-01-02T03:04:05.6789012Z")', 4],
    ['DateTimePart("ms", "2020-01-02T03:04:05.6789012Z")', 678],
    ['DateTimePart("mcs", "2020-01-02T03:04:05.6789012Z")', 678901],
    ['DateTimePart("ns", "2020-01-02T03:04:05.6789012Z")', 678901200],
    ['DateTimePart("dd", "yesterday")', undefined],
    ['DateTimeFromParts(2020, 9, 4)', '2020-09-04T00:00:00.0000000Z'],
    ['DateTimeFromParts(2020, 9, 4, 10, 52, 1, 25)', '2020-09-04T10:52:01.0000025Z'],
    ['DateTimeFromParts(2020, 13, 4)', undefined],
    ['DateTimeFromParts(2021, 2, 29)', undefined],
    ['DateTimeToTimestamp("2020-09-13T12:26:40.1239999Z")', NOW_MS],
    ['DateTimeToTicks("1970-01-01T00:00:00.0000123Z")', 123],
    ['TimestampToDateTime(0)', '1970-01-01T00:00:00.0000000Z'],
    ['TimestampToDateTime(-1)', '1969-12-31T23:59:59.9990000Z'],
    ['TicksToDateTime(15)', '1970-01-01T00:00:00.0000015Z'],
    ['TimestampToDateTime(1e300)', undefined],
    ['TimestampToDateTime("0")', undefined]
  ])('%s is %j', (expression, expected) => {
    expect(valueOf(expression)).toEqual(expected)
  })

  it('keep every tick of a date', () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true }),
        fc.nat(9999),
        (date, rest) => {
          const ticks = BigInt(date.getTime()) * 10_000n + BigInt(rest)

          expect(parseTicks(formatTicks(ticks) ?? '')).toBe(ticks)
        }
      )
    )
  })

  it('of the current time are refused if the time of the request is not given', () => {
    const query = parseQuery('SELECT VALUE GetCurrentTimestamp()')

    expect(() => runQuery(query, { documents: [], parameters: new Map() })).toThrow(QueryError)
  })
})
