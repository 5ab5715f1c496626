import { describe, expect, it } from 'vitest'

import { createPlan, type PlanDefinition, type Source } from '../../src/index.ts'
import { keyOf, keyOfBytes } from './stamped.ts'

const ride: PlanDefinition = { into: '/pk', from: [{ field: '/medallion' }, { bucket: 'day', of: '/at' }] }
const at = '2018-08-01 00:00:05'

/** Returns the key or the rejection; expects the same from both front ends. */
function agreed(plan: PlanDefinition, record: object, source?: Source): unknown {
  const fromBytes = keyOfBytes(plan, JSON.stringify(record), source)
  expect(keyOf(plan, structuredClone(record), source)).toEqual(fromBytes)
  return fromBytes
}

describe('a component that is an empty string', () => {
  it('rejects the record with the code FIELD_EMPTY and the path of the component', () => {
    expect(agreed(ride, { medallion: '', at })).toEqual({
      ok: false,
      code: 'FIELD_EMPTY',
      path: '/medallion',
      at: undefined,
      message: 'A field of the key is an empty string: /medallion.'
    })
  })

  it.each<[unknown, string, string]>([
    ['', 'FIELD_EMPTY', 'A field of the suffix of the key is an empty string: /vin.'],
    [undefined, 'FIELD_MISSING', 'A field of the suffix of the key is missing: /vin.'],
    [null, 'FIELD_NULL', 'A field of the suffix of the key is null: /vin.'],
    [
      {},
      'FIELD_WRONG_TYPE',
      'A field of the suffix of the key is an object or an array; a key is made of strings, numbers and booleans: /vin.'
    ]
  ])(
    'is rejected in a suffix with a message that names the suffix, as are other invalid values: %j',
    (vin, code, message) => {
      const plan: PlanDefinition = { into: '/pk', from: [{ field: '/day' }], suffix: { by: '/vin', count: 4 } }

      expect(agreed(plan, { day: 'd', vin })).toMatchObject({ ok: false, code, path: '/vin', message })
    }
  )

  it.each<[string, PlanDefinition, object]>([
    ['the only component', { into: '/pk', from: [{ field: '/a' }] }, { a: '' }],
    [
      'a field of type text',
      { into: '/pk', from: [{ field: '/b' }, { field: '/a', type: 'text' }] },
      { a: '', b: 'x' }
    ],
    ['a field of another type', { into: '/pk', from: [{ field: '/a', type: 'integer' }] }, { a: '' }],
    ['a field in NFC', { into: '/pk', from: [{ field: '/a', normalize: 'NFC' }] }, { a: '' }],
    ['the time of a bucket', { into: '/pk', from: [{ bucket: 'day', of: '/a' }] }, { a: '' }],
    ['a key at its own path', { into: '/a', from: [{ field: '/a' }] }, { a: '' }],
    [
      'the field of a suffix',
      { into: '/pk', from: [{ field: '/b' }], suffix: { by: '/a', count: 4 } },
      { a: '', b: 'x' }
    ],
    [
      'a part of the id',
      { into: '/pk', from: [{ field: '/b' }], id: { from: [{ field: '/b' }, { field: '/a' }] } },
      { a: '', b: 'x' }
    ]
  ])('rejects the record if it is %s', (_what, plan, record) => {
    expect(agreed(plan, record)).toMatchObject({ ok: false, code: 'FIELD_EMPTY', path: '/a' })
  })

  it('is rejected in an id with a message that names the id', () => {
    const plan: PlanDefinition = { into: '/pk', from: [{ field: '/b' }], id: { from: [{ field: '/a' }] } }

    expect(agreed(plan, { a: '', b: 'x' })).toMatchObject({
      message: 'A field of the id is an empty string: /a.'
    })
    expect(agreed(plan, { b: 'x' })).toMatchObject({ message: 'A field of the id is missing: /a.' })
  })

  it.each([
    ['key', { kafka: 'key' }, 'The plan reads the key of the Kafka record, which is an empty string.'],
    [
      "key's property",
      { kafka: 'key', field: '/a' },
      "The plan reads the key's property /a of the Kafka record, which is an empty string."
    ],
    [
      'header',
      { kafka: 'header', name: 'h' },
      'The plan reads the header "h" of the Kafka record, which is an empty string.'
    ]
  ] as const)('rejects the record if it is the %s of the Kafka record', (_what, component, message) => {
    const source = { key: 'field' in component ? '{"a":""}' : '', headers: { h: '' } }

    expect(agreed({ into: '/pk', from: [component] }, {}, source)).toMatchObject({ code: 'FIELD_EMPTY', message })
    expect(agreed({ into: '/pk', from: [{ ...component, empty: { use: 'none' } }] }, {}, source)).toBe('none')
    expect(createPlan({ into: '/pk', from: [component] }).keyFor({}, source).key).toBe('')
  })

  it('is replaced by the substitute of the plan', () => {
    const plan: PlanDefinition = {
      into: '/pk',
      from: [
        { field: '/a', empty: { use: 'no-one' } },
        { field: '/b', empty: { use: 'no-one' } }
      ]
    }

    expect(agreed(plan, { a: '', b: '' })).toBe('no-one-no~2Done')
    expect(agreed(plan, { a: 'x', b: '' })).toBe('x-no~2Done')
    expect(agreed({ into: '/a', from: [{ field: '/a', empty: { use: 'none' } }] }, { a: '' })).toBe('none')
    expect(agreed({ into: '/pk', from: [{ bucket: 'day', of: '/at', empty: { use: 'never' } }] }, { at: '' })).toBe(
      'never'
    )
  })

  it('is used unchanged with { "use": "" }', () => {
    expect(
      agreed({ into: '/pk', from: [{ field: '/a', empty: { use: '' } }, { field: '/b' }] }, { a: '', b: 'x' })
    ).toBe('-x')
    expect(agreed({ into: '/a', from: [{ field: '/a', empty: { use: '' } }] }, { a: '' })).toBe('')
  })

  it('is replaced by the substitute for a wrong type, as in version 0.1, if the plan has none for empty strings', () => {
    const use = { wrongType: { use: 'odd' } }

    expect(agreed({ into: '/pk', from: [{ field: '/a', type: 'integer', ...use }] }, { a: '' })).toBe('odd')
    expect(agreed({ into: '/pk', from: [{ bucket: 'day', of: '/a', ...use }] }, { a: '' })).toBe('odd')
    expect(
      agreed({ into: '/pk', from: [{ field: '/a', type: 'integer', ...use, empty: { use: 'none' } }] }, { a: '' })
    ).toBe('none')
  })
})

