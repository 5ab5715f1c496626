import { describe, expect, it } from 'vitest'
import { createPlan } from '../../src/index.ts'

describe('filterFor', () => {
  const plan = createPlan({
    into: '/pk',
    from: [{ field: '/device/name' }, { bucket: 'day', of: '/at' }],
    suffix: { by: '/vin', count: 4 },
    id: { from: [{ field: '/trip' }], escape: 'underscore' }
  })

  it('returns a filter that compares the strings that the plan makes from the fields', () => {
    const { matches } = plan.filterFor({ device: { name: 7 }, at: '2018-08-09T07:00:00+02:00', vin: 'a' })

    expect(matches({ device: { name: '7' }, at: '2018-08-09', vin: 'a', trip: 't' })).toBe(true)
    expect(matches({ device: { name: 7 }, at: '2018-08-09', vin: 'b' })).toBe(false)
    expect(matches({ device: { name: 7 }, at: '2018-08-10', vin: 'a' })).toBe(false)
    expect(matches({ device: 7, at: '2018-08-09', vin: 'a' })).toBe(false)
  })

  it('returns the conditions for a query, except for fields that already determine the key or the id', () => {
    expect(plan.filterFor({ device: { name: 7 }, vin: 7, trip: 'a/b' }).conditions).toEqual([
      { kind: 'oneOf', field: ['vin'], values: ['7', 7] }
    ])
    expect(plan.filterFor({ vin: '9007199254740993' }).conditions).toEqual([])
    expect(plan.filterFor({ trip: 'a/b' }).id).toBe('a_b')
  })

  it('returns a filter that accepts a document without the field if the value of the field may have been in the Kafka key', () => {
    const tombstones = createPlan({ into: '/pk', from: [{ field: '/a', orKey: '/a' }] })

    expect(tombstones.filterFor({ a: 'x' }).matches({ b: 1 })).toBe(true)
    expect(tombstones.filterFor({ a: 'x' }).matches({ a: 'y' })).toBe(false)
  })

  it('returns a filter that accepts the same number after its digits were rounded to a double', () => {
    const numbers = createPlan({ into: '/pk', from: [{ field: '/n' }] })
    const stored = JSON.parse('{"n":9007199254740993}') as object

    expect(numbers.filterFor({ n: 9007199254740993n }).matches(stored)).toBe(true)
    expect(numbers.filterFor({ n: 9007199254740999n }).matches(stored)).toBe(false)
  })

  it('returns a filter that interprets times without a zone in the zone of the bucket', () => {
    const berlin = createPlan({ into: '/pk', from: [{ bucket: 'hour', of: '/at', zone: 'Europe/Berlin' }] })
    // 02:50 before the clocks are set back, and 02:10 after they are set back
    const { matches } = berlin.filterFor({}, { between: ['2018-10-28T00:50:00Z', '2018-10-28T01:10:00Z'] })

    expect(['02:05', '02:30', '02:55'].map((time) => matches({ at: `2018-10-28T${time}` }))).toEqual([
      true,
      false,
      true
    ])
    expect(['00:55', '01:05', '01:30'].map((time) => matches({ at: `2018-10-28T${time}:00Z` }))).toEqual([
      true,
      true,
      false
    ])
  })

  it.each([
    [{ devise: { name: 'a' } }, 'The part /devise is not a field'],
    [{ device: { nam: 'a' } }, 'Did you mean /device/name?'],
    [{ device: 'a' }, 'The part /device is not a field'],
    [{ vin: {} }, 'A part has a value that the plan does not accept.']
  ])('throws for the parts %j', (parts, message) => {
    expect(() => plan.filterFor(parts)).toThrow(
      expect.objectContaining({ code: 'OPTION_INVALID', message: expect.stringContaining(message) })
    )
  })

  it('returns a filter that compares the exact value of the boundary field if the version does not use this field, even if older versions use it', () => {
    const versions = createPlan({
      into: '/pk',
      from: [{ field: '/device' }],
      previous: [
        {
          until: { field: '/at', before: '2026-01-01T00:00:00Z' },
          plan: { into: '/pk', from: [{ field: '/device' }, { bucket: 'year', of: '/at' }] }
        }
      ]
    })
    const newest = versions.filterFor({ device: 'd', at: '2026-02-02T00:00:00Z' })
    const older = versions.filterFor({ device: 'd', at: '2025-02-02T00:00:00Z' })

    expect(newest.matches({ device: 'd', at: '2026-02-02T01:00:00+01:00' })).toBe(true)
    expect(newest.matches({ device: 'd', at: '2026-03-02T00:00:00Z' })).toBe(false)
    expect(older.matches({ device: 'd', at: '2025-03-02T00:00:00Z' })).toBe(true)
  })

  it('returns the key if the parts contain it at the path of the key', () => {
    const levels = createPlan({
      levels: [
        { into: '/n', from: [{ field: '/n', type: 'integer', coerce: true }] },
        { into: '/pk', from: [{ field: '/day' }], suffix: { by: 'random', count: 4 } },
        { into: '/id', from: [{ id: true }] }
      ]
    })

    expect(plan.filterFor({ pk: 'x', vin: 'a' }).key).toEqual({ key: 'x', values: ['x'], version: 0 })
    expect(plan.filterFor({ pk: 'x' }).matches({ pk: 'y' })).toBe(false)
    expect(plan.filterFor({ vin: 'a', trip: 't' }).key).toBeUndefined()
    expect(createPlan({ into: '/a', from: [{ field: '/a' }] }).filterFor({ a: 'x' }).key).toBeUndefined()
    expect(levels.filterFor({ n: '07', pk: 'd.1', id: 'i' }).key).toMatchObject({ key: [7, 'd.1', 'i'] })
    expect(levels.filterFor({ n: 7, pk: 'd.1' }).key).toMatchObject({ values: [7, 'd.1'] })
    expect(levels.filterFor({ n: 7, id: 'i' }).key).toBeUndefined()
    expect(levels.filterFor({ pk: 'd.1' }).key).toBeUndefined()
  })
})
