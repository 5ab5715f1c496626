import { describe, expect, it } from 'vitest'
import { createPlan } from '../../src/index.ts'

const vin = '1FTFW1ET5DFC10312'

describe('keysFor', () => {
  const numbered = createPlan({ into: '/pk', from: [{ field: '/date' }], suffix: { by: 'random', count: 400 } })

  it('lists every suffix if the field of the suffix is not known', () => {
    const keys = numbered.keysFor({ date: '2018-08-09' }).map(({ key }) => key)

    expect(keys).toHaveLength(400)
    expect([keys[0], keys[399]]).toEqual(['2018-08-09.1', '2018-08-09.400'])
  })

  it('lists one key if all parts are known', () => {
    const plan = createPlan({ into: '/pk', from: [{ field: '/date' }], suffix: { by: '/vin', count: 400 } })

    expect(plan.keysFor({ date: 'd', vin })).toMatchObject([{ key: plan.keyFor({ date: 'd', vin }).key }])
  })

  it('lists each key with an even suffix once, including the key that the writer stamps', () => {
    const plan = createPlan({
      into: '/pk',
      from: [{ field: '/date' }],
      suffix: { by: '/vin', count: 50, labels: 'even' }
    })
    const keys = plan.keysFor({ date: '2018-08-09' }).map(({ key }) => key)

    expect(new Set(keys).size).toBe(50)
    expect(keys).toContain(plan.keyFor({ date: '2018-08-09', vin }).key)
  })

  it('lists the buckets between two times, in the zone of the plan', () => {
    const plan = createPlan({
      into: '/pk',
      from: [{ field: '/device' }, { bucket: 'hour', of: '/at', zone: '+02:00' }]
    })

    expect(
      plan.keysFor({ device: 'd' }, { between: ['2018-08-09T21:59:00Z', '2018-08-10T00:00:00Z'] }).map(({ key }) => key)
    ).toEqual(['d-2018-08-09T23', 'd-2018-08-10T00', 'd-2018-08-10T01', 'd-2018-08-10T02'])
  })

  it.each([
    ['month', '2018-11-30T00:00:00Z', '2019-01-01T00:00:00Z', ['2018-11', '2018-12', '2019-01']],
    ['year', '0098-01-01', '0100-06-01', ['0098', '0099', '0100']],
    ['minute:30', 1533799000123, 1533801000000, ['2018-08-09T07:00', '2018-08-09T07:30']]
  ] as const)('lists `%s` buckets between two times', (bucket, from, to, expected) => {
    const plan = createPlan({ into: '/pk', from: [{ bucket, of: '/at' }] })

    expect(plan.keysFor({}, { between: [from, to] }).map(({ key }) => key)).toEqual(expected)
  })

  it('throws if `between` ends before it begins', () => {
    const plan = createPlan({ into: '/pk', from: [{ bucket: 'day', of: '/at' }] })

    expect(() => plan.keysFor({}, { between: ['2018-08-11', '2018-08-09'] })).toThrow('must not end before it begins')
    expect(plan.keysFor({}, { between: ['2018-08-09', '2018-08-09'] })).toHaveLength(1)
  })

  it('accepts an interval in which the clocks are set back', () => {
    const plan = createPlan({ into: '/pk', from: [{ bucket: 'hour', of: '/at', zone: 'Europe/Berlin' }] })
    const between = ['2018-10-28T00:50:00Z', '2018-10-28T01:10:00Z'] as const

    expect(plan.keysFor({}, { between }).map(({ key }) => key)).toEqual(['2018-10-28T02'])
  })

  it('lists every bucket of an interval in which the clocks are set back', () => {
    const plan = createPlan({ into: '/pk', from: [{ bucket: 'minute:15', of: '/at', zone: 'Europe/Berlin' }] })
    const between = ['2018-10-28T00:30:00Z', '2018-10-28T01:15:00Z'] as const

    expect(plan.keysFor({}, { between }).map(({ key }) => String(key).slice(11))).toEqual([
      '02:00',
      '02:15',
      '02:30',
      '02:45'
    ])
  })

  it('includes the whole last day if `between` ends with a date', () => {
    const plan = createPlan({ into: '/pk', from: [{ bucket: 'hour', of: '/at' }] })

    expect(plan.keysFor({}, { between: ['2018-08-09', '2018-08-09'] })).toHaveLength(24)
  })

  it('lists the buckets between two times even if the plan has a substitute for records without a time', () => {
    const plan = createPlan({ into: '/pk', from: [{ bucket: 'day', of: '/at', missing: { use: 'never' } }] })

    expect(plan.keysFor({}, { between: ['2018-08-09', '2018-08-10'] }).map(({ key }) => key)).toEqual([
      '2018-08-09',
      '2018-08-10'
    ])
  })

  it('does not use the substitute for a missing field if a part is not given', () => {
    const use = { missing: { use: 'none' } } as const
    const plan = createPlan({ into: '/pk', from: [{ field: '/a' }, { field: '/b', ...use }] })
    const suffixed = createPlan({
      into: '/pk',
      from: [{ field: '/a' }],
      suffix: { by: [{ field: '/b', ...use }] as never, count: 3 }
    })
    const boolean = createPlan({ into: '/pk', from: [{ field: '/b', type: 'boolean', ...use }] })
    const byId = createPlan({ into: '/pk', from: [{ id: true }], id: { from: [{ field: '/b', ...use }] } })

    expect(() => plan.keysFor({ a: 'x' })).toThrow(
      expect.objectContaining({ code: 'KEYS_UNBOUNDED', message: expect.stringContaining('/b') })
    )
    expect(plan.keyFor({ a: 'x' }).key).toBe('x-none')
    expect(suffixed.keysFor({ a: 'x' })).toHaveLength(3)
    expect(boolean.keysFor({}).map(({ key }) => key)).toEqual(['false', 'true', 'none'])
    expect(() => byId.keysFor({})).toThrow(expect.objectContaining({ code: 'KEYS_UNBOUNDED' }))
  })

  it('suggests `between` if the time of a bucket is missing', () => {
    const plan = createPlan({ into: '/pk', from: [{ bucket: 'day', of: '/at' }] })

    expect(() => plan.keysFor({})).toThrow(/missing: \/at\. .*`between`\.$/)
  })

  it('throws for an unknown option', () => {
    const plan = createPlan({ into: '/pk', from: [{ field: '/a' }] })

    expect(() => plan.keysFor({ a: 'x' }, { betwen: ['2018', '2019'] } as object)).toThrow(
      expect.objectContaining({ code: 'OPTION_INVALID', message: expect.stringContaining('did you mean "between"?') })
    )
  })

  it('lists the keys for both values of an unknown boolean', () => {
    const plan = createPlan({ into: '/pk', from: [{ field: '/a' }, { field: '/b', type: 'boolean' }] })

    expect(plan.keysFor({ a: 'x' }).map(({ key }) => key)).toEqual(['x-false', 'x-true'])
  })

  it('returns the prefix of a hierarchical key if the deeper levels are not known', () => {
    const plan = createPlan({
      levels: [
        { into: '/tenant', from: [{ field: '/tenant' }] },
        { into: '/user', from: [{ field: '/user' }] }
      ]
    })

    expect(plan.keysFor({ tenant: 't' })).toEqual([{ key: ['t'], values: ['t'], version: 0 }])
    expect(() => plan.keysFor({ user: 'u' })).toThrow(expect.objectContaining({ code: 'PARTS_MISSING' }))
  })

  it('throws if the list of keys would be unlimited', () => {
    const plan = createPlan({ into: '/pk', from: [{ field: '/a' }, { field: '/b' }] })
    const minutes = createPlan({
      into: '/pk',
      from: [{ bucket: 'minute:1', of: '/at' }],
      suffix: { by: 'random', count: 400 }
    })

    expect(() => plan.keysFor({ a: 'x' })).toThrow(
      expect.objectContaining({ code: 'KEYS_UNBOUNDED', message: expect.stringContaining('/b') })
    )
    expect(() => minutes.keysFor({}, { between: ['2018-01-01', '2018-12-31'] })).toThrow(
      expect.objectContaining({ code: 'KEYS_UNBOUNDED' })
    )
  })

  it.each([[['soon', '2018-12-31']], [['2018-12-31', '2018-01-01']], [['2018-12-31']], ['2018-12-31'], [null]])(
    'throws OPTION_INVALID for `between: %j`',
    (between) => {
      const plan = createPlan({ into: '/pk', from: [{ bucket: 'day', of: '/at' }] })
      const refusal = expect.objectContaining({ code: 'OPTION_INVALID', message: expect.stringContaining('`between`') })

      expect(() => plan.keysFor({}, { between: between as never })).toThrow(refusal)
      expect(() => plan.filterFor({}, { between: between as never })).toThrow(refusal)
    }
  )
})