describe('a lookup of keys', () => {
  const plan = createPlan({
    into: '/pk',
    from: [{ field: '/a' }, { field: '/ok', type: 'boolean' }],
    suffix: { by: '/by', count: 3 }
  })

  it('accepts an empty string as a part, because documents with such keys exist', () => {
    expect(createPlan(ride).keyFor({ medallion: '', at }).key).toBe('-2018-08-01')
    expect(
      createPlan(ride)
        .keysFor({ medallion: '' }, { between: ['2018-08-01', '2018-08-02'] })
        .map(({ key }) => key)
    ).toEqual(['-2018-08-01', '-2018-08-02'])
    expect(createPlan(ride).decode('-2018-08-01')).toMatchObject({
      ok: true,
      levels: [{ parts: [{ value: '' }, { value: '2018-08-01' }] }]
    })
    expect(createPlan({ into: '/a', from: [{ field: '/a' }] }).keyFor({ a: '' }).key).toBe('')
    expect(plan.keysFor({ a: '' })).toHaveLength(6)
    expect(plan.keyFor({ a: '', ok: true, by: '' }).key).toMatch(/^-true\.[123]$/)
  })

  it('uses the substitute for an empty string if the plan has one', () => {
    expect(createPlan({ into: '/pk', from: [{ field: '/a', empty: { use: 'none' } }] }).keyFor({ a: '' }).key).toBe(
      'none'
    )
  })

  it('throws for an empty string if the type of the component does not allow it', () => {
    expect(() => createPlan({ into: '/pk', from: [{ field: '/a', type: 'integer' }] }).keyFor({ a: '' })).toThrow(
      'A field of the key is an empty string: /a.'
    )
  })
})

function fingerprintWith(component: object): string {
  return createPlan({ into: '/pk', from: [{ field: '/a', ...component }], suffix: { by: '/b', count: 4 } }).fingerprint
}

describe('the fingerprint of a plan', () => {
  it('does not depend on a rule for empty strings that only decides whether a record is rejected', () => {
    expect(fingerprintWith({ empty: 'reject' })).toBe(fingerprintWith({}))
    // this is the key that version 0.1 made
    expect(fingerprintWith({ empty: { use: '' } })).toBe(fingerprintWith({}))
  })

  it('depends on the substitute for empty strings', () => {
    expect(fingerprintWith({ empty: { use: 'none' } })).not.toBe(fingerprintWith({}))
    expect(fingerprintWith({ empty: { use: 'none' } })).not.toBe(fingerprintWith({ missing: { use: 'none' } }))
  })
})
