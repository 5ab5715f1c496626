import avro from 'avsc'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { DecodeFailure } from '../../../src/decode/decode-failure.ts'
import { exactLong } from './exact-long.ts'
import { EXACT, readerOf } from './read-avro.ts'

const int = (value: number): Buffer => avro.Type.forSchema('int').toBuffer(value)
const long = (value: bigint): Buffer => exactLong.toBuffer(value)
const text = (value: string): Buffer => avro.Type.forSchema('string').toBuffer(value)
const bytes = (...value: readonly number[]): Buffer => avro.Type.forSchema('bytes').toBuffer(Buffer.from(value))

const decimal = { type: 'bytes', logicalType: 'decimal', precision: 38, scale: 2 }
const fixed = (size: number, rest: object): object => ({ type: 'fixed', name: 'F', size, ...rest })

describe('a value of a logical type', () => {
  it.each<readonly [string, unknown, Buffer, unknown]>([
    ['a date', { type: 'int', logicalType: 'date' }, int(17_752), '2018-08-09'],
    ['a time in milliseconds', { type: 'int', logicalType: 'time-millis' }, int(26_100_250), '07:15:00.250'],
    ['a time in microseconds', { type: 'long', logicalType: 'time-micros' }, long(26_100_250_001n), '07:15:00.250001'],
    [
      'a timestamp',
      { type: 'long', logicalType: 'timestamp-millis' },
      long(1_533_798_900_250n),
      '2018-08-09T07:15:00.250Z'
    ],
    [
      'a timestamp before 1970',
      { type: 'long', logicalType: 'timestamp-millis' },
      long(-1n),
      '1969-12-31T23:59:59.999Z'
    ],
    [
      'microseconds',
      { type: 'long', logicalType: 'timestamp-micros' },
      long(1_533_798_900_250_001n),
      '2018-08-09T07:15:00.250001Z'
    ],
    [
      'nanoseconds',
      { type: 'long', logicalType: 'timestamp-nanos' },
      long(1_533_798_900_250_001_002n),
      '2018-08-09T07:15:00.250001002Z'
    ],
    [
      'nanoseconds before 1970',
      { type: 'long', logicalType: 'timestamp-nanos' },
      long(-9_007_199_254_740_993n),
      '1969-09-18T18:00:00.745259007Z'
    ],
    [
      'local milliseconds',
      { type: 'long', logicalType: 'local-timestamp-millis' },
      long(0n),
      '1970-01-01T00:00:00.000'
    ],
    [
      'local microseconds',
      { type: 'long', logicalType: 'local-timestamp-micros' },
      long(0n),
      '1970-01-01T00:00:00.000000'
    ],
    [
      'local nanoseconds',
      { type: 'long', logicalType: 'local-timestamp-nanos' },
      long(0n),
      '1970-01-01T00:00:00.000000000'
    ],
    [
      'a UUID as text',
      { type: 'string', logicalType: 'uuid' },
      text('f81d4fae-7dec-11d0-a765-00a0c91e6bf6'),
      'f81d4fae-7dec-11d0-a765-00a0c91e6bf6'
    ],
    [
      'a UUID as bytes',
      fixed(16, { logicalType: 'uuid' }),
      Buffer.from('f81d4fae7dec11d0a76500a0c91e6bf6', 'hex'),
      'f81d4fae-7dec-11d0-a765-00a0c91e6bf6'
    ],
    [
      'a duration',
      fixed(12, { logicalType: 'duration' }),
      Buffer.from('0100000002000000bc0b0000', 'hex'),
      'P1M2DT3.004S'
    ],
    ['an empty duration', fixed(12, { logicalType: 'duration' }), Buffer.alloc(12), 'PT0S'],
    [
      'the longest duration',
      fixed(12, { logicalType: 'duration' }),
      Buffer.alloc(12, 0xff),
      'P4294967295M4294967295DT4294967.295S'
    ],
    ['a decimal', decimal, bytes(0x30, 0x39), '123.45'],
    ['a decimal below one', decimal, bytes(0x05), '0.05'],
    ['a negative decimal', decimal, bytes(0xff), '-0.01'],
    ['a decimal of seven bytes', decimal, bytes(0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff), '360287970189639.67'],
    ['a negative decimal of seven bytes', decimal, bytes(0x80, 0, 0, 0, 0, 0, 1), '-360287970189639.67'],
    ['a decimal of no bytes', decimal, bytes(), '0.00'],
    [
      'a decimal of many bytes',
      decimal,
      bytes(0x01, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
      '792281625142643375935439503.36'
    ],
    [
      'a decimal in a fixed',
      fixed(4, { logicalType: 'decimal', precision: 9, scale: 0 }),
      Buffer.from([0xff, 0xff, 0xff, 0x85]),
      '-123'
    ]
  ])('is converted to JSON by its logical type: %s', (_name, schema, given, meant) => {
    expect(JSON.parse(readerOf(schema)(given))).toBe(meant)
  })

  it.each<readonly [string, unknown, Buffer, unknown]>([
    ['a date of a long', { type: 'long', logicalType: 'date' }, long(1n), 1],
    ['a decimal without a precision', { type: 'bytes', logicalType: 'decimal' }, bytes(1), 'AQ=='],
    [
      'a decimal with more places than digits',
      { type: 'bytes', logicalType: 'decimal', precision: 2, scale: 3 },
      bytes(1),
      'AQ=='
    ],
    ['a UUID of twelve bytes', fixed(12, { logicalType: 'uuid' }), Buffer.alloc(12), 'AAAAAAAAAAAAAAAA'],
    ['an unknown logical type', { type: 'int', logicalType: 'constructor' }, int(7), 7]
  ])(
    'is converted to JSON as its base type if the schema is invalid for the logical type: %s',
    (_name, schema, given, bare) => {
      expect(JSON.parse(readerOf(schema)(given))).toBe(bare)
    }
  )

  it.each<readonly [string, unknown, Buffer]>([
    ['a time beyond the day', { type: 'int', logicalType: 'time-millis' }, int(86_400_000)],
    ['a date beyond the calendar', { type: 'int', logicalType: 'date' }, int(2 ** 31 - 1)],
    ['a timestamp beyond the calendar', { type: 'long', logicalType: 'timestamp-millis' }, long(2n ** 63n - 1n)],
    ['a decimal of more than 1,024 bytes', decimal, bytes(...new Uint8Array(1025))]
  ])('is refused if it has no JSON form: %s', (_name, schema, given) => {
    expect(() => readerOf(schema)(given)).toThrow(DecodeFailure)
  })

  it('is converted inside of a union and inside of recursive records', () => {
    const schema = {
      type: 'record',
      name: 'Node',
      fields: [
        {
          name: 'at',
          type: ['null', { type: 'long', logicalType: 'timestamp-millis' }, { type: 'int', logicalType: 'date' }]
        },
        { name: 'next', type: ['null', 'Node'] }
      ]
    }

    expect(readerOf(schema)(Buffer.from([2, 0, 2, 4, 2, 2, 0, 0]))).toBe(
      '{"at":"1970-01-01T00:00:00.000Z","next":{"at":"1970-01-02","next":{"at":null,"next":null}}}'
    )
  })
})

describe('a decimal', () => {
  it('is converted to JSON with every digit, at any size and scale', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 200n), max: 2n ** 200n }), fc.nat(20), (unscaled, scale) => {
        const json = readerOf({ ...decimal, precision: 100, scale })(bytes(...twosComplement(unscaled)))
        const parsed = JSON.parse(json) as string
        expect(BigInt(parsed.replace('.', ''))).toBe(unscaled)
        expect(parsed.split('.')[1] ?? '').toHaveLength(scale)
        expect(parsed).toMatch(/^-?(0|[1-9]\d*)(\.\d+)?$/)
      })
    )
  })

  it('is a number with all its digits under `number`, and is refused under `reject` if a double does not represent it exactly', () => {
    const big = bytes(...twosComplement(12_345_678_901_234_567_890n))

    expect(readerOf(decimal, { ...EXACT, decimal: 'number' })(big)).toBe('123456789012345678.90')
    expect(readerOf(decimal, { ...EXACT, decimal: 'reject' })(bytes(0x30, 0x39))).toBe('123.45')
    expect(() => readerOf(decimal, { ...EXACT, decimal: 'reject' })(big)).toThrow('numbers.decimal')
  })
})

