import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createPlan, type PlanDefinition } from '../../src/index.ts'

const hot = { 'tenant-0': 16, 'tenant-7': 4 }

function planOf(suffix: object = {}, rest: object = {}): PlanDefinition {
  const from = [{ field: '/tenant' }]
  return { into: '/pk', from, suffix: { by: '/order', count: 1, hot, ...suffix }, ...rest }
}

function baseOf(key: unknown): string {
  return (key as string).replace(/\.\d+$/, '')
}

function keysOf(tenant: string): unknown[] {
  return plan.keysFor({ tenant }).map(({ key }) => key)
}

function fingerprintOf(suffix: object): string {
  return createPlan(planOf(suffix)).fingerprint
}

const plan = createPlan(planOf())

describe('hot values', () => {
  it('are spread over their own number of suffixes, and values that are not hot get only one suffix', () => {
    expect(keysOf('tenant-0')).toEqual(Array.from({ length: 16 }, (_, index) => `tenant-0.${index + 1}`))
    expect(keysOf('tenant-7')).toHaveLength(4)
    expect(keysOf('tenant-1')).toEqual(['tenant-1.1'])
  })

  it('need the field of the suffix, and values that are not hot do not need it', () => {
    const bytes = (json: string) => plan.stampBytes(new TextEncoder().encode(json))

    expect(plan.stamp({ tenant: 'tenant-1' })).toMatchObject({ ok: true, values: ['tenant-1.1'] })
    expect(bytes('{"tenant":"tenant-1"}')).toMatchObject({ ok: true, values: ['tenant-1.1'] })
    expect(plan.keyFor({ tenant: 'tenant-1' }).key).toBe('tenant-1.1')
    expect(plan.stamp({ tenant: 'tenant-0' })).toMatchObject({ ok: false, code: 'FIELD_MISSING', path: '/order' })
    expect(bytes('{"tenant":"tenant-0"}')).toMatchObject({ ok: false, code: 'FIELD_MISSING', path: '/order' })
    expect(() => plan.keyFor({ tenant: 'tenant-0' })).toThrow(/order/)
  })

  it('never have the same key as another value that ends like a hot value and a label', () => {
    expect(plan.keyFor({ tenant: 'tenant-0.3' }).key).toBe('tenant-0.3.1')
    expect(plan.decode('tenant-0.3')).toMatchObject({ levels: [{ base: 'tenant-0', slot: 3 }] })
    expect(plan.decode('tenant-0.3.1')).toMatchObject({ levels: [{ base: 'tenant-0.3', slot: 1 }] })
    expect(plan.decode('tenant-1.2')).toMatchObject({ ok: false, code: 'KEY_NOT_DECODABLE' })
  })

  it('match numbers with the same digits, and can be the names of inherited properties', () => {
    const names = JSON.parse('{"7":3,"__proto__":5,"constructor":2}') as Record<string, number>
    const { keysFor } = createPlan(planOf({ hot: names }))

    expect(keysFor({ tenant: 7 })).toHaveLength(3)
    expect(keysFor(JSON.parse('{"tenant":"__proto__"}') as object)).toHaveLength(5)
    expect(keysFor({ tenant: 'constructor' })).toHaveLength(2)
    expect(keysFor({ tenant: 'toString' })).toHaveLength(1)
  })

  it('can be values of a component other than the first one, and are compared without escapes', () => {
    const ready = createPlan({
      into: '/pk',
      from: [{ field: '/day' }, { field: '/tenant' }],
      suffix: { by: '/order', count: 1, hot: { 'a-b.c': 3 }, on: 2 }
    })

    const keys = ready.keysFor({ day: 'd', tenant: 'a-b.c' }).map(({ key }) => key)
    expect(keys).toEqual(['d-a~2Db~2Ec.1', 'd-a~2Db~2Ec.2', 'd-a~2Db~2Ec.3'])
    expect(ready.decode(keys[2])).toMatchObject({ ok: true, levels: [{ slot: 3, parts: [{}, { value: 'a-b.c' }] }] })
  })

  it('have their suffixes in every time bucket', () => {
    const ready = createPlan({
      into: '/pk',
      from: [{ field: '/tenant' }, { bucket: 'day', of: '/at' }],
      suffix: { by: '/order', count: 1, labels: 'even', hot }
    })
    const between = ['2018-08-09', '2018-08-10'] as const

    expect(ready.keysFor({ tenant: 'tenant-0' }, { between })).toHaveLength(32)
    expect(ready.keysFor({ tenant: 'cold' }, { between }).map(({ key }) => key)).toEqual([
      'cold-2018-08-09.1',
      'cold-2018-08-10.1'
    ])
  })

  it('do not change the position at which a long key is cut', () => {
    const long = 'é'.repeat(1500)
    const cold = createPlan(planOf({ count: 100, hot: { other: 2 } }, { tooLong: 'hash' }))
    const warm = createPlan(planOf({ count: 1, hot: { [long]: 1_000_000 } }, { tooLong: 'hash' }))

    const key = warm.keyFor({ tenant: long, order: 'o' }).key
    expect(baseOf(key)).toBe(baseOf(cold.keyFor({ tenant: long, order: 'o' }).key))
    expect(warm.decode(key)).toMatchObject({ ok: true, levels: [{ isCut: true, parts: [] }] })
  })

  it('are refused with random suffixes, with more than 10,000 values, and with an invalid count or component', () => {
    const many = Object.fromEntries(Array.from({ length: 10_001 }, (_, index) => [`t-${index}`, 2]))

    expect(() => createPlan(planOf({ by: 'random' }))).toThrow('/suffix/hot cannot be used with "random"')
    expect(() => createPlan(planOf({ hot: many }))).toThrow('/suffix/hot has 10001 values; at most 10000 are possible')
    expect(() => createPlan(planOf({ hot: { a: 0 } }))).toThrow(
      '/suffix/hot/a must be a whole number from 1 to 1000000'
    )
    expect(() => createPlan(planOf({ on: 2 }))).toThrow('/suffix/on must be a whole number from 1 to 1, not 2')
  })

  it('change the fingerprint by their content, not by their order', () => {
    expect(fingerprintOf({ hot: { a: 2, b: 3 } })).toBe(fingerprintOf({ hot: { b: 3, a: 2 } }))
    expect(fingerprintOf({ hot: { a: 2, b: 3 } })).not.toBe(fingerprintOf({ hot: { a: 3, b: 2 } }))
    expect(fingerprintOf({ hot: { a: 2 } })).toBe(fingerprintOf({ hot: { a: 2 }, on: 1 }))
  })
})

