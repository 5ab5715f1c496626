import { describe, expect, it } from 'vitest'
import { parseLogRows, withoutLiterals } from '../../src/index.ts'

const QUERY = 'SELECT * FROM c WHERE c.deviceId = @d'

function query(second: number, range: string, more: object = {}) {
  return {
    TimeGenerated: `2026-05-03T10:00:${String(second).padStart(2, '0')}.000Z`,
    DatabaseName: 'fleet',
    CollectionName: 'drives',
    QueryText: QUERY,
    PartitionKeyRangeId: range,
    ActivityId: `activity-${second}-${range}`,
    ...more
  }
}

function use(second: number, key: unknown, ru: number | string, more: object = {}) {
  const TimeGenerated = `2026-05-03T10:00:${String(second).padStart(2, '0')}Z`
  return {
    TimeGenerated,
    PartitionKey: key,
    PartitionKeyRangeId: '0',
    RequestCharge: ru,
    OperationName: 'Read',
    ...more
  }
}

describe('rows of CDBQueryRuntimeStatistics', () => {
  it('become queries with rates and with the physical partitions that an execution asks', () => {
    const rows = [0, 10, 20].flatMap((second) =>
      ['0', '1', '2'].map((range) => query(second, range, { CorrelatedActivityId: `execution-${second}` }))
    )
    const single = query(20, '1', { QueryText: 'SELECT * FROM c WHERE c.id = @i', ActivityId: 'a' })

    const found = parseLogRows([...rows, single])

    expect(found).toMatchObject({
      ok: true,
      value: {
        seconds: 20,
        skipped: 0,
        queries: [
          { text: QUERY, perSecond: 3 / 20, ranges: 3 },
          { text: 'SELECT * FROM c WHERE c.id = @i', perSecond: 1 / 20, ranges: 1 }
        ]
      }
    })
  })

  it('count as single executions without a correlated activity id', () => {
    const found = parseLogRows([query(0, '0'), query(10, '1')])

    expect(found).toMatchObject({ ok: true, value: { queries: [{ perSecond: 0.2, ranges: 1 }] } })
  })
})

describe('rows of CDBPartitionKeyRUConsumption', () => {
  it('become request units of keys', () => {
    const found = parseLogRows([use(0, '["tenant-1"]', 12.5), use(30, '["a","b"]', '3'), use(59, 'plain', 1)])

    expect(found).toMatchObject({
      ok: true,
      value: {
        uses: [
          { values: ['tenant-1'], ru: 12.5 },
          { values: ['a', 'b'], ru: 3 },
          { values: ['plain'], ru: 1 }
        ]
      }
    })
  })

  it('may have the names and times of the portal', () => {
    const row = { 'TimeGenerated [UTC]': '5/3/2026, 1:30:05.250 PM', PartitionKey: '["a"]', RequestCharge: '2.5' }

    expect(parseLogRows([row])).toMatchObject({
      ok: true,
      value: { uses: [{ values: ['a'], ru: 2.5, atMs: Date.UTC(2026, 4, 3, 13, 30, 5, 250) }] }
    })
  })

  it('are left out and counted where time, charge or key cannot be read', () => {
    const found = parseLogRows([
      use(0, '["a"]', 1),
      use(1, '', 1),
      use(2, '["a"]', Number.NaN),
      use(4, '["a"]', 1e308),
      { ...use(3, 'a', 1), TimeGenerated: 'x' }
    ])

    expect(found).toMatchObject({ ok: true, value: { skipped: 4 } })
  })
})

describe('an export of Log Analytics', () => {
  it('is refused with its columns if it is another table', () => {
    expect(parseLogRows([{ TimeGenerated: 'x', StatusCode: 200 }])).toEqual({
      ok: false,
      reason:
        'has the columns TimeGenerated, StatusCode, and is no export that is known: CDBPartitionKeyRUConsumption has TimeGenerated, PartitionKey, RequestCharge; CDBQueryRuntimeStatistics has TimeGenerated, QueryText, PartitionKeyRangeId, ActivityId'
    })
    expect(parseLogRows([])).toEqual({ ok: false, reason: 'has no row' })
  })

  it('is read for one container only', () => {
    const rows = [query(0, '0'), query(9, '0', { CollectionName: 'days', QueryText: 'SELECT 1' })]

    expect(parseLogRows(rows)).toMatchObject({ ok: false, reason: expect.stringContaining('has rows of 2 containers') })
    expect(parseLogRows(rows, { database: 'Fleet', container: 'DAYS' })).toMatchObject({
      ok: true,
      value: { queries: [{ text: 'SELECT 1' }] }
    })
    expect(parseLogRows(rows, { database: 'fleet', container: 'other' })).toEqual({
      ok: false,
      reason: 'has no row of the container fleet/other'
    })
  })
})

describe('the text of a query without its values', () => {
  it('has question marks for strings and numbers, and keeps names and parameters', () => {
    expect(
      withoutLiterals(`SELECT TOP 5 c.a1\n FROM c WHERE c.mail = 'ada@x.org' AND c["n"] > -3.5 AND c.d = @p1`)
    ).toBe('SELECT TOP ? c.a1 FROM c WHERE c.mail = ? AND c[?] > ? AND c.d = @p1')
  })
})
