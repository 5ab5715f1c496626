import protobuf from 'protobufjs'
import type { NumberPolicy } from '../../../src/config/settings.ts'
import { JsonTarget } from '../../../src/decode/json/json-target.ts'
import { createProtobufReader } from '../../../src/decode/protobuf/proto-reader.ts'
import { parseProto } from '../../../src/decode/protobuf/proto-schema.ts'

/** Encodes a message by protobufjs, after the indexes of the message. */
export function encoded(schema: string, name: string, value: object, indexes: readonly number[] = [0]): Buffer {
  const { root } = protobuf.parse(schema, { keepCase: true })
  for (const file of ['struct', 'timestamp', 'duration', 'wrappers', 'any']) {
    const { nested } = protobuf.common.get(`google/protobuf/${file}.proto`)!
    root.addJSON(nested!)
  }
  const type = root.lookupType(name)
  return Buffer.concat([framedIndexes(indexes), type.encode(type.fromObject(value)).finish()])
}

/** Indexes as Confluent's serializers write them. */
export function framedIndexes(indexes: readonly number[]): Buffer {
  if (indexes.length === 1 && indexes[0] === 0) return Buffer.from([0])
  return Buffer.concat([indexes.length, ...indexes].map((each) => varint(BigInt(each) * 2n)))
}

export function varint(value: bigint): Buffer {
  const bytes: number[] = []
  let rest = BigInt.asUintN(64, value)
  for (; rest > 0x7fn; rest >>= 7n) bytes.push(Number(rest & 0x7fn) | 0x80)
  return Buffer.from([...bytes, Number(rest)])
}

/** A field of the wire format: a number becomes a varint, anything else a value with its length. */
export function field(number: number, value: bigint | Uint8Array | string): Buffer {
  if (typeof value === 'bigint') return Buffer.concat([varint(BigInt(number) << 3n), varint(value)])
  const bytes = Buffer.from(value as Uint8Array)
  return Buffer.concat([varint((BigInt(number) << 3n) | 2n), varint(BigInt(bytes.length)), bytes])
}

const NUMBERS: NumberPolicy = { int64: 'string', decimal: 'string' }

/** Decodes a message to JSON. Throws the failure of the reader. */
export function decoded(
  schema: string,
  bytes: Uint8Array,
  numbers: Partial<NumberPolicy> = {},
  references: readonly string[] = []
): string {
  const read = createProtobufReader(parseProto(schema, references), { ...NUMBERS, ...numbers }, new JsonTarget())
  return read(bytes, 0).toString()
}
