import { describe, expect, it } from 'vitest'
import { createPlan } from '../../src/index.ts'

describe('a key', () => {
  it('L3 contains the topic of each record', () => {
    const plan = createPlan({ into: '/pk', from: [{ kafka: 'topic' }, { field: '/a' }] })
    const keyIn = (topic: string): unknown => plan.stamp({ a: 'x' }, { topic })

    expect([keyIn('one'), keyIn('two'), keyIn('one')]).toMatchObject([
      { values: ['one-x'] },
      { values: ['two-x'] },
      { values: ['one-x'] }
    ])
  })

  it('L3 contains the last of several headers with the same name', () => {
    const plan = createPlan({ into: '/pk', from: [{ kafka: 'header', name: 'h' }, { field: '/a' }] })

    expect(plan.stamp({ a: 'x' }, { headers: { h: ['first', 'last'] } })).toMatchObject({ values: ['last-x'] })
  })

  it('L3 is the same for an invalid Date as for null, which is its JSON', () => {
    const plan = createPlan({ into: '/pk', from: [{ field: '/a' }, { field: '/b' }] })
    const record = { a: 'x', b: new Date(Number.NaN) }

    expect(plan.stamp(record)).toEqual(plan.stamp(JSON.parse(JSON.stringify(record)) as object))
  })

  it('L3 is 0 for -0, as in JSON', () => {
    const plan = createPlan({ into: '/a', from: [{ field: '/a' }] })
    const { values } = plan.stamp({ a: -0 }) as unknown as { readonly values: readonly unknown[] }

    expect(Object.is(values[0], 0)).toBe(true)
  })

  it('L3 is the same for an integer as for the equal bigint', () => {
    const plan = createPlan({ into: '/pk', from: [{ field: '/pk' }] })

    expect(plan.stamp({ pk: 10n })).toMatchObject({ values: [10] })
  })
})

describe('a record of a class', () => {
  class Reading {
    readonly id = 'r'
    readonly a = 'x'
    get b(): string {
      return 'y'
    }
  }
  const from = [{ field: '/a' }, { field: '/b' }] as const

  it.each([
    ['its key is at the top level', { into: '/pk', from }],
    ['its key is nested', { into: '/deep/pk', from }],
    ['its id is made, too', { into: '/pk', from, id: { from: [{ field: '/id' }], existing: 'keep' } }]
  ] as const)('L3 has the properties of its JSON, and none of its class, if %s', (_title, definition) => {
    const plan = createPlan(definition)
    const missing = { ok: false, code: 'FIELD_MISSING', path: '/b' }

    expect(plan.stamp(new Reading())).toMatchObject(missing)
    expect(plan.stampBytes(new TextEncoder().encode(JSON.stringify(new Reading())))).toMatchObject(missing)
    expect(() => plan.keyFor(new Reading())).toThrow('/b')
    expect(plan.stamp(Object.assign(Object.create(null) as object, { id: 'r', a: 'x', b: 'y' }))).toMatchObject({
      values: ['x-y']
    })
  })
})

describe('a path inside a record', () => {
  const nested = createPlan({ into: '/deep/pk', from: [{ field: '/a' }, { field: '/b' }] })

  it('L14 is rejected with a clear message if a getter throws', () => {
    const record = {
      a: 'x',
      get b(): string {
        throw new Error('no')
      }
    }

    expect(nested.stamp(record)).toMatchObject({ ok: false, code: 'RECORD_UNREADABLE' })
  })

  it('L14 leads to an own property of the record, even if every object inherits a property of that name', () => {
    const plan = createPlan({ into: '/toString/pk', from: [{ field: '/a' }, { field: '/b' }] })
    const record: Record<string, unknown> = { a: 'x', b: 'y' }

    expect(plan.stamp(record)).toMatchObject({ ok: true, values: ['x-y'] })
    expect(record).toEqual({ a: 'x', b: 'y', toString: { pk: 'x-y' } })
    expect(Object.hasOwn(inherited(), 'pk')).toBe(false)
  })

  it('L14 cannot lead into a Date', () => {
    expect(nested.stamp({ a: 'x', b: 'y', deep: new Date(0) })).toMatchObject({
      ok: false,
      code: 'INTO_BLOCKED',
      path: '/deep'
    })
  })
})

function inherited(): object {
  return Reflect.get(Object.prototype, 'toString') as object
}
