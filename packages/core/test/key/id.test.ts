import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { createPlan, joinedLength, joinInto, type Rejection, type StampedBytes } from '../../src/index.ts'

const pk = { into: '/pk', from: [{ field: '/a' }] } as const

function textOf(stamped: StampedBytes | Rejection): string {
  if (!stamped.ok) throw new Error(stamped.message)
  const target = Buffer.alloc(joinedLength(stamped))
  joinInto(stamped, target, 0)
  return target.toString()
}

describe('an id made by the plan', () => {
  // checks L3
  it('can be the Kafka coordinates of the record, which are the same on every replay', () => {
    const plan = createPlan({ ...pk, id: { from: [{ kafka: 'topic' }, { kafka: 'partition' }, { kafka: 'offset' }] } })
    const source = { topic: 'cars-eu', partition: 0, offset: 17n }

    expect(plan.stamp({ a: 'x' }, source)).toMatchObject({
      id: 'cars-eu-0-17',
      record: { a: 'x', pk: 'x', id: 'cars-eu-0-17' }
    })
  })

  // checks L3
  it('is made before the key, so that the key can contain the id', () => {
    const plan = createPlan({ into: '/pk', from: [{ field: '/a' }, { id: true }], id: { from: [{ field: '/n' }] } })

    expect(plan.stamp({ a: 'x', n: 5 })).toMatchObject({ id: '5', values: ['x-5'] })
    expect(plan.keyFor({ a: 'x', n: 5 }).key).toBe('x-5')
    expect(plan.keyFor({ a: 'x', id: '5' }).key).toBe('x-5')
  })

  it.each([
    ['a/b\\c?d#e', 'a~2Fb~5Cc~3Fd~23e'],
    ['tilde~', 'tilde~7E'],
    ['line\nbreak', 'line~0Abreak'],
    ['space at the end ', 'space at the end~20'],
    ['naïve', 'naïve']
  ])('has the escapes that Cosmos DB needs: %j', (a, id) => {
    expect(createPlan({ ...pk, id: { from: [{ field: '/a' }] } }).stamp({ a })).toMatchObject({ id })
  })

  // checks L11
  it('differs for different strings', () => {
    const { stamp } = createPlan({
      into: '/pk',
      from: [{ literal: 'v1' }, { id: true }],
      id: {
        from: [
          { field: '/a', empty: { use: '' } },
          { field: '/b', empty: { use: '' } }
        ]
      }
    })
    const text = fc.array(fc.constantFrom('/', '#', '~', '~2F', '-', ' ', 'a', '\n')).map((parts) => parts.join(''))

    fc.assert(
      fc.property(fc.array(fc.tuple(text, text), { minLength: 2, maxLength: 40 }), (pairs) => {
        const seen = new Map<unknown, string>()
        for (const [a, b] of pairs) {
          const result = stamp({ a, b })
          const id = result.ok ? result.id : result.code
          expect(seen.get(id) ?? JSON.stringify([a, b])).toBe(JSON.stringify([a, b]))
          seen.set(id, JSON.stringify([a, b]))
        }
      })
    )
  })

  // the writer does not check the id again
  it.each([undefined, 'lossless', 'underscore'] as const)('is always valid for Cosmos DB: escape %s', (escape) => {
    const parts = [{ field: '/a' }, { literal: 'x?' }, { field: '/b' }]
    const made = escape === undefined ? {} : { id: { from: parts, separator: '/', escape } }
    const plan = createPlan({ ...pk, ...made }, { requireId: true })
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 20 }),
      fc.constantFrom('', '/', 'a\\b', '#', ' ', 'plain', 'y'.repeat(1023), 'é'.repeat(512), 'z'.repeat(1024))
    )
    const record = escape === undefined ? fc.record({ id: text, a: text }) : fc.record({ a: text, b: text })
    let accepted = 0

    fc.assert(
      fc.property(record, (value) => {
        for (const result of [plan.stampBytes(Buffer.from(JSON.stringify(value))), plan.stamp({ ...value })]) {
          if (!result.ok) continue
          accepted++
          expect(result.id).toMatch(/^[^/\\?#]+$/s)
          expect(Buffer.byteLength(result.id!)).toBeLessThanOrEqual(1023)
        }
      }),
      { numRuns: 250 }
    )
    expect(accepted).toBeGreaterThan(100)
  })

  it('has underscores in place of invalid characters under `underscore`, as with other connectors', () => {
    expect(
      createPlan({ ...pk, id: { from: [{ field: '/a' }], escape: 'underscore' } }).stamp({ a: 'a/b#c' })
    ).toMatchObject({
      id: 'a_b_c'
    })
  })

  it('is joined without escapes if there is no separator, and may have literals anywhere', () => {
    const from = [{ literal: 'car/' }, { kafka: 'topic' }, { literal: '--' }, { field: '/a' }] as const
    const stamp = (escape: 'lossless' | 'underscore') =>
      createPlan({ ...pk, id: { from, separator: '', escape } }).stamp({ a: 'x-y/z' }, { topic: 'eu' })

    expect(stamp('underscore')).toMatchObject({ id: 'car_eu--x-y_z' })
    expect(stamp('lossless')).toMatchObject({ id: 'car~2Feu--x-y~2Fz' })
  })

  it.each([
    ['longer than 1,023 bytes', { a: 'é'.repeat(512) }, 'ID_TOO_LONG'],
    ['made of an empty string', { a: '' }, 'FIELD_EMPTY'],
    ['different from the id in the record', { a: 'x', id: 'y' }, 'ID_DIFFERS'],
    ['made of a missing field', {}, 'FIELD_MISSING']
  ])('causes a rejection of the record if it is %s', (_what, record, code) => {
    expect(createPlan({ ...pk, id: { from: [{ field: '/a' }] } }).stamp(record)).toMatchObject({ ok: false, code })
  })

  it.each([
    ['a number', '7', '7'],
    ['a number in another notation', '7.0', '7'],
    ['minus zero', '-0', '0'],
    ['a fraction', '1.5', '1.5'],
    ['an integer beyond 2^53', '9007199254740993', '9007199254740993']
  ])('is a string, also in the document, if it is made of %s', (_what, number, text) => {
    const id = { from: [{ field: '/id' }] } as const

    for (const existing of ['verify', 'overwrite', 'keep'] as const) {
      const { stampBytes } = createPlan({ ...pk, id: { ...id, existing } })
      const stamped = stampBytes(Buffer.from(`{"id":${number},"a":"x"}`))

      expect(stamped).toMatchObject({ id: text })
      expect(textOf(stamped)).toBe(`{"id":"${text}","a":"x","pk":"x"}`)
    }
    const record = { a: 'x', id: number.length > 15 ? BigInt(number) : Number(number) }
    expect(createPlan({ ...pk, id }).stamp(record)).toMatchObject({ id: text, record: { id: text } })
    expect(createPlan({ ...pk, id }).stamp({ a: 'x', id: text })).toMatchObject({ id: text, record: { id: text } })
  })

  it('differs from an existing id that is another number or not a number', () => {
    const { stamp } = createPlan({ ...pk, id: { from: [{ field: '/n' }] } })

    for (const id of [8, 7.5, '07', true, null, [7]])
      expect(stamp({ a: 'x', n: 7, id })).toMatchObject({ code: 'ID_DIFFERS', path: '/id' })
    expect(stamp({ a: 'x', n: 7, id: 7 })).toMatchObject({ id: '7', record: { id: '7' } })
  })

  it('replaces or keeps an existing id according to the plan', () => {
    const id = { from: [{ field: '/a' }] } as const

    expect(createPlan({ ...pk, id: { ...id, existing: 'overwrite' } }).stamp({ a: 'x', id: 7 })).toMatchObject({
      id: 'x',
      record: { id: 'x' }
    })
    expect(createPlan({ ...pk, id: { ...id, existing: 'keep' } }).stamp({ a: 'x', id: 'y' })).toMatchObject({
      id: 'y',
      record: { id: 'y' }
    })
  })
})

