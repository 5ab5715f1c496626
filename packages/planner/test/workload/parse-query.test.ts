import { describe, expect, it, test } from 'vitest'
import { parseQuery } from '../../src/index.ts'

const DAY = 86_400

describe('a query in its short form', () => {
  test.each([
    ['deviceId @ 20/s', { perSecond: 20, equal: ['/deviceId'], between: [], byId: false, rows: 10 }],
    ['deviceId, at=day @ 20/s', { equal: ['/deviceId'], between: [{ field: '/at', seconds: DAY }] }],
    ['vehicle.vin,/a/b@1/min', { perSecond: 1 / 60, equal: ['/vehicle/vin', '/a/b'] }],
    ['at=7d, price=* @ 2/s', { equal: [], between: [{ field: '/at', seconds: 7 * DAY }, { field: '/price' }] }],
    ['deviceId, id @ 100/s', { equal: ['/deviceId', '/id'], byId: true, rows: 1 }],
    ['deviceId, rows=250 @ 2/s', { equal: ['/deviceId'], rows: 250 }],
    ['deviceId @ 2/s rows=1k', { perSecond: 2, rows: 1000 }],
    ['deviceId, id @ 2/s, rows=3', { byId: true, rows: 3 }],
    ['rows @ 2/s', { equal: ['/rows'], rows: 10 }],
    ['* @ 1/day', { equal: [], between: [] }]
  ])('is read: %s', (text, expected) => {
    const reading = parseQuery(text)

    expect(reading).toMatchObject({ ok: true, value: { ...expected, name: text } })
  })

  test.each([
    ['deviceId', 'the rate is missing; end the query with one, such as @ 20/s'],
    ['deviceId @', 'the rate is missing; end the query with one, such as @ 20/s'],
    ['deviceId @ 20', 'the rate must be a rate such as 5000/s, 300k/min or 10M/day, not "20": the time is missing'],
    ['@ 20/s', 'the fields are missing; write * for a query without a filter'],
    ['deviceId,, at=day @ 20/s', 'there is a comma without a field'],
    ['device id @ 20/s', '"device id" is not a field; separate fields with commas'],
    ['/a~2 @ 20/s', '"/a~2" is not a field; separate fields with commas'],
    [
      'at=dya @ 20/s',
      'the range of /at must be a time such as 7d, 24h or 90 days, not "1 dya": "dya" is not a unit of time, such as s, min, h or d'
    ],
    ['a, a @ 20/s', '/a is named twice'],
    [
      'a, rows=few @ 20/s',
      'rows must be a whole number such as 2500000 or 2.5M, not "few": it does not begin with a number'
    ],
    [
      'SELECT * FROM c WHERE c.a = 1 @ 20/s',
      'SQL is not supported here: list the fields, such as deviceId, at=day @ 20/s'
    ]
  ])('is refused with a reason: %s', (text, reason) => {
    expect(parseQuery(text)).toEqual({ ok: false, reason: `cannot be read: ${reason}` })
  })

  it('is refused with all its mistakes', () => {
    expect(parseQuery('a b, at=dya @ 20/fortnight')).toMatchObject({
      ok: false,
      reason: expect.stringMatching(/^cannot be read: "a b" is not a field.*; the range of \/at.*; the rate must be/)
    })
  })

  it('may be SQL instead if a reader for SQL is passed', () => {
    const asked: string[] = []
    const readSql = (sql: string) => {
      asked.push(sql)
      return { equal: ['/d'], between: [], byId: false }
    }

    expect(parseQuery('SELECT * FROM c WHERE c.d = @d @ 20/s rows=5', readSql)).toMatchObject({
      value: { perSecond: 20, equal: ['/d'], rows: 5 }
    })
    expect(asked).toEqual(['SELECT * FROM c WHERE c.d = @d'])
    expect(parseQuery('SELECT @ 1/s', () => 'the clause FROM is missing')).toEqual({
      ok: false,
      reason: 'cannot be read: the clause FROM is missing'
    })
  })
})
