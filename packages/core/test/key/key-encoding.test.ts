import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { createPlan, type PlanDefinition } from '../../src/index.ts'

const SEPARATORS = ['-', '.', '_', ':', '|', '/', '#', '%', '"', '\\']

// strings that break naive joins: separators, escapes, digits like a suffix, fixed forms next to text, surrogate pairs,
// empty strings
const hostileText = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .array(
        fc.constantFrom(
          '-',
          '--',
          '.',
          '~',
          '~2D',
          '~~',
          '_',
          '1',
          '400',
          'a',
          '😀',
          'é',
          '2018-08-09',
          'true',
          '"',
          '\\',
          ''
        ),
        {
          maxLength: 6
        }
      )
      .map((parts) => parts.join(''))
  },
  fc.string({ unit: 'binary', maxLength: 8 }),
  fc.constantFrom(
    '',
    '-',
    '2018-08-09',
    'true',
    'false',
    '0',
    '-1',
    '1.5',
    '123e4567-e89b-12d3-a456-426614174000',
    `~~${'a'.repeat(32)}`
  )
)

const values = {
  any: fc.oneof(
    hostileText,
    fc.integer(),
    fc.boolean(),
    fc.double({ noNaN: true, noDefaultInfinity: true }).filter((n) => !Number.isInteger(n) || Number.isSafeInteger(n))
  ),
  text: hostileText,
  integer: fc.maxSafeInteger(),
  number: fc
    .double({ noNaN: true, noDefaultInfinity: true })
    .filter((n) => !Number.isInteger(n) || Number.isSafeInteger(n)),
  boolean: fc.boolean(),
  date: fc
    .date({ min: new Date('0000-01-01T00:00:00Z'), max: new Date('9999-12-31T00:00:00Z'), noInvalidDate: true })
    .map((date) => date.toISOString().slice(0, 10)),
  uuid: fc.uuid()
}
type Type = keyof typeof values

interface Case {
  readonly plan: PlanDefinition
  readonly types: readonly Type[]
  readonly hasSuffix: boolean
}

const plans: fc.Arbitrary<Case> = fc
  .record({
    types: fc.array(fc.constantFrom(...(Object.keys(values) as Type[])), { minLength: 1, maxLength: 5 }),
    separator: fc.constantFrom(...SEPARATORS),
    suffixSeparator: fc.constantFrom(...SEPARATORS),
    suffix: fc.constantFrom('none', 'numbered', 'even'),
    // can also be strings that other records of the same run have
    hot: fc.option(
      fc.dictionary(
        hostileText.filter((text) => text.isWellFormed()),
        fc.integer({ min: 1, max: 40 }),
        { minKeys: 1, maxKeys: 5 }
      )
    ),
    literal: fc.boolean(),
    tooLong: fc.constantFrom('reject' as const, 'hash' as const)
  })
  .map(({ types, separator, suffixSeparator, suffix, hot, literal, tooLong }) => {
    const fields = types.map((type, index) => ({
      field: `/f${index}`,
      empty: { use: '' },
      ...(type === 'any' ? {} : { type })
    }))
    const labels = suffix === 'even' ? ('even' as const) : ('numbered' as const)
    return {
      types,
      hasSuffix: suffix !== 'none',
      plan: {
        into: '/key',
        from: literal ? [...fields, { literal: 'v1' }] : fields,
        separator,
        tooLong,
        ...(suffix === 'none'
          ? {}
          : {
              suffix: {
                by: [{ field: '/by', empty: { use: '' } }],
                count: hot === null ? 7 : 1,
                separator: suffixSeparator,
                labels,
                ...(hot === null ? {} : { hot })
              }
            })
      }
    }
  })

function recordOf(types: readonly Type[]): fc.Arbitrary<unknown[]> {
  return fc.tuple(...types.map((type) => values[type] as fc.Arbitrary<unknown>))
}

