import { describe, expect, expectTypeOf, it } from 'vitest'

import { createPlan, createPlanFor, type KeyValue, type Plan, type PlanDefinition } from '../../src/index.ts'

interface Telemetry {
  deviceId: string
  'a/b~c': number
  vehicle: { vin: string; owner?: { name: string } }
  sensors: { name: string; value: number }[]
}

describe('the types of a plan', () => {
  it('allow only fields of the record type in a plan', () => {
    createPlan<Telemetry>({
      into: '/pk',
      from: [
        { field: '/deviceId' },
        { field: '/vehicle/owner/name', missing: 'reject' },
        { field: '/sensors/0/name' },
        { field: '/a~1b~0c' }
      ]
    })
    createPlan<Telemetry>({ into: '/pk', from: [{ field: '/deviceId' }], suffix: { by: ['/vehicle/vin'], count: 4 } })
    // @ts-expect-error -- the record type has no such field
    createPlan<Telemetry>({ into: '/pk', from: [{ field: '/deviceID' }] })
    // @ts-expect-error -- the nested object has no such field
    createPlan<Telemetry>({ into: '/pk', from: [{ field: '/vehicle/plate' }] })
    // @ts-expect-error -- a suffix cannot use an unknown field
    createPlan<Telemetry>({ into: '/pk', from: [{ field: '/deviceId' }], suffix: { by: '/vin', count: 4 } })
    createPlan({
      into: '/pk',
      from: [{ kafka: 'header', name: 'h' }, { kafka: 'key', field: '/a' }, { kafka: 'offset' }]
    })
    // @ts-expect-error -- a header needs a name
    expect(() => createPlan({ into: '/pk', from: [{ kafka: 'header' }] })).toThrow('/from/0/name')
    // @ts-expect-error -- the unit of the bucket is unknown
    expect(() => createPlan<Telemetry>({ into: '/pk', from: [{ bucket: 'week', of: '/deviceId' }] })).toThrow(
      'must be "year"'
    )
  })

  it('include the properties of the record and the key in the stamped record', () => {
    const plan = createPlan({ into: '/pk', from: [{ field: '/deviceId' }] })
    const result = plan.stamp({ deviceId: 'x', n: 1 })
    if (!result.ok) throw new Error(result.message)

    expectTypeOf(result.record).toEqualTypeOf<{ deviceId: string; n: number } & { pk: string }>()
    expect(result.record.pk).toBe('x')
  })

  it('require a rule for a field that may be missing or null, and reject an object or an array', () => {
    interface Trip {
      vin: string
      at: Date
      tip?: number
      note: string | null
      both?: string | null
      tags: string[]
      deep?: { a: string }
      anything: unknown
    }
    createPlan<Trip>({
      into: '/pk',
      from: [
        { field: '/vin' },
        { bucket: 'day', of: '/at' },
        { field: '/tip', missing: { use: 'none' } },
        { field: '/note', null: 'reject' },
        { field: '/both', missing: 'reject', null: 'reject' },
        { field: '/tags', wrongType: 'reject' },
        { field: '/deep/a', missing: 'reject' },
        { field: '/deep', missing: 'reject', null: 'reject', wrongType: 'reject' },
        { field: '/anything' },
        { field: '/anything/below' }
      ]
    })
    const wrongs = [
      // @ts-expect-error -- may be missing
      () => createPlan<Trip>({ into: '/pk', from: [{ field: '/tip' }] }),
      // @ts-expect-error -- may be null
      () => createPlan<Trip>({ into: '/pk', from: [{ field: '/note', missing: 'reject' }] }),
      // @ts-expect-error -- may be missing, too
      () => createPlan<Trip>({ into: '/pk', from: [{ field: '/both', null: 'reject' }] }),
      // @ts-expect-error -- is an array
      () => createPlan<Trip>({ into: '/pk', from: [{ field: '/tags', missing: 'reject' }] }),
      // @ts-expect-error -- is an object
      () => createPlan<Trip>({ into: '/pk', from: [{ field: '/deep', missing: 'reject' }] }),
      // @ts-expect-error -- its parent may be missing
      () => createPlan<Trip>({ into: '/pk', from: [{ bucket: 'day', of: '/deep/a' }] }),
      // @ts-expect-error -- a suffix cannot use it without a rule
      () => createPlan<Trip>({ into: '/pk', from: [{ field: '/vin' }], suffix: { by: '/tip', count: 4 } }),
      // @ts-expect-error -- a key of several levels cannot use it without a rule
      () => createPlan<Trip>({ levels: [{ into: '/pk', from: [{ field: '/tip' }] }] })
    ]
    for (const wrong of wrongs) expect(wrong).not.toThrow()
  })

  it('declare a key as a string if it can only be a string', () => {
    const record = { tenant: 7, at: 'x', pk: 'y' }
    const suffixed = createPlan({ into: '/key', from: [{ field: '/at' }], suffix: { by: '/tenant', count: 4 } }).stamp(
      record
    )
    const own = createPlan({ into: '/tenant', from: [{ field: '/tenant' }] }).stamp(record)
    const kept = createPlan({ into: '/key', from: [{ field: '/at' }], existing: 'keep' }).stamp(record)
    const levels = createPlan({
      levels: [
        { into: '/tenant', from: [{ field: '/tenant' }] },
        { into: '/day', from: [{ field: '/at' }] },
        { into: '/id', from: [{ id: true }] }
      ]
    }).stamp({ ...record, id: 'i' })
    if (!suffixed.ok || !own.ok || !kept.ok || !levels.ok) throw new Error('A record was rejected.')

    expectTypeOf(suffixed.record.key).toEqualTypeOf<string>()
    expectTypeOf(own.record.tenant).toEqualTypeOf<number>()
    expectTypeOf(kept.record.key).toEqualTypeOf<KeyValue>()
    expectTypeOf(levels.record.day).toEqualTypeOf<string>()
    expectTypeOf(levels.record.tenant).toEqualTypeOf<number>()
    expectTypeOf(levels.record.id).toEqualTypeOf<string>()
    expect([suffixed.record.key, own.record.tenant, levels.record.day]).toEqual([expect.any(String), 7, 'x'])
  })

  it('keep the key in the record type if only the record type is given', () => {
    interface Trip {
      vin: string
      n: number
    }
    const result = createPlan<Trip>({ into: '/pk', from: [{ field: '/vin' }] }).stamp({ vin: 'x', n: 1 })
    if (!result.ok) throw new Error(result.message)

    expectTypeOf(result.record.pk).toEqualTypeOf<string>()
    expectTypeOf(result.record.n).toEqualTypeOf<number>()
    const text: string = result.record.pk
    expect(text).toBe('x')
    // @ts-expect-error -- the property of the record is a number
    const wrong: string = result.record.n
    expect(wrong).toBe(1)
  })

  it('report a misspelled property of a stamped record with createPlanFor', () => {
    interface Trip {
      vin: string
      n: number
      tip?: number
    }
    const plan = createPlanFor<Trip>()({ into: '/pk', from: [{ field: '/vin' }] }, { requireId: false })
    const trip: Trip = { vin: 'x', n: 1 }
    const result = plan.stamp(trip)
    if (!result.ok) throw new Error(result.message)

    expectTypeOf(result.record).toEqualTypeOf<Trip & { pk: string }>()
    // @ts-expect-error -- neither the record nor the key has this property
    expect(result.record.pkk).toBeUndefined()
    // @ts-expect-error -- the record lacks a property of its type
    expect(plan.stamp({ vin: 'x' })).toMatchObject({ ok: true })
    // @ts-expect-error -- the record type has no such field
    createPlanFor<Trip>()({ into: '/pk', from: [{ field: '/vim' }] })
    // @ts-expect-error -- may be missing
    createPlanFor<Trip>()({ into: '/pk', from: [{ field: '/tip' }] })
    createPlanFor<Trip>()({ into: '/pk', from: [{ field: '/tip', missing: { use: 'none' } }] })
    const definition = { into: '/pk', from: [{ field: '/vin' }] } as const
    expectTypeOf(createPlanFor<Trip>()(definition)).toEqualTypeOf(plan)
    const read: PlanDefinition<Trip> = definition
    expectTypeOf(createPlanFor<Trip>()(read)).toEqualTypeOf(createPlan<Trip>(read))
  })

  it('accept a plan of any definition as a Plan', () => {
    const plan: Plan = createPlan({ into: '/pk', from: [{ field: '/vin' }] })
    const definition: PlanDefinition = { into: '/pk', from: [{ field: '/vin' }] }
    const other: Plan = createPlan(definition)

    expect(plan.fingerprint).toBe(other.fingerprint)
  })

  it('accept a plan that is not known at compile time', () => {
    expectTypeOf(createPlan(JSON.parse('{"into":"/pk","from":[{"field":"/a"}]}')).stamp({ a: 1 })).not.toBeNever()
  })
})