describe('an id in the record', () => {
  const { stamp } = createPlan(pk, { requireId: true })

  it.each([
    ['missing', {}, 'ID_MISSING'],
    ['a number', { id: 5 }, 'ID_NOT_TEXT'],
    ['empty', { id: '' }, 'ID_NOT_TEXT'],
    ['with a slash', { id: 'a/b' }, 'ID_INVALID'],
    ['too long', { id: 'x'.repeat(1024) }, 'ID_TOO_LONG'],
    ['half of a surrogate pair', { id: '\ud83d' }, 'TEXT_MALFORMED']
  ])('is rejected if it is required and is %s', (_what, record, code) => {
    expect(stamp({ a: 'x', ...record })).toMatchObject({ ok: false, code, path: '/id' })
  })

  it('is rejected if it is a number, with a message that explains how to convert it', () => {
    expect(stamp({ a: 'x', id: 7 })).toMatchObject({
      message:
        'The id of the record is not a string, or is empty: /id. To convert numbers, use a plan with "id": { "from": [{ "field": "/id" }] }, ' +
        'or the option --id field:/id of keystamp load.'
    })
  })

  it('is returned with the key', () => {
    expect(stamp({ a: 'x', id: 'i' })).toMatchObject({ ok: true, id: 'i' })
  })

  it('is not required if the plan does not need it', () => {
    expect(createPlan(pk).stamp({ a: 'x' })).toMatchObject({ ok: true, id: undefined })
  })
})