function asRecord(components: readonly unknown[], by: string): Record<string, unknown> {
  return { ...Object.fromEntries(components.map((value, index) => [`f${index}`, value])), by }
}

describe('the string of a key', () => {
  it('L11 is decoded to exactly the component strings that it was made of', () => {
    fc.assert(
      fc.property(
        plans.chain((each) => fc.tuple(fc.constant(each), recordOf(each.types), fc.string())),
        ([{ plan, types, hasSuffix }, components, by]) => {
          const ready = createPlan(plan)
          const stamped = ready.stamp(asRecord(components, by))
          // the plan always makes a key unless a string contains a lone surrogate
          const made = stamped.ok ? 'a key' : stamped.code
          expect(['a key', 'TEXT_MALFORMED']).toContain(made)
          if (!stamped.ok) return
          const decoded = ready.decode(stamped.values[0])
          if (!decoded.ok) throw new Error(`${JSON.stringify(stamped.values)} does not decode`)
          const [level] = decoded.levels
          expect(level.parts.slice(0, types.length).map((part) => part.value)).toEqual(
            components.map((value) => String(value))
          )
          expect(level.slot !== undefined).toBe(hasSuffix)
        }
      ),
      { numRuns: 300 }
    )
  })

  it('L11 is never the same for two different lists of component strings', () => {
    fc.assert(
      fc.property(
        plans.chain((each) =>
          fc.tuple(fc.constant(each), fc.array(recordOf(each.types), { minLength: 20, maxLength: 60 }))
        ),
        ([{ plan }, records]) => {
          const ready = createPlan(plan)
          const seen = new Map<unknown, string>()
          for (const components of records) {
            const stamped = ready.stamp(asRecord(components, 'same'))
            if (!stamped.ok) continue
            const texts = JSON.stringify(components.map((value) => String(value)))
            expect(seen.get(stamped.values[0]) ?? texts).toBe(texts)
            seen.set(stamped.values[0], texts)
          }
        }
      ),
      { numRuns: 150 }
    )
  })

  it('L11 differs for all pairs of short strings of separators, escapes and digits', () => {
    const alphabet = ['-', '.', '~', '2', 'D', 'a']
    const texts = [
      '',
      ...alphabet,
      ...alphabet.flatMap((a) => alphabet.map((b) => a + b)),
      ...alphabet.flatMap((a) => alphabet.flatMap((b) => alphabet.map((c) => a + b + c)))
    ]
    const { stamp } = createPlan({
      into: '/key',
      from: [
        { field: '/a', empty: { use: '' } },
        { field: '/b', empty: { use: '' } }
      ],
      suffix: { by: '/c', count: 3 }
    })

    const keys = new Set<unknown>()
    for (const a of texts) {
      for (const b of texts) {
        const stamped = stamp({ a, b, c: 'x' })
        if (stamped.ok) keys.add(stamped.values[0])
      }
    }

    expect(keys.size).toBe(texts.length ** 2)
  })

  it('contains a date after a string unchanged, and is decoded into both parts', () => {
    const plan = createPlan({ into: '/key', from: [{ field: '/device' }, { field: '/date', type: 'date' }] })

    expect(plan.keyFor({ device: 'abc-123', date: '2018-08-09' }).key).toBe('abc-123-2018-08-09')
    expect(plan.decode('abc-123-2018-08-09')).toMatchObject({
      ok: true,
      levels: [
        {
          parts: [
            { of: '/device', value: 'abc-123' },
            { of: '/date', value: '2018-08-09' }
          ]
        }
      ]
    })
  })

  it.each([
    ['a string with the separator', { field: '/b' }, 'x-y', 'a-x~2Dy'],
    ['a negative integer', { field: '/b', type: 'integer' }, -5, 'a-~2D5'],
    ['a non-negative integer', { field: '/b', type: 'integer' }, 5, 'a-5'],
    ['the escape itself', { field: '/b' }, '~', 'a-~7E'],
    ['a boolean', { field: '/b', type: 'boolean' }, true, 'a-true'],
    [
      'a UUID',
      { field: '/b', type: 'uuid' },
      '123e4567-e89b-12d3-a456-426614174000',
      'a-123e4567-e89b-12d3-a456-426614174000'
    ],
    ['minus zero', { field: '/b' }, -0, 'a-0'],
    ['a small number', { field: '/b' }, 1e-7, 'a-1e~2D7']
  ])('has the expected form for %s after a string', (_what, component, b, key) => {
    expect(createPlan({ into: '/key', from: [{ field: '/a' }, component] as never }).keyFor({ a: 'a', b }).key).toBe(
      key
    )
  })

  it('has no escapes with the plain encoding, and is decoded only if it is unambiguous', () => {
    const plan = createPlan({ into: '/key', encoding: 'plain', from: [{ field: '/a' }, { field: '/b' }] })

    expect(plan.keyFor({ a: 'x-y', b: 'z~-' }).key).toBe('x-y-z~-')
    expect(plan.decode('x-z')).toMatchObject({ ok: true })
    expect(plan.decode('x-y-z')).toMatchObject({ ok: false, code: 'KEY_NOT_DECODABLE' })
  })
})

