import { describe, expect, expectTypeOf, it } from 'vitest'

import { createPlan, type KeyValue } from '../../src/index.ts'

interface Telemetry {
  deviceId: string
  'a/b~c': number
  vehicle: { vin: string; owner?: { name: string } }
  sensors: { name: string; value: number }[]
}

describe('types', () => {
  it('let a plan name only what the record type has', () => {
    createPlan<Telemetry>({
      into: '/pk',
      from: [{ field: '/deviceId' }, { field: '/vehicle/owner/name' }, { field: '/sensors/0/name' }, { field: '/a~1b~0c' }]
    })
    createPlan<Telemetry>({ into: '/pk', from: [{ field: '/deviceId' }], suffix: { by: ['/vehicle/vin'], count: 4 } })
    // @ts-expect-error -- the record type has no such field
    createPlan<Telemetry>({ into: '/pk', from: [{ field: '/deviceID' }] })
    // @ts-expect-error -- nor one inside another
    createPlan<Telemetry>({ into: '/pk', from: [{ field: '/vehicle/plate' }] })
    // @ts-expect-error -- nor is a suffix made of one
    createPlan<Telemetry>({ into: '/pk', from: [{ field: '/deviceId' }], suffix: { by: '/vin', count: 4 } })
    createPlan({ into: '/pk', from: [{ kafka: 'header', name: 'h' }, { kafka: 'key', field: '/a' }, { kafka: 'offset' }] })
    // @ts-expect-error -- a header has a name
    expect(() => createPlan({ into: '/pk', from: [{ kafka: 'header' }] })).toThrow('/from/0/name')
    // @ts-expect-error -- a bucket has units
    expect(() => createPlan<Telemetry>({ into: '/pk', from: [{ bucket: 'week', of: '/deviceId' }] })).toThrow('must be "year"')
  })

  it('give the record and its key', () => {
    const plan = createPlan({ into: '/pk', from: [{ field: '/deviceId' }] })
    const result = plan.stamp({ deviceId: 'x', n: 1 })
    if (!result.ok) throw new Error(result.message)

    expectTypeOf(result.record).toEqualTypeOf<{ deviceId: string; n: number } & { pk: KeyValue }>()
    expect(result.record.pk).toBe('x')
  })

  it('take plans that are only known at run time', () => {
    expectTypeOf(createPlan(JSON.parse('{"into":"/pk","from":[{"field":"/a"}]}')).stamp({ a: 1 })).not.toBeNever()
  })
})
