import fc from 'fast-check'
import protobuf from 'protobufjs'
import { expect, test } from 'vitest'
import { DecodeFailure } from '../../../src/decode/decode-failure.ts'
import { JsonTarget } from '../../../src/decode/json/json-target.ts'
import { createProtobufReader } from '../../../src/decode/protobuf/proto-reader.ts'
import { parseProto } from '../../../src/decode/protobuf/proto-schema.ts'

const SCHEMA = `syntax = "proto3";
message M {
  int32 i = 1; sint64 l = 2; fixed64 u = 3; double d = 4; float f = 5; bool b = 6; string s = 7; bytes y = 8;
  E e = 9; repeated sint32 r = 10; repeated string rs = 11; map<string, M> m = 12; repeated M nested = 13;
  oneof o { string x = 14; M z = 15; } optional int32 p = 200; repeated double rd = 3000;
  enum E { NONE = 0; ONE = 1; }
}`
const Type = protobuf.parse(SCHEMA, { keepCase: true }).root.lookupType('M')
const read = createProtobufReader(parseProto(SCHEMA), { int64: 'string', decimal: 'string' }, new JsonTarget())

const long = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })
const number = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => (value === 0 ? 0 : value))
const text = fc.string({ unit: 'binary', maxLength: 6 }).map((value) => Buffer.from(value).toString())
const message = fc.letrec<{ M: object }>((tie) => ({
  M: fc
    .record(
      {
        i: fc.integer(),
        l: long.map(String),
        u: long.map((value) => String(BigInt.asUintN(64, value))),
        d: number,
        f: fc.integer({ min: -1000, max: 1000 }).map((value) => value / 4),
        b: fc.boolean(),
        s: text,
        y: fc.uint8Array({ maxLength: 5 }).map((bytes) => Buffer.from(bytes)),
        e: fc.constantFrom('NONE', 'ONE'),
        r: fc.array(fc.integer(), { maxLength: 4 }),
        rs: fc.array(text, { maxLength: 3 }),
        rd: fc.array(number, { maxLength: 3 }),
        p: fc.integer(),
        m: fc.dictionary(
          fc.string({ maxLength: 3 }).filter((name) => name !== '__proto__'),
          fc.constant({}),
          { maxKeys: 3, noNullPrototype: true }
        ),
        nested: fc.oneof({ maxDepth: 2 }, fc.constant([]), fc.array(tie('M'), { maxLength: 2 })),
        z: fc.oneof({ maxDepth: 2 }, fc.constant({}), tie('M'))
      },
      { requiredKeys: [] }
    )
    .map(withOneof)
})).M

function withOneof(value: { readonly z?: object; readonly s?: string }): object {
  return value.s === 'x' ? { ...value, z: undefined, x: 'x' } : value
}

function bytesOf(value: object): Buffer {
  return Buffer.concat([Buffer.from([0]), Type.encode(Type.fromObject(value)).finish()])
}

test('a message of any content becomes what protobufjs makes of it', () => {
  fc.assert(
    fc.property(message, (value) => {
      const bytes = bytesOf(value)
      const theirs = Type.toObject(Type.decode(bytes.subarray(1)), {
        longs: String,
        enums: String,
        bytes: String,
        arrays: true,
        objects: true
      })

      expect(JSON.parse(read(bytes, 0).toString())).toEqual(comparable(JSON.parse(JSON.stringify(theirs))))
    }),
    { numRuns: 200 }
  )
})

/** Adds the defaults of fields without presence, and writes small integers of 64 bits as numbers. */
function comparable(theirs: Record<string, unknown>): object {
  const whole: Record<string, unknown> = { ...DEFAULTS, ...theirs }
  for (const name of ['l', 'u']) {
    const exact = Number(whole[name])
    whole[name] = Number.isSafeInteger(exact) ? exact : whole[name]
  }
  whole['nested'] = (whole['nested'] as Record<string, unknown>[]).map(comparable)
  whole['m'] = Object.fromEntries(
    Object.entries(whole['m'] as Record<string, Record<string, unknown>>).map(([key, each]) => [key, comparable(each)])
  )
  if (whole['z'] !== undefined) whole['z'] = comparable(whole['z'] as Record<string, unknown>)
  return whole
}

const DEFAULTS = {
  i: 0,
  l: 0,
  u: 0,
  d: 0,
  f: 0,
  b: false,
  s: '',
  y: '',
  e: 'NONE',
  r: [],
  rs: [],
  rd: [],
  m: {},
  nested: []
}

test('no bytes make the reader throw anything but a reason, and what it returns is JSON', () => {
  const mutated = message.chain((value) => {
    const whole = bytesOf(value)
    return fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { maxLength: 3 }).map((changes) => {
      const bytes = Buffer.from(whole)
      for (const [at, byte] of changes) bytes[at] = byte
      return bytes
    })
  })
  fc.assert(
    fc.property(fc.oneof(mutated, fc.uint8Array({ maxLength: 60 })), (bytes) => {
      expect(outcomeOf(bytes)).toBe('reason or JSON')
    }),
    { numRuns: 1000 }
  )
})

function outcomeOf(bytes: Uint8Array): string {
  try {
    JSON.parse(read(bytes, 0).toString())
    return 'reason or JSON'
  } catch (error) {
    return error instanceof DecodeFailure ? 'reason or JSON' : String(error)
  }
}
