import avro from 'avsc'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { DecodeFailure } from '../../../src/decode/decode-failure.ts'
import { exactLong } from './exact-long.ts'
import { sample } from './random-schemas.ts'
import { readerOf } from './read-avro.ts'

const HUGE = exactLong.toBuffer(2n ** 62n)
const MUCH = exactLong.toBuffer(2n ** 40n)
const array = (items: unknown): object => ({ type: 'array', items })
const record = (fields: readonly unknown[]): object => ({
  type: 'record',
  name: 'R',
  fields: fields.map((type, index) => ({ name: `f${index}`, type }))
})

describe('bytes that do not match the Avro schema', () => {
  it.each<readonly [string, unknown, Uint8Array]>([
    ['nothing at all', 'int', Buffer.alloc(0)],
    ['a number that never ends', 'long', Buffer.alloc(20, 0xff)],
    ['a number of eleven bytes', 'long', Uint8Array.of(...new Uint8Array(10).fill(0x80), 0)],
    ['a number of 65 bits', 'long', Uint8Array.of(...new Uint8Array(9).fill(0x80), 2)],
    ['an integer of 64 bits for a type of 32 bits', 'int', HUGE],
    ['a string longer than the bytes', 'string', Buffer.from([20, 0x61])],
    ['a string of the maximum length', 'string', HUGE],
    ['a string of negative length', 'string', Buffer.from([1])],
    ['half a double', 'double', Buffer.alloc(4)],
    ['a branch that does not exist', ['null', 'int'], Buffer.from([4])],
    ['a negative branch', ['null', 'int'], Buffer.from([1])],
    ['a huge branch', ['null', 'int'], HUGE],
    ['a symbol that does not exist', { type: 'enum', name: 'E', symbols: ['A'] }, Buffer.from([2])],
    ['an array without its end', array('int'), Buffer.from([2, 2])],
    ['more items than bytes', array('int'), HUGE],
    ['an enormous number of nulls', array('null'), MUCH],
    [
      'an enormous number of nulls, as a negative count',
      array('null'),
      Buffer.concat([exactLong.toBuffer(-(2n ** 40n)), Buffer.from([0])])
    ],
    ['the most negative count', array('null'), Buffer.concat([exactLong.toBuffer(-(2n ** 63n)), Buffer.from([0])])],
    ['an enormous number of empty records', array(record([])), MUCH],
    ['a record that contains only itself', record(['R']), Buffer.alloc(0)],
    ['bytes after the value', 'null', Buffer.from([0])]
  ])('are refused at once: %s', (_name, schema, bytes) => {
    expect(() => readerOf(schema)(bytes)).toThrow(DecodeFailure)
  })

  it('are refused when they nest 10,000 levels', () => {
    const list = { type: 'record', name: 'L', fields: [{ name: 'next', type: ['null', 'L'] }] }

    expect(() => readerOf(list)(Buffer.alloc(10_000, 2))).toThrow('128 levels')
  })

  it('are refused when nested fields multiply to a huge document', () => {
    const bomb = Array.from({ length: 100 }, (_, level) => level).reduceRight<unknown>(
      (inner, level) => ({
        type: 'record',
        name: `R${level}`,
        fields: [
          { name: 'a', type: inner },
          { name: 'b', type: level === 99 ? 'null' : `R${level + 1}` }
        ]
      }),
      'null'
    )

    expect(() => readerOf(bomb)(Buffer.alloc(0))).toThrow('MiB')
  })

  it('are reported with the path at which reading stopped, without the keys of a map', () => {
    const schema = record([
      array({ type: 'map', values: { type: 'record', name: 'Inner', fields: [{ name: 'x', type: 'double' }] } })
    ])
    const type = avro.Type.forSchema(schema as never)
    const bytes = type.toBuffer({ f0: [{}, { secret: { x: NaN } }] })

    const failure = failureOf(() => readerOf(schema)(bytes))

    expect(failure.path).toBe('/f0/1/x')
    expect(failure.message).not.toContain('secret')
  })
})

describe('random bytes', () => {
  it('that were made by cutting or changing valid bytes are decoded or refused', () => {
    fc.assert(
      fc.property(sample, fc.nat(), fc.nat(255), fc.nat(2), ({ schema, value }, at, byte, how) => {
        const type = avro.Type.forSchema(schema as never, { wrapUnions: 'always', registry: { long: exactLong } })
        expect(['read', 'refused']).toContain(answerTo(schema, damaged(type.toBuffer(value), at, byte, how)))
      }),
      { numRuns: 400 }
    )
  })

  it('are decoded or refused', () => {
    fc.assert(
      fc.property(sample, fc.uint8Array({ maxLength: 64 }), ({ schema }, bytes) => {
        expect(['read', 'refused']).toContain(answerTo(schema, bytes))
      }),
      { numRuns: 400 }
    )
  })
})

function damaged(bytes: Buffer, at: number, byte: number, how: number): Buffer {
  const position = bytes.length === 0 ? 0 : at % bytes.length
  if (how === 0) return bytes.subarray(0, position)
  if (how === 1) return Buffer.concat([bytes.subarray(0, position), Buffer.from([byte]), bytes.subarray(position)])
  const changed = Buffer.from(bytes)
  if (position < changed.length) changed[position] = byte
  return changed
}

/** Returns whether the bytes are read as JSON or refused with a DecodeFailure. Throws any other error. */
function answerTo(schema: unknown, bytes: Uint8Array): 'read' | 'refused' {
  const read = readerOf(schema)
  try {
    JSON.parse(read(bytes))
    return 'read'
  } catch (error) {
    if (error instanceof DecodeFailure) return 'refused'
    throw error
  }
}

function failureOf(run: () => unknown): DecodeFailure {
  try {
    run()
  } catch (error) {
    if (error instanceof DecodeFailure) return error
    throw error
  }
  throw new Error('It did not fail.')
}
