import { describe, expect, it } from 'vitest'
import { createPlan, isKeystampError } from '../../src/index.ts'

const vin = '1FTFW1ET5DFC10312'

describe('keyFor', () => {
  // checks L3
  it('returns the key that the writer stamped', () => {
    const plan = createPlan({ into: '/pk', from: [{ field: '/date' }], suffix: { by: '/vin', count: 400 } })
    const written = plan.stamp({ date: '2018-08-09', vin, speed: 7 })

    expect(plan.keyFor({ date: '2018-08-09', vin })).toMatchObject({ key: written.ok && written.values[0], older: [] })
  })

  it('throws an error that names the missing field', () => {
    const plan = createPlan({ into: '/pk', from: [{ field: '/date' }], suffix: { by: '/vin', count: 400 } })

    const failure = (() => {
      try {
        return plan.keyFor({ date: '2018-08-09' })
      } catch (error) {
        return error
      }
    })()

    expect(isKeystampError(failure) && [failure.code, failure.retriable, failure.message]).toEqual([
      'PARTS_MISSING',
      false,
      expect.stringContaining('/vin')
    ])
  })

  it('does not make a new random suffix, which would differ from the suffix of the writer', () => {
    const plan = createPlan(
      { into: '/pk', from: [{ field: '/date' }], suffix: { by: 'random', count: 400 } },
      { random: () => 0.5 }
    )

    expect(() => plan.keyFor({ date: '2018-08-09' })).toThrow(
      expect.objectContaining({ code: 'PARTS_MISSING', message: expect.stringContaining('keysFor') })
    )
  })

  it('returns hierarchical keys as lists', () => {
    const plan = createPlan({
      levels: [
        { into: '/tenant', from: [{ field: '/tenant', type: 'integer' }] },
        { into: '/day', from: [{ bucket: 'day', of: '/at' }] }
      ]
    })

    expect(plan.keyFor({ tenant: 7, at: '2018-08-09T07:00:00Z' }).key).toEqual([7, '2018-08-09'])
  })
})

describe('decode', () => {
  it.each([
    ['integer', 7, '7'],
    ['text', '7', 7],
    ['boolean', true, 'true']
  ] as const)(
    'decodes a key that is the value of a field only if it has the declared type %s',
    (type, right, wrong) => {
      const plan = createPlan({ into: '/n', from: [{ field: '/n', type, null: { use: 'none' } }] })

      expect(plan.decode(right)).toMatchObject({ ok: true, levels: [{ parts: [{ of: '/n', value: right }] }] })
      expect(plan.decode('none').ok).toBe(true)
      expect(plan.decode(wrong)).toMatchObject({ ok: false, code: 'KEY_NOT_DECODABLE' })
    }
  )

  it('returns base, slot and label of a suffix', () => {
    const plan = createPlan({
      into: '/pk',
      from: [{ field: '/date' }],
      suffix: { by: '/vin', count: 400, labels: 'even' }
    })
    const { key } = plan.keyFor({ date: '2018-08-09', vin })
    const label = Number(String(key).split('.')[1])
    const slot = plan.keysFor({ date: '2018-08-09' }).findIndex((each) => each.key === key) + 1

    expect(plan.decode(key)).toMatchObject({
      ok: true,
      levels: [{ base: '2018-08-09', slot, label, parts: [{ of: '/date', value: '2018-08-09' }] }]
    })
  })

  it.each(['2018-08-09', '2018-08-09.0', '2018-08-09.401', '2018-08-09.01', '2018-08-09.x', '.', ''])(
    'does not decode %j, which is not a key of the plan',
    (key) => {
      const plan = createPlan({ into: '/pk', from: [{ field: '/date' }], suffix: { by: '/vin', count: 400 } })

      expect(plan.decode(key)).toMatchObject({ ok: false, code: 'KEY_NOT_DECODABLE' })
    }
  )

  it('reports that an ambiguous key with the plain encoding cannot be decoded', () => {
    const plan = createPlan({ into: '/pk', from: [{ field: '/a' }, { field: '/b' }], encoding: 'plain' })
    const decoded = plan.decode(plan.keyFor({ a: 'x-y', b: 'z' }).key)

    expect(decoded).toMatchObject({
      ok: false,
      code: 'KEY_NOT_DECODABLE',
      message: expect.stringContaining('"encoding": "plain"')
    })
  })

  it('does not decode a key whose label is not an even suffix', () => {
    const plan = createPlan({
      into: '/pk',
      from: [{ field: '/date' }],
      suffix: { by: '/vin', count: 4, labels: 'even' }
    })
    const labels = new Set(plan.keysFor({ date: 'd' }).map(({ key }) => key))
    const other = Array.from({ length: 20 }, (_, index) => `d.${index + 1}`).filter((key) => !labels.has(key))

    expect(other.every((key) => !plan.decode(key).ok)).toBe(true)
  })

  it('decodes hierarchical keys and their prefixes', () => {
    const plan = createPlan({
      levels: [
        { into: '/t', from: [{ field: '/t' }] },
        { into: '/k', from: [{ field: '/a' }, { literal: 'v1' }, { field: '/b' }] }
      ]
    })

    expect(plan.decode([7, 'a-v1-b'])).toMatchObject({
      levels: [{ parts: [{ of: '/t', value: 7 }] }, { parts: [{ value: 'a' }, { of: 'literal' }, { value: 'b' }] }]
    })
    expect(plan.decode([7])).toMatchObject({ ok: true })
    expect(plan.decode([7, 'a-v2-b'])).toMatchObject({ ok: false })
    expect(plan.decode([7, 'a-v1-b', 'c'])).toMatchObject({ ok: false })
  })
})

