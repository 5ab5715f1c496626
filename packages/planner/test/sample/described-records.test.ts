import { describe, expect, test } from 'vitest'

import { createDescribedRecords, parseDescribedField } from '../../src/sample/described-records.ts'
import { createRandom } from '../../src/sample/random.ts'

describe('parseDescribedField', () => {
  test.each([
    ['deviceId:50000', { name: 'deviceId', values: 50_000, zipf: 0, top: 0 }],
    ['fleetId:200:zipf1.0', { name: 'fleetId', values: 200, zipf: 1, top: 0 }],
    ['/tenant/id:1_000:top40%:zipf0.8', { name: '/tenant/id', values: 1000, zipf: 0.8, top: 0.4 }]
  ])('reads %s', (text, field) => {
    expect(parseDescribedField(text)).toEqual(field)
  })

  test.each(['deviceId', ':5', 'a:0', 'a:1.5', 'a:5:even', 'a:5:zipf', 'a:5:top100%', 'a:99999999999'])(
    'refuses %s',
    (text) => {
      expect(() => parseDescribedField(text)).toThrow(
        /^The description of the field ".*" is not valid: .*Write fields as "deviceId:50000"/
      )
    }
  )
})

describe('createDescribedRecords', () => {
  test('creates a different id for each record, unless the ids are described', () => {
    expect(new Set(records(['a:2'], 100).map(({ id }) => id)).size).toBe(100)
    expect(new Set(records(['id:2'], 100).map(({ id }) => id)).size).toBe(2)
  })

  test('creates values with the described frequencies', () => {
    const list = records(['even:4', 'zipf:3:zipf1', 'top:100:top40%'], 10_000)
    expect(new Set(list.map(({ even }) => even)).size).toBe(4)
    expect(shareOf(list, 'even', 'even-000000')).toBeCloseTo(0.25, 1)
    expect(shareOf(list, 'zipf', 'zipf-000000')).toBeCloseTo(6 / 11, 1)
    expect(shareOf(list, 'top', 'top-000000')).toBeCloseTo(0.4 + 0.6 / 100, 1)
  })

  test('puts nested fields into one object, whatever their names are', () => {
    const [record] = records(['a.b:1', '/a/c:1', '/__proto__/x:1'], 1)
    expect(record).toMatchObject({ a: { b: 'b-000000', c: 'c-000000' } })
    expect(Object.hasOwn(record, '__proto__')).toBe(true)
  })

  test('creates the same records for the same seed', () => {
    expect(records(['a:1000'], 10)).toEqual(records(['a:1000'], 10))
  })
})

function records(texts: readonly string[], count: number): Record<string, string>[] {
  const next = createDescribedRecords(texts.map(parseDescribedField), createRandom(1))
  return Array.from({ length: count }, () => JSON.parse(Buffer.from(next()).toString()))
}

function shareOf(list: readonly Record<string, string>[], name: string, value: string): number {
  return list.filter((record) => record[name] === value).length / list.length
}