describe('an over-long key', () => {
  const long = 'é'.repeat(3000)
  const plan = createPlan({
    into: '/key',
    from: [{ field: '/a' }, { field: '/b' }],
    suffix: { by: '/c', count: 400 },
    tooLong: 'hash'
  })

  it('is rejected by default', () => {
    const strict = createPlan({ into: '/key', from: [{ field: '/a' }] })

    expect(strict.stamp({ a: 'x'.repeat(2048) })).toMatchObject({ ok: true })
    expect(strict.stamp({ a: 'x'.repeat(2049) })).toMatchObject({ ok: false, code: 'KEY_TOO_LONG', path: '/key' })
    expect(strict.stamp({ a: 'é'.repeat(1025) })).toMatchObject({ ok: false, code: 'KEY_TOO_LONG' })
  })

  it('is cut to 2,048 bytes with `hash`: its beginning, a hash of the whole key and the suffix; decoding reports that it was cut', () => {
    const key = plan.keyFor({ a: long, b: 'x', c: 'vin' }).key as string

    expect(key).toMatch(/^é+~~[0-9a-f]{32}\.\d+$/)
    expect(new TextEncoder().encode(key).length).toBeLessThanOrEqual(2048)
    expect(plan.decode(key)).toMatchObject({ ok: true, levels: [{ isCut: true, parts: [] }] })
  })

  // checks L11
  it('that was cut differs if the whole key differs', () => {
    const keys = ['x', 'y', 'z'].map((b) => plan.keyFor({ a: long, b, c: 'vin' }).key)

    expect(new Set(keys).size).toBe(3)
  })

  // checks L11
  it('that was cut never equals a key that was not cut', () => {
    const cut = createPlan({ into: '/key', from: [{ field: '/a' }], tooLong: 'hash' })
    const made = cut.keyFor({ a: long }).key as string

    expect(cut.keyFor({ a: made }).key).not.toBe(made)
    expect(cut.decode(cut.keyFor({ a: made }).key)).toMatchObject({ levels: [{ isCut: true }] })
  })

  it('is cut to 100 bytes with hash version 1, which ignores all characters after the hundredth', () => {
    const first = createPlan({
      into: '/key',
      hashVersion: 1,
      from: [{ field: '/a' }],
      suffix: { by: '/c', count: 400 }
    })

    expect(first.stamp({ a: 'x'.repeat(96), c: 'c' })).toMatchObject({ ok: true })
    expect(first.stamp({ a: 'x'.repeat(97), c: 'c' })).toMatchObject({ ok: false, code: 'KEY_TOO_LONG' })
  })
})
