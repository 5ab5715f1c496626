import { describe, expect, test } from 'vitest'
import { DecodeFailure } from '../../../src/decode/decode-failure.ts'
import { JsonTarget } from '../../../src/decode/json/json-target.ts'
import { createProtobufReader } from '../../../src/decode/protobuf/proto-reader.ts'
import type { ProtoMessage } from '../../../src/decode/protobuf/proto-schema.ts'
import { decoded, encoded, field, framedIndexes, varint } from './proto-of.ts'

const HEAD = 'syntax = "proto3"; '
const ZERO = Buffer.from([0])

/** Decodes the fields of the first message of a schema. */
function fieldsOf(schema: string, ...fields: readonly Buffer[]): string {
  return decoded(HEAD + schema, Buffer.concat([ZERO, ...fields]))
}

function failureOf(call: () => unknown): DecodeFailure {
  try {
    call()
  } catch (error) {
    if (error instanceof DecodeFailure) return error
    throw error
  }
  throw new Error('The bytes were decoded.')
}

/** A message in a message, to this depth. */
function nest(depth: number): Buffer {
  let bytes: Uint8Array = new Uint8Array(0)
  for (let level = 1; level < depth; level++) bytes = field(1, bytes)
  return Buffer.concat([ZERO, bytes])
}