describe('a long', () => {
  it.each([2n ** 53n - 1n, -(2n ** 53n) + 1n, 0n])(
    'that a double represents exactly is a number under every policy: %d',
    (value) => {
      for (const int64 of ['string', 'number', 'reject'] as const)
        expect(readerOf('long', { ...EXACT, int64 })(long(value))).toBe(String(value))
    }
  )

  it.each([2n ** 53n, -(2n ** 53n), 2n ** 63n - 1n, -(2n ** 63n)])(
    'that a double does not represent exactly is a string, a number or refused, as `numbers.int64` says: %d',
    (value) => {
      expect(readerOf('long', { ...EXACT, int64: 'string' })(long(value))).toBe(`"${value}"`)
      expect(readerOf('long', { ...EXACT, int64: 'number' })(long(value))).toBe(String(value))
      expect(() => readerOf('long', { ...EXACT, int64: 'reject' })(long(value))).toThrow('numbers.int64')
    }
  )
})

/** The shortest bytes of a signed integer, highest first. */
function twosComplement(value: bigint): readonly number[] {
  const bytesOf: number[] = []
  let rest = value
  do {
    bytesOf.unshift(Number(BigInt.asUintN(8, rest)))
    rest >>= 8n
  } while (rest !== 0n && rest !== -1n)
  const isNegative = value < 0n
  if (bytesOf[0] >= 0x80 !== isNegative) bytesOf.unshift(isNegative ? 0xff : 0)
  return bytesOf
}
