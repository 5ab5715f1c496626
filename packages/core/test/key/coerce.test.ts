import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { createPlan, joinedLength, joinInto, type PlanDefinition } from '../../src/index.ts'
import { keyOf, keyOfBytes } from './stamped.ts'

const month: PlanDefinition = { into: '/pk', from: [{ field: '/a', type: 'integer', coerce: true }] }

/** Returns the key or the rejection; expects the same from both front ends. */
function agreed(plan: PlanDefinition, record: object): unknown {
  const fromBytes = keyOfBytes(plan, JSON.stringify(record))
  expect(keyOf(plan, structuredClone(record))).toEqual(fromBytes)
  return fromBytes
}

describe('an integer with coerce', () => {
  it.each([
    ['15', '15'],
    ['-15', '-15'],
    ['0', '0'],
    ['-0', '0'],
    ['015', '15'],
    ['-007', '-7'],
    ['000', '0'],
    ['9007199254740993', '9007199254740993'],
    ['009007199254740993', '9007199254740993']
  ])('is read from the string %j', (text, key) => {
    expect(agreed(month, { a: text })).toBe(key)
  })

  it('makes the same key from a number and from a string of its digits with leading zeros', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }), fc.nat(5), (number, zeros) => {
        const text = `${number < 0n ? '-' : ''}${'0'.repeat(zeros)}${number < 0n ? -number : number}`

        expect(agreed(month, { a: text })).toBe(keyOfBytes(month, `{"a":${number}}`))
      })
    )
  })

  it.each(['15.0', '1e3', '+15', ' 15', '15 ', '0x15', '1_000', '१५', '-', 'x'])(
    'rejects the string %j, and reports the accepted values',
    (text) => {
      expect(agreed(month, { a: text })).toMatchObject({
        code: 'FIELD_WRONG_TYPE',
        path: '/a',
        message:
          'A field of the key is not of the declared type "integer": /a. With "coerce", the plan accepts strings of digits, such as 15 or -15.'
      })
    }
  )

  it('is a number in the key and in the document if its own path is the path of the key', () => {
    const own = createPlan({ into: '/a', from: [{ field: '/a', type: 'integer', coerce: true }] })
    const stamped = own.stampBytes(Buffer.from('{"a":"015","b":1}'))
    if (!stamped.ok) throw new Error(stamped.message)
    const target = Buffer.alloc(joinedLength(stamped))
    joinInto(stamped, target, 0)

    expect(stamped.values).toEqual([15])
    expect(target.toString()).toBe('{"a":15,"b":1}')
    expect(own.stamp({ a: '015' })).toMatchObject({ values: [15], record: { a: 15 } })
    expect(own.stamp({ a: '9007199254740993' })).toMatchObject({ code: 'NUMBER_INEXACT' })
    expect(own.keyFor({ a: '015' }).key).toBe(15)
  })

  it('can also be the field of a suffix or of an id', () => {
    const field = { field: '/a', type: 'integer', coerce: true } as const
    const plan: PlanDefinition = {
      into: '/pk',
      from: [{ literal: 'x' }, { id: true }],
      suffix: { by: field, count: 400 },
      id: { from: [field] }
    }

    expect(agreed(plan, { a: '015' })).toEqual(agreed(plan, { a: 15 }))
  })

  it('is rejected as a string if the plan has no coerce, and the message contains the remedy', () => {
    expect(agreed({ into: '/pk', from: [{ field: '/a', type: 'integer' }] }, { a: '15' })).toMatchObject({
      code: 'FIELD_WRONG_TYPE',
      message:
        'A field of the key is not of the declared type "integer": /a. With "coerce": true the plan accepts strings of digits.'
    })
  })
})

function minuteOf(epoch: 'seconds' | 'milliseconds' | 'microseconds', coerce = true): PlanDefinition {
  return { into: '/pk', from: [{ bucket: 'minute:1', of: '/at', epoch, coerce }] }
}

describe('a time with coerce', () => {
  it.each([
    ['seconds', '1533081600', '2018-08-01T00:00'],
    ['seconds', '1533081659.999', '2018-08-01T00:00'],
    ['seconds', '-60', '1969-12-31T23:59'],
    ['milliseconds', '1533081600000', '2018-08-01T00:00'],
    ['microseconds', '1533081600000000', '2018-08-01T00:00'],
    ['microseconds', '1533081599999999', '2018-07-31T23:59']
  ] as const)('in %s is read from the string %s', (epoch, text, key) => {
    expect(agreed(minuteOf(epoch), { at: text })).toBe(key)
    expect(agreed(minuteOf(epoch, false), { at: Number(text) })).toBe(key)
  })

  it('may also be an ISO 8601 string', () => {
    expect(agreed(minuteOf('seconds'), { at: '2018-08-01T00:00:30Z' })).toBe('2018-08-01T00:00')
  })

  it('is assigned to the correct minute from a string of microseconds', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 150_000_000 }), (minute) => {
        const start = new Date(minute * 60_000).toISOString().slice(0, 16)

        expect(keyOf(minuteOf('microseconds'), { at: minute * 60_000_000 })).toBe(start)
        expect(keyOf(minuteOf('microseconds'), { at: String(minute * 60_000_000 + 59_999_999) })).toBe(start)
      })
    )
  })

  it.each<[PlanDefinition, unknown, string]>([
    [minuteOf('seconds'), 'noon', 'numbers that count seconds since 1970, including strings of digits.'],
    [
      minuteOf('milliseconds', false),
      '1533081600000',
      'numbers that count milliseconds since 1970, as strings with "coerce": true.'
    ],
    [{ into: '/pk', from: [{ bucket: 'day', of: '/at' }] }, '08/01/2018', 'numbers with "epoch".'],
    [{ into: '/pk', from: [{ bucket: 'day', of: '/at' }] }, 1533081600, 'numbers with "epoch".']
  ])('is rejected with a message that contains the accepted values: %j', (plan, at, numbers) => {
    expect(agreed(plan, { at })).toMatchObject({
      code: 'TIME_INVALID',
      message: `A field is not a valid time for a bucket: /at. The plan accepts ISO 8601 strings such as 2018-08-09T07:15:00Z, and ${numbers}`
    })
  })
})

function fingerprintWith(component: object): string {
  const field = { field: '/a', type: 'integer', ...component } as const
  return createPlan({ into: '/pk', from: [field, { bucket: 'day', of: '/at', epoch: 'seconds' }] }).fingerprint
}

describe('the fingerprint of a plan', () => {
  it('does not depend on coerce, which only decides whether a record is rejected', () => {
    expect(fingerprintWith({ coerce: true })).toBe(fingerprintWith({}))
    expect(fingerprintWith({ coerce: false })).toBe(fingerprintWith({}))
  })

  it('depends on coerce if the plan has a substitute for values of a wrong type', () => {
    const wrongType = { use: 'odd' }

    expect(fingerprintWith({ coerce: true, wrongType })).not.toBe(fingerprintWith({ wrongType }))
    expect(fingerprintWith({ coerce: false, wrongType })).toBe(fingerprintWith({ wrongType }))
  })
})
