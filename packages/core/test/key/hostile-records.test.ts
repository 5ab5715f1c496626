import { describe, expect, it } from 'vitest'

import { createPlan } from '../../src/index.ts'

const plan = createPlan({ into: '/pk', from: [{ field: '/a' }, { field: '/b' }] })

describe('a hostile record', () => {
  it.each([
    ['null', null],
    ['a string', 'x'],
    ['a list', [1]],
    ['a number', 5],
    ['undefined', undefined],
    ['a function', () => 1]
  ])('is rejected if it is %s', (_what, record) => {
    expect(plan.stamp(record as never)).toMatchObject({ ok: false, code: 'RECORD_NOT_OBJECT' })
  })

  it.each([
    ['a string', '{"a":"x","b":"y"}'],
    ['bytes', new TextEncoder().encode('{"a":"x","b":"y"}')]
  ])('is rejected with a remedy if it is %s instead of the parsed object', (what, record) => {
    const filled = createPlan({ into: '/pk', from: [{ field: '/a', missing: { use: 'none' } }] })

    expect(filled.stamp(record as object)).toMatchObject({
      code: 'RECORD_NOT_OBJECT',
      message: expect.stringMatching(new RegExp(`^The record is ${what}, .*stampBytes.*stampLines`))
    })
  })

  it('is rejected if it is frozen, and the rejection names the path that cannot be written', () => {
    const deep = createPlan({ into: '/n/pk', from: [{ field: '/a' }] })
    const kept = createPlan({ into: '/pk', from: [{ field: '/a' }], existing: 'overwrite' })
    const refusal = { code: 'RECORD_UNREADABLE', message: expect.stringContaining('frozen') }

    expect(plan.stamp(Object.freeze({ a: 'x', b: 'y' }))).toMatchObject({ ...refusal, path: '/pk' })
    expect(kept.stamp(Object.freeze({ a: 'x', pk: 'old' }))).toMatchObject({ ...refusal, path: '/pk' })
    expect(deep.stamp({ a: 'x', n: Object.freeze({}) })).toMatchObject({ ...refusal, path: '/n/pk' })
  })

  // checks L14
  it('is accepted if it is circular or contains a bigint', () => {
    const circular: Record<string, unknown> = { a: 'x', b: 10n }
    circular['self'] = circular

    expect(plan.stamp(circular)).toMatchObject({ ok: true, values: ['x-10'] })
  })

  // checks L14
  it('is accepted if its fields have the names of inherited properties', () => {
    const named = createPlan({ into: '/constructor', from: [{ field: '/__proto__' }, { field: '/toString' }] })
    const record = JSON.parse('{"__proto__":"p","toString":"t"}') as Record<string, unknown>

    expect(named.stamp(record)).toMatchObject({ ok: true, values: ['p-t'] })
    expect(named.stamp({})).toMatchObject({ ok: false, code: 'FIELD_MISSING', path: '/__proto__' })
    expect(Object.hasOwn(record, 'constructor')).toBe(true)
    expect(({} as { p?: unknown }).p).toBeUndefined()
  })

  // checks L14
  it('has each of its getters called at most once', () => {
    const runs: string[] = []
    const watched = (name: string, value: unknown) => ({
      get: () => {
        runs.push(name)
        return value
      },
      enumerable: true
    })
    const deep = createPlan({ into: '/n/pk', from: [{ field: '/n/a' }, { field: '/n/b' }, { field: '/a' }] })
    const n = Object.defineProperties({}, { a: watched('n.a', 'x'), b: watched('n.b', 'y') })
    const record = Object.defineProperties({}, { n: watched('n', n), a: watched('a', 'z'), b: watched('b', 'w') })

    expect(deep.stamp(record)).toMatchObject({ ok: true, values: ['x-y-z'] })
    expect(plan.stamp(record)).toMatchObject({ ok: true, values: ['z-w'] })
    expect(runs).toEqual(['n', 'n.a', 'n.b', 'a', 'a', 'b'])
  })

  it.each([
    [
      'a getter throws',
      Object.defineProperty({ b: 1 }, 'a', {
        get: () => {
          throw new Error('no')
        }
      })
    ],
    ['it is frozen', Object.freeze({ a: 'x', b: 'y' })],
    ['it is a proxy that rejects writes', new Proxy({ a: 'x', b: 'y' }, { set: () => false })]
  ])('is rejected when %s', (_what, record) => {
    expect(plan.stamp(record)).toMatchObject({ ok: false, code: 'RECORD_UNREADABLE' })
  })

  // checks L14
  it('is accepted with a string of 64 MB, unless this string is in the key', () => {
    const huge = 'x'.repeat(64 << 20)

    expect(plan.stamp({ a: huge, b: huge })).toMatchObject({ ok: false, code: 'KEY_TOO_LONG' })
    expect(plan.stamp({ a: 'x', b: 'y', other: huge })).toMatchObject({ ok: true })
  })

  // checks L14
  it('of 10,000 levels is accepted as an object, and rejected as bytes', () => {
    let deep: unknown = 1
    for (let level = 0; level < 10_000; level++) deep = { deep }

    expect(plan.stamp({ a: 'x', b: 'y', deep })).toMatchObject({ ok: true })
    const json = `{"a":"x","b":"y","deep":${'['.repeat(10_000)}${']'.repeat(10_000)}}`
    expect(plan.stampBytes(new TextEncoder().encode(json))).toMatchObject({ ok: false, code: 'JSON_TOO_DEEP' })
  })
})
