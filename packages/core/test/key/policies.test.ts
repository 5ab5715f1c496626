import { describe, expect, it } from 'vitest'

import { createPlan, type PlanDefinition } from '../../src/index.ts'
import { keyOf, keyOfBytes } from './stamped.ts'

const device: PlanDefinition = { into: '/pk', from: [{ field: '/device' }, { field: '/date' }] }

describe('a value for the key', () => {
  it.each([
    ['missing', {}, 'FIELD_MISSING'],
    ['null', { device: null }, 'FIELD_NULL'],
    ['an object', { device: {} }, 'FIELD_WRONG_TYPE'],
    ['a list', { device: [1] }, 'FIELD_WRONG_TYPE'],
    ['undefined', { device: undefined }, 'FIELD_MISSING'],
    ['a function', { device: () => 1 }, 'FIELD_MISSING'],
    ['NaN', { device: Number.NaN }, 'NUMBER_INEXACT'],
    ['half of a surrogate pair', { device: 'a\ud83d' }, 'TEXT_MALFORMED']
  ])('causes a rejection with the path, but without the value, if it is %s', (_what, record, code) => {
    const result = keyOf(device, { date: 2018, ...record })

    expect(result).toMatchObject({ ok: false, code, path: '/device' })
    expect((result as { message: string }).message).toMatch(/: \/device\.$/)
  })

  it('is replaced by the substitute of the plan if it is missing, null or of a wrong type', () => {
    const plan: PlanDefinition = {
      into: '/pk',
      from: [
        { field: '/a', type: 'integer', missing: { use: 'none' }, null: { use: 'nil' }, wrongType: { use: 'odd' } }
      ]
    }

    expect([{}, { a: null }, { a: 'x' }, { a: 7 }].map((record) => keyOf(plan, record))).toEqual([
      'none',
      'nil',
      'odd',
      '7'
    ])
  })

  it.each([
    ['text', 5],
    ['integer', 1.5],
    ['integer', '5'],
    ['number', '1.5'],
    ['boolean', 'true'],
    ['date', '2018-02-30'],
    ['date', 20180809],
    ['uuid', 'not-a-uuid']
  ] as const)('is rejected by the declared type %s if it is %j', (type, a) => {
    expect(keyOf({ into: '/pk', from: [{ field: '/a', type }] }, { a })).toMatchObject({
      code: 'FIELD_WRONG_TYPE',
      path: '/a'
    })
  })

  it('is never written as the word undefined', () => {
    expect(JSON.stringify(keyOf(device, { date: 2018 }))).not.toContain('undefined')
  })

  it('makes the same key as a string and as a number with the same digits unless a type is declared', () => {
    expect(keyOf(device, { device: 'd', date: '2018' })).toBe(keyOf(device, { device: 'd', date: 2018 }))
  })

  it('is normalized to NFC only if the plan has `normalize`', () => {
    const composed = { into: '/pk', from: [{ field: '/a', normalize: 'NFC' }] } as const

    expect(keyOf(composed, { a: 'e\u0301' })).toBe('é')
    expect(keyOf({ into: '/pk', from: [{ field: '/a' }] }, { a: 'e\u0301' })).toBe('e\u0301')
  })
})

describe('a record that already has a key', () => {
  const record = { device: 'abc', date: 2018, pk: 'other' }

  it('is accepted if this key is the key of the plan, and rejected otherwise', () => {
    expect(keyOf(device, { ...record, pk: 'abc-2018' })).toBe('abc-2018')
    expect(keyOf(device, { ...record })).toMatchObject({ ok: false, code: 'KEY_DIFFERS', path: '/pk' })
    expect(keyOf(device, { ...record, pk: null })).toMatchObject({ code: 'KEY_DIFFERS' })
  })

  it('gets the key of the plan with `overwrite`, and keeps its own key with `keep`', () => {
    expect(keyOf({ ...device, existing: 'overwrite' }, { ...record })).toBe('abc-2018')
    expect(keyOf({ ...device, existing: 'keep' }, { ...record })).toBe('other')
    expect(keyOf({ ...device, existing: 'keep' }, { ...record, pk: {} })).toMatchObject({ code: 'FIELD_WRONG_TYPE' })
  })
})

describe('a level whose only source is its own path', () => {
  const own: PlanDefinition = { into: '/tenant', from: [{ field: '/tenant' }] }

  it('keeps the type of the value', () => {
    expect([5, true, 'x'].map((tenant) => keyOf(own, { tenant }))).toEqual([5, true, 'x'])
    expect(keyOfBytes(own, '{"tenant":5}')).toBe(5)
  })

  it('rejects a number that Cosmos DB would round', () => {
    expect(keyOfBytes(own, '{"tenant":9007199254740993}')).toMatchObject({ code: 'NUMBER_INEXACT' })
  })

  it('writes the substitute if the value is missing', () => {
    const plan = createPlan({ into: '/tenant', from: [{ field: '/tenant', missing: { use: 'nobody' } }] })

    expect(plan.stamp({ other: 1 })).toMatchObject({ record: { other: 1, tenant: 'nobody' }, values: ['nobody'] })
  })
})