describe('a message', () => {
  test.each([
    ['int32 a = 1;', { a: -5 }, '{"a":-5}'],
    ['int64 a = 1;', { a: -5 }, '{"a":-5}'],
    ['int64 a = 1;', { a: '9007199254740991' }, '{"a":9007199254740991}'],
    ['int64 a = 1;', { a: '-9223372036854775808' }, '{"a":"-9223372036854775808"}'],
    ['uint64 a = 1;', { a: '18446744073709551615' }, '{"a":"18446744073709551615"}'],
    ['sint64 a = 1;', { a: '-9223372036854775808' }, '{"a":"-9223372036854775808"}'],
    ['sint64 a = 1;', { a: '-9007199254740991' }, '{"a":-9007199254740991}'],
    ['fixed64 a = 1;', { a: '18446744073709551615' }, '{"a":"18446744073709551615"}'],
    ['sfixed64 a = 1;', { a: -2 }, '{"a":-2}'],
    ['uint32 a = 1;', { a: 4_294_967_295 }, '{"a":4294967295}'],
    ['sint32 a = 1;', { a: -2_147_483_648 }, '{"a":-2147483648}'],
    ['fixed32 a = 1;', { a: 4_294_967_295 }, '{"a":4294967295}'],
    ['sfixed32 a = 1;', { a: -1 }, '{"a":-1}'],
    ['float a = 1;', { a: 36.6 }, '{"a":36.6}'],
    ['double a = 1;', { a: 0.1 }, '{"a":0.1}'],
    ['bool a = 1;', { a: true }, '{"a":true}'],
    ['string a = 1;', { a: 'é"\n' }, '{"a":"é\\"\\n"}'],
    ['bytes a = 1;', { a: Buffer.from([1, 2]) }, '{"a":"AQI="}'],
    ['E a = 1; enum E { A = 0; B = 1; }', { a: 'B' }, '{"a":"B"}'],
    ['repeated int32 a = 1;', { a: [1, -1, 300] }, '{"a":[1,-1,300]}'],
    ['repeated int32 a = 1 [packed = false];', { a: [1, 2] }, '{"a":[1,2]}'],
    ['repeated string a = 1;', { a: ['x', ''] }, '{"a":["x",""]}'],
    ['repeated M a = 1;', { a: [{ a: [] }, {}] }, '{"a":[{"a":[]},{"a":[]}]}'],
    ['map<string, int32> a = 1;', { a: { x: 1, '"': 2 } }, '{"a":{"x":1,"\\"":2}}'],
    ['map<int64, M> a = 1;', { a: { 5: {}, '-1': {} } }, '{"a":{"5":{"a":{}},"-1":{"a":{}}}}'],
    ['map<bool, string> a = 1;', { a: { true: 'x' } }, '{"a":{"true":"x"}}'],
    ['M a = 1; string b = 2;', { a: { b: 'x' } }, '{"a":{"b":"x"},"b":""}'],
    ['oneof o { string a = 1; int32 b = 2; }', { b: 0 }, '{"b":0}'],
    ['optional int32 a = 1; optional int32 b = 2;', { a: 0 }, '{"a":0}']
  ])('with `%s` of %j becomes %s', (body, value, json) => {
    const schema = `${HEAD}message M { ${body} }`

    expect(decoded(schema, encoded(schema, 'M', value))).toBe(json)
  })

  test.each([
    [
      'google.protobuf.Timestamp a = 1;',
      { a: { seconds: 1_533_798_900, nanos: 5 } },
      '{"a":"2018-08-09T07:15:00.000000005Z"}'
    ],
    ['google.protobuf.Timestamp a = 1;', { a: { seconds: -1 } }, '{"a":"1969-12-31T23:59:59.000000000Z"}'],
    ['google.protobuf.Duration a = 1;', { a: { seconds: -3, nanos: -4_000_000 } }, '{"a":"-3.004s"}'],
    [
      'google.protobuf.Int64Value a = 1; google.protobuf.StringValue b = 2;',
      { a: { value: 5 }, b: {} },
      '{"a":5,"b":""}'
    ],
    ['google.protobuf.BoolValue a = 1;', {}, '{}'],
    [
      'google.protobuf.Struct a = 1;',
      {
        a: { fields: { x: { listValue: { values: [{ numberValue: 1 }, { nullValue: 0 }, { structValue: {} }, {}] } } } }
      },
      '{"a":{"x":[1,null,{},null]}}'
    ]
  ])('with the well-known type `%s` of %j becomes %s', (body, value, json) => {
    const schema = `${HEAD}import "google/protobuf/any.proto"; message M { ${body} }`

    expect(decoded(schema, encoded(schema, 'M', value))).toBe(json)
  })

  test('is found by its indexes, also inside of messages, between enums and in a package that others share', () => {
    const schema = `${HEAD}package p; import "other.proto";
      enum First { A = 0; } message Zero { string zero = 1; }
      message One { enum E { B = 0; } message Inner { map<string, string> m = 1; message Deep { Shared s = 1; Zero z = 2; } } }`
    const other = `${HEAD}package p; message Shared { int32 x = 1; }`
    const bytes = Buffer.concat([framedIndexes([1, 0, 0]), field(1, field(1, 7n))])

    expect(decoded(schema, bytes, {}, [other])).toBe('{"s":{"x":7}}')
    expect(decoded(schema, Buffer.concat([framedIndexes([1, 0]), field(1, '')]), {}, [other])).toBe('{"m":{"":""}}')
    expect(decoded(schema, Buffer.concat([framedIndexes([0]), field(1, 'x')]), {}, [other])).toBe('{"zero":"x"}')
  })

  test('may have its fields in any order and in several parts, of which the last one counts', () => {
    const body = 'message M { int32 a = 1; M m = 2; repeated int32 r = 3; oneof o { int32 x = 4; int32 y = 5; } }'

    expect(
      fieldsOf(
        body,
        field(3, 1n),
        field(2, field(1, 5n)),
        field(1, 1n),
        field(3, varint(2n)),
        field(2, field(3, 9n)),
        field(1, 2n)
      )
    ).toBe('{"a":2,"m":{"a":5,"r":[9]},"r":[1,2]}')
    expect(fieldsOf(body, field(4, 1n), field(5, 2n))).toBe('{"a":0,"r":[],"y":2}')
    expect(
      fieldsOf(
        'message M { map<string, int32> m = 1; }',
        field(1, Buffer.concat([field(1, 'k'), field(2, 1n)])),
        field(1, Buffer.concat([field(2, 2n), field(1, 'k')]))
      )
    ).toBe('{"m":{"k":2}}')
  })

  test('may have fields that its schema does not have, and groups among them', () => {
    const group = Buffer.concat([varint((9n << 3n) | 3n), field(1, 1n), varint((9n << 3n) | 4n)])

    expect(fieldsOf('message M { int32 a = 1; }', field(77, 'x'), group, field(1, 3n))).toBe('{"a":3}')
  })

  test('of proto2 leaves out what is absent, and needs what is required', () => {
    const schema = 'syntax = "proto2"; message M { required int32 a = 1; optional int32 b = 2 [default = 5]; }'

    expect(decoded(schema, encoded(schema, 'M', { a: 1 }))).toBe('{"a":1}')
    expect(failureOf(() => decoded(schema, ZERO))).toMatchObject({ path: '/a', message: 'a required field is missing' })
  })

  test.each([
    ['number', '{"e":7}'],
    ['string', '{"e":"7"}']
  ] as const)('writes enum values that the schema does not name as numbers.enum says: %s', (policy, json) => {
    const schema = `${HEAD}message M { E e = 1; enum E { A = 0; } }`
    const bytes = Buffer.concat([ZERO, field(1, 7n)])

    expect(decoded(schema, bytes, { enum: policy })).toBe(json)
    expect(failureOf(() => decoded(schema, bytes, { enum: 'reject' })).path).toBe('/e')
  })

  test('writes 64-bit integers and decimals as numbers says', () => {
    const schema = `${HEAD}import "confluent/type/decimal.proto"; message M { uint64 a = 1; confluent.type.Decimal d = 2; }`
    const decimal = Buffer.concat([field(1, Buffer.from([0xff, 0x6a])), field(2, 4n), field(3, 2n)])
    const bytes = Buffer.concat([ZERO, field(1, 2n ** 63n), field(2, decimal)])

    expect(decoded(schema, bytes)).toBe('{"a":"9223372036854775808","d":"-1.50"}')
    expect(decoded(schema, bytes, { int64: 'number', decimal: 'number' })).toBe('{"a":9223372036854775808,"d":-1.50}')
    expect(failureOf(() => decoded(schema, bytes, { int64: 'reject' })).path).toBe('/a')
  })

  test('that contains itself is decoded to the depth that JSON may have', () => {
    const schema = `${HEAD}message M { M m = 1; }`

    expect(decoded(schema, nest(128)).length).toBeGreaterThan(128)
    expect(failureOf(() => decoded(schema, nest(129))).message).toContain('nested deeper than 128 levels')
  })
})

