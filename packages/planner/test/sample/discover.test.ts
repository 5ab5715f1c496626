import { describe, expect, test } from 'vitest'

import { discoverFields } from '../../src/sample/discover.ts'
import { createProfiler } from '../../src/sample/profiler.ts'
import { createRandom } from '../../src/sample/random.ts'

const RECORDS = Array.from({ length: 100 }, (_, index) => ({
  id: `id-${index}`,
  tenant: { id: index % 7, name: index === 5 ? null : `Tenant ${index % 7}` },
  at: new Date(1_760_000_000_000 + index).toISOString(),
  sentMs: 1_760_000_000_000 + index,
  created: 1_760_000_000 + index,
  amount: index / 8,
  isOpen: index % 2 === 0,
  items: [{ sku: 'a' }],
  owner: `user${index}@example.com`,
  deep: { a: { b: { c: { d: { tooDeep: 1 } } } } },
  ...(index < 10 ? { rare: '' } : {})
}))

const found = discoverFields(RECORDS)
const field = (path: string) => found.find((each) => each.path === path)

describe('discoverFields', () => {
  test('returns scalar paths, also in objects, but not in arrays or below five levels', () => {
    const paths = found.map(({ path }) => path)
    expect(paths).toEqual(expect.arrayContaining(['/id', '/tenant/id', '/tenant/name', '/rare', '/at']))
    expect(paths.filter((path) => path.startsWith('/items') || path.startsWith('/deep'))).toEqual([])
  })

  test('returns fields that may be keys before fields with fractions and fields that few records have', () => {
    const order = ['/id', '/tenant/id', '/amount', '/rare'].map((path) => found.findIndex((each) => each.path === path))
    expect(order).toEqual(order.toSorted((a, b) => a - b))
  })

  test('counts types, missing values and empty strings', () => {
    expect(field('/tenant/name')).toMatchObject({ records: 100, present: 100, distinct: 7, discovered: 99 })
    expect(field('/tenant/name')?.types).toMatchObject({ string: 99, null: 1 })
    expect(field('/amount')?.types).toMatchObject({ number: 100, integer: 13 })
    expect(field('/rare')).toMatchObject({ present: 10, empty: 10 })
  })

  test.each([
    ['/at', 'iso'],
    ['/sentMs', 'milliseconds'],
    ['/created', 'seconds'],
    ['/tenant/id', null],
    ['/id', null]
  ])('recognizes whether %s is a time', (path, form) => {
    expect(field(path)?.time).toBe(form)
  })

  test('recognizes a number of ten digits as a time only if the name of the field says so', () => {
    const records = RECORDS.map(({ created }) => ({ account: created }))
    expect(discoverFields(records)[0].time).toBeNull()
  })

  test('recognizes ids by their distinct values, and personal data by the name of the field or the form of the value', () => {
    expect(field('/id')).toMatchObject({ isId: true, personal: null })
    expect(field('/tenant/id')?.isId).toBe(false)
    expect(field('/owner')?.personal).toBe('e-mail')
    const named = discoverFields([{ customer_name: 'A', ssn: '1', phoneNumber: '2', productName: 'B' }])
    expect(Object.fromEntries(named.map(({ path, personal }) => [path, personal]))).toEqual({
      '/customer_name': 'name',
      '/ssn': 'identity number',
      '/phoneNumber': 'phone',
      '/productName': null
    })
  })

  test('returns at most 30 paths, and in addition the paths in `keep`', () => {
    const wide = Array.from({ length: 30 }, (_, row) =>
      Object.fromEntries(Array.from({ length: 50 }, (__, column) => [`c${column}`, `${row} ${column}`]))
    )
    expect(discoverFields(wide)).toHaveLength(30)
    const kept = discoverFields(wide, { keep: ['/c49', '/c48'] }).map(({ path }) => path)
    expect(kept).toEqual(expect.arrayContaining(['/c48', '/c49']))
  })

  test('ignores records that are not objects', () => {
    expect(discoverFields([null, 7, [1], 'x'])).toEqual([])
  })
})

test('a profiler counts the discovered fields in all records', () => {
  const fields = discoverFields(RECORDS.slice(0, 50))
  const profiler = createProfiler({ candidates: [], fields, random: createRandom(1) })
  for (const record of RECORDS) profiler.add(Buffer.from(JSON.stringify(record)))
  profiler.add(Buffer.from(JSON.stringify({ id: 'x'.repeat(3000), owner: 'a-b', at: [1], rare: {} })))
  const of = (path: string) => profiler.finish().fields.find((each) => each.path === path)
  expect(of('/id')).toMatchObject({ records: 101, present: 101, maxBytes: 3000, over101: 1, over2048: 1, distinct: 50 })
  expect(of('/owner')).toMatchObject({ withSeparator: 1 })
  expect(of('/id')).toMatchObject({ withSeparator: 100 })
  expect(of('/at')?.types).toMatchObject({ string: 100, array: 1 })
  expect(of('/rare')).toMatchObject({ present: 11, types: { object: 1, string: 10 } })
  expect(of('/tenant/name')).toMatchObject({ present: 100, types: { null: 1, string: 99 } })
})