describe('versions of a plan', () => {
  const plan = createPlan({
    into: '/pk',
    from: [{ field: '/device' }],
    suffix: { by: '/vin', count: 20 },
    previous: [
      {
        until: { field: '/at', before: '2026-01-01T00:00:00Z' },
        plan: { into: '/pk', from: [{ field: '/device' }], suffix: { by: '/vin', count: 10 } }
      },
      { until: { field: '/at', before: '2025-01-01T00:00:00Z' }, plan: { into: '/pk', from: [{ field: '/device' }] } }
    ]
  })
  const parts = { device: 'd', vin }

  it.each([
    ['2026-01-01T00:00:00Z', 0],
    ['2025-12-31T23:59:59.999Z', 1],
    ['2026-01-01T01:00:00+02:00', 1],
    ['2025-01-01', 1],
    ['2024-12-31', 2],
    ['0001-01-01', 2]
  ])('are chosen by the time %s in the record, never by the clock', (at, version) => {
    expect(plan.stamp({ ...parts, at })).toMatchObject({ version })
    expect(plan.keyFor({ ...parts, at })).toMatchObject({ version, older: [] })
  })

  it('reject a record without the field of the boundary', () => {
    expect(plan.stamp(parts)).toMatchObject({ ok: false, code: 'BOUNDARY_MISSING', path: '/at' })
    expect(plan.stamp({ ...parts, at: 5 })).toMatchObject({ ok: false, code: 'BOUNDARY_MISSING' })
  })

  it('are all used for a lookup without the value of the boundary field', () => {
    const exact = plan.keyFor(parts)

    expect([exact.version, ...exact.older.map(({ version }) => version)]).toEqual([0, 1, 2])
    expect(exact.older[1].key).toBe('d')
    expect(plan.keysFor({ device: 'd' })).toHaveLength(21)
  })

  it('are tried from the newest to the oldest to decode a key', () => {
    expect(plan.decode('d.20')).toMatchObject({ version: 0 })
    expect(plan.decode('d')).toMatchObject({ version: 2 })
  })
})