describe('bytes that are no message are rejected with a reason', () => {
  const schema = `${HEAD}message M { string s = 1; M m = 2; double d = 3; repeated int32 r = 4; map<string, M> f = 5; google.protobuf.Timestamp t = 6; }`
  test.each([
    ['no indexes', Buffer.alloc(0), 'the bytes end inside of a value'],
    ['indexes of no message', framedIndexes([5]), 'it names a message that its schema does not have'],
    ['too many indexes', Buffer.concat([varint(1000n)]), 'it does not begin with the indexes of a message'],
    ['a negative index', Buffer.from([2, 1]), 'it does not begin with the indexes of a message'],
    ['a length that lies', Buffer.from([0, 0x0a, 0x7f, 0x61]), 'the bytes end inside of a value'],
    [
      'a length of 64 bits',
      Buffer.concat([ZERO, Buffer.from([0x0a]), varint(2n ** 40n)]),
      'the bytes end inside of a value'
    ],
    ['a varint without end', Buffer.from([0, 0x08, ...Array.from({ length: 10 }, () => 0xff)]), 'more than 64 bits'],
    ['another wire type', Buffer.concat([ZERO, field(1, 5n)]), 'another wire type than in its schema'],
    ['the number 0', Buffer.from([0, 0x02, 0x00]), 'a field in it has no valid number'],
    ['the end of no group', Buffer.from([0, 0x0c]), 'a field in it has no valid number'],
    ['a group without end', Buffer.from([0, 0x3b, 0x3b]), 'the bytes end inside of a value'],
    ['a wire type that does not exist', Buffer.from([0, 0x3f]), 'no valid wire type'],
    [
      'a packed list that is cut off',
      Buffer.concat([ZERO, field(4, Buffer.from([0x80]))]),
      'the bytes end inside of a value'
    ],
    ['text that is not UTF-8', Buffer.concat([ZERO, field(1, Buffer.from([0xff]))]), 'not valid UTF-8'],
    [
      'nanoseconds that do not exist',
      Buffer.concat([ZERO, field(6, field(2, 2_000_000_000n))]),
      'impossible nanoseconds'
    ],
    [
      'a time that is too far',
      Buffer.concat([ZERO, field(6, field(1, 2n ** 60n))]),
      'more than 275,000 years from now'
    ],
    ['a million list items of nothing', Buffer.concat([ZERO, field(4, Buffer.alloc(9_000_000))]), 'longer than 8 MiB']
  ])('%s', (_name, bytes, reason) => {
    expect(failureOf(() => decoded(schema, bytes)).message).toContain(reason)
  })

  test('without anything of the payload in the reason', () => {
    const bytes = Buffer.concat([
      ZERO,
      field(5, Buffer.concat([field(1, 'classified'), field(2, field(1, Buffer.from([0xff])))]))
    ])

    const failure = failureOf(() => decoded(schema, bytes))
    expect(`${failure.message} ${failure.path}`).not.toContain('classified')
    expect(failure.path).toBe('/f/s')
  })
})

describe('a schema that cannot be used is named as the reason', () => {
  test.each([
    ['no schema', 'message'],
    ['a missing import', `${HEAD}message M { Other o = 1; }`],
    ['a name that changes the order of messages', `${HEAD}message __proto__ { string a = 1; } message M {}`],
    ['a group', 'syntax = "proto2"; message M { optional group G = 1 { optional int32 a = 1; } }'],
    ['messages that are nested too deep', HEAD + 'message A {'.repeat(100_000)]
  ])('%s', (_name, schema) => {
    const failure = failureOf(() => decoded(schema, ZERO))

    expect(failure.code).toBe('SCHEMA_UNKNOWN')
    expect(failure.message).toMatch(/^its schema is not a Protobuf schema \(/)
  })

  test('a chain of messages that is longer than the stack', () => {
    let message: ProtoMessage = { name: 'Last', fields: [] }
    for (let left = 20_000; left > 0; left--) message = { name: 'M', fields: [fieldOf(message)] }
    const read = createProtobufReader(() => message, { int64: 'string', decimal: 'string' }, new JsonTarget())

    expect(failureOf(() => read(ZERO, 0))).toMatchObject({
      code: 'SCHEMA_UNKNOWN',
      message: 'its schema is not a Protobuf schema (it has too many messages)'
    })
  })
})

function fieldOf(message: ProtoMessage): ProtoMessage['fields'][number] {
  const type = { kind: 'message', message } as const
  return {
    number: 1,
    name: 'm',
    label: 'single',
    type,
    keys: undefined,
    hasPresence: true,
    isRequired: false,
    oneof: undefined
  }
}
