import { describe, expect, it } from 'vitest'
import { schemaComplaints } from '../../src/json/json-schema.ts'

const KEY = { type: 'object', properties: { share: { type: 'number' } }, required: ['share'] }
const ORDER = {
  type: 'object',
  properties: { key: { anyOf: [{ $ref: '#/$defs/key' }, { type: 'null' }] } },
  $defs: { key: KEY }
}

describe('schemaComplaints', () => {
  it.each([
    ['of each kind that is allowed', { key: null }, []],
    ['whose depth fits', { key: { share: 0.5 } }, []],
    ['that lacks a property in its depth', { key: {} }, ['/key/share is missing']],
    ['with a wrong type in its depth', { key: { share: 'x' } }, ['/key/share is no number']],
    ['of a kind that is not allowed', { key: 'x' }, ['/key fits no alternative']]
  ])('says of a value with alternatives what is wrong: %s', (_title, value, complaints) => {
    expect(schemaComplaints(ORDER, value)).toEqual(complaints)
  })

  it('throws for a keyword that it does not support, instead of ignoring it', () => {
    expect(() => schemaComplaints({ unevaluatedProperties: false }, {})).toThrow('"unevaluatedProperties"')
  })
})
