import { describe, expect, it } from 'vitest'

import { parseSchema } from '../../../src/decode/avro/avro-schema.ts'
import { DecodeFailure } from '../../../src/decode/decode-failure.ts'

const recordOf = (type: unknown, rest: object = {}): object => ({
  type: 'record',
  name: 'R',
  fields: [{ name: 'f', type, ...rest }]
})

function deep(levels: number): unknown {
  let schema: unknown = 'int'
  for (let level = 0; level < levels; level++) schema = { type: 'array', items: schema }
  return schema
}

describe('an Avro schema', () => {
  it.each<readonly [string, unknown]>([
    ['with a default that Avro forbids', recordOf(['string', 'null'], { default: null })],
    ['with a default of another type', recordOf('int', { default: 'none' })],
    ['with an unknown order', recordOf('int', { order: 'sideways' })],
    ['with a type inside of a type', recordOf({ type: { type: 'string', 'avro.java.string': 'String' } })],
    [
      'with a name as a type',
      { type: 'record', name: 'a.b.R', fields: [{ name: 'f', type: ['null', { type: 'a.b.R' }] }] }
    ],
    ['with two numbers in a union', recordOf(['int', 'long', 'string', { type: 'enum', name: 'E', symbols: ['A'] }])],
    [
      'with words of JavaScript as names',
      {
        type: 'record',
        name: 'class',
        fields: [
          { name: '__proto__', type: 'int' },
          { name: 'default', type: 'int' }
        ]
      }
    ],
    ['100 levels deep', deep(100)]
  ])('can be used %s', (_name, schema) => {
    expect(parseSchema(schema)).toHaveProperty('kind')
  })

  it.each<readonly [string, unknown]>([
    ['undefined', undefined],
    ['null', null],
    ['a number', 5],
    ['a name that is not defined', recordOf('Missing')],
    ['a record without fields', { type: 'record', name: 'R' }],
    ['fields that are not objects', { type: 'record', name: 'R', fields: [null, 5] }],
    ['a name with code in it', { type: 'record', name: 'R', fields: [{ name: 'a;process.exit(1)', type: 'int' }] }],
    ['a name twice', [recordOf('int'), recordOf('long')]],
    ['a union in a union', ['null', ['int']]],
    ['10,000 levels', deep(10_000)],
    ['a name that every object inherits', recordOf('constructor')],
    [
      'a name that every object inherits, after a logical type',
      recordOf([{ type: 'fixed', name: 'F', size: 3, logicalType: 'uuid' }, 'toString'])
    ]
  ])('is refused in one sentence when it is %s', (_name, schema) => {
    const parse = (): unknown => parseSchema(schema)
    expect(parse).toThrow(DecodeFailure)
    expect(parse).toThrow(expect.objectContaining({ code: 'SCHEMA_UNKNOWN' }) as Error)
  })

  it('resolves its names, even across several schemas', () => {
    const inner = { type: 'record', name: 'x.Inner', fields: [{ name: 'n', type: 'int' }] }
    const middle = { type: 'array', items: 'x.Inner' }

    const type = parseSchema(
      { type: 'record', name: 'Outer', namespace: 'x', fields: [{ name: 'a', type: 'Inner' }] },
      [inner, middle]
    )

    expect(type).toEqual({
      kind: 'record',
      fields: [
        { name: 'a', type: { kind: 'record', fields: [{ name: 'n', type: { kind: 'int', logical: undefined } }] } }
      ]
    })
  })
})