describe('a plan with a larger number of suffixes', () => {
  const orders = Array.from({ length: 500 }, (_, index) => ({
    tenant: 'tenant-0',
    order: `o-${index}`,
    at: index < 250 ? '2026-01-01T00:00:00Z' : '2026-03-01T00:00:00Z'
  }))
  const newest = planOf({ hot: { 'tenant-0': 16 } })
  const before = planOf({ hot: { 'tenant-0': 4 } })
  const withBoundary = {
    ...newest,
    previous: [{ until: { field: '/at', before: '2026-02-01T00:00:00Z' }, plan: before }]
  }

  it.each(['numbered', 'even'] as const)(
    'lists every key of the plan with the smaller number if the larger number is a multiple of the smaller one: labels %s',
    (labels) => {
      const keys = (count: number): unknown[] =>
        createPlan(planOf({ labels, hot: { 'tenant-0': count } }))
          .keysFor({ tenant: 'tenant-0' })
          .map(({ key }) => key)

      expect(keys(16)).toEqual(expect.arrayContaining(keys(4)))
    }
  )

  it('does not change the key of a record that is before the boundary, so that an upsert replaces its document', () => {
    const [old, changed] = [createPlan(before), createPlan(withBoundary as PlanDefinition)]

    for (const order of orders.slice(0, 250)) expect(changed.keyFor(order).key).toBe(old.keyFor(order).key)
  })

  it('changes the keys of existing records if it has no boundary, so that an upsert would write a second document', () => {
    const [old, changed] = [createPlan(before), createPlan(newest)]

    const moved = orders.slice(0, 250).filter((order) => changed.keyFor(order).key !== old.keyFor(order).key)
    expect(moved.length / 250).toBeGreaterThan(0.5)
  })

  it('L3 makes the same key for a record before and after other values became hot', () => {
    fc.assert(
      fc.property(
        fc.string({ minLength: 1 }),
        fc.string({ minLength: 1 }),
        fc.integer({ min: 1, max: 50 }),
        (tenant, order, count) => {
          const key = (counts: Record<string, number>): unknown =>
            createPlan(planOf({ hot: counts })).stamp({ tenant, order })
          expect(key({ [`${tenant}+`]: count })).toEqual(key({ [`${tenant}-`]: count + 1 }))
        }
      ),
      { numRuns: 200 }
    )
  })
})