describe('a key at a nested path', () => {
  const nested = createPlan({ into: '/meta/keys/pk', from: [{ field: '/a' }] })

  it('creates missing parents', () => {
    expect(nested.stamp({ a: 'x' })).toMatchObject({ record: { a: 'x', meta: { keys: { pk: 'x' } } } })
    expect(nested.stamp({ a: 'x', meta: { b: 1 } })).toMatchObject({ record: { meta: { b: 1, keys: { pk: 'x' } } } })
  })

  it.each([[{ meta: 5 }], [{ meta: null }], [{ meta: [] }], [{ meta: { keys: 'x' } }]])(
    'rejects a parent that is not an object: %j',
    (blocked) => {
      expect(nested.stamp({ a: 'x', ...blocked })).toMatchObject({ ok: false, code: 'INTO_BLOCKED' })
    }
  )

  // checks L14
  it('writes nothing if one of several levels is blocked', () => {
    const plan = createPlan({
      levels: [
        { into: '/one', from: [{ field: '/a' }, { field: '/b' }] },
        { into: '/two/deep', from: [{ field: '/b' }] }
      ]
    })
    const record = { a: 'x', b: 'y', two: 7 }

    expect(plan.stamp(record)).toMatchObject({ ok: false, code: 'INTO_BLOCKED', path: '/two' })
    expect(record).toEqual({ a: 'x', b: 'y', two: 7 })
  })
})

describe('a component of the Kafka record', () => {
  const source = {
    topic: 'cars',
    partition: 3,
    offset: 42n,
    timestamp: '1533799000123',
    key: '{"vin":"V1","n":{"x":7}}',
    headers: { tenant: new TextEncoder().encode('blue') }
  }

  it.each([
    [{ kafka: 'topic' }, 'cars'],
    [{ kafka: 'partition' }, '3'],
    [{ kafka: 'offset' }, '42'],
    [{ kafka: 'timestamp' }, '1533799000123'],
    [{ kafka: 'header', name: 'tenant' }, 'blue'],
    [{ kafka: 'key' }, '{"vin":"V1","n":{"x":7}}'],
    [{ kafka: 'key', field: '/n/x' }, '7'],
    [{ bucket: 'hour', of: { kafka: 'timestamp' } }, '2018-08-09T07'],
    [{ field: '/vin', orKey: '/vin' }, 'V1']
  ] as const)('has the expected value for %j', (component, expected) => {
    expect(keyOf({ into: '/pk', from: [component] }, {}, source)).toBe(expected)
  })

  it.each([
    [{ kafka: 'topic' }],
    [{ kafka: 'offset' }],
    [{ kafka: 'header', name: 'none' }],
    [{ kafka: 'key' }],
    [{ kafka: 'key', field: '/x' }],
    [{ bucket: 'hour', of: { kafka: 'timestamp' } }]
  ] as const)('causes a rejection of the record if %j is missing', (component) => {
    expect(keyOf({ into: '/pk', from: [component] }, {})).toMatchObject({ ok: false, code: 'SOURCE_MISSING' })
  })

  it('is read from the record, and not from the Kafka key, if `orKey` is set and both have the field', () => {
    expect(keyOf({ into: '/pk', from: [{ field: '/vin', orKey: '/vin' }] }, { vin: 'own' }, source)).toBe('own')
  })

  // checks L3
  it('leads to the same suffix on every replay of a record if it is the offset', () => {
    const plan: PlanDefinition = { into: '/pk', from: [{ kafka: 'topic' }], suffix: { by: 'offset', count: 400 } }

    expect(keyOf(plan, {}, source)).toMatch(/^cars\.\d+$/)
    expect(keyOf(plan, {}, { ...source, offset: '42' })).toBe(keyOf(plan, {}, source))
    expect(keyOf(plan, {}, { topic: 'cars' })).toMatchObject({ code: 'SOURCE_MISSING' })
  })
})

describe('a random suffix', () => {
  const plan: PlanDefinition = { into: '/pk', from: [{ field: '/date' }], suffix: { by: 'random', count: 400 } }

  it('uses only the random function of the options', () => {
    expect(keyOf(plan, { date: 'd' }, undefined, { random: () => 0 })).toBe('d.1')
    expect(keyOf(plan, { date: 'd' }, undefined, { random: () => 0.9999999 })).toBe('d.400')
  })

  it('throws RANDOM_MISSING without a random function', () => {
    expect(() => createPlan(plan).stamp({ date: 'd' })).toThrow(expect.objectContaining({ code: 'RANDOM_MISSING' }))
    expect(() => createPlan(plan, { random: () => 1 }).stamp({ date: 'd' })).toThrow(
      /from 0 up to, but not including, 1/
    )
  })
})
