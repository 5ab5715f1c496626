import { packText, type JsonTarget, writePacked } from '../json/json-target.ts'
import type { NumberPolicy } from '../../config/settings.ts'
import { DecodeFailure } from '../decode-failure.ts'
import { bigIntegerJson, writeDouble, writeFloat, writeInteger } from '../json/write-number.ts'
import { writeBase64, writeText } from '../json/write-text.ts'
import type { ProtoField, ProtoType, ScalarKind } from './proto-schema.ts'
import type { ProtoSource } from './proto-source.ts'

/** A scalar or an enum. */
export type ScalarType = Exclude<ProtoType, { readonly kind: 'message' }>

/** Reads the value at the position of the source, and writes it as JSON. Strings and bytes go to the end of the source. */
export type WriteScalar = (source: ProtoSource, target: JsonTarget) => void

const [TRUE, FALSE, NULL] = ['true', 'false', 'null'].map(packText)

export function createScalarWriter(type: ScalarType, numbers: NumberPolicy): WriteScalar {
  if (type.kind === 'enum') return enumWriter(type, numbers)
  return SMALL[type.kind] ?? createLongWriter(type.kind, numbers)
}

const SMALL: Readonly<Partial<Record<ScalarKind, WriteScalar>>> = {
  double: (source, target) => writeDouble(target, source.view.getFloat64(source.take(8), true)),
  float: (source, target) => writeFloat(target, source.view.getFloat32(source.take(4), true)),
  int32: (source, target) => writeInteger(target, source.readVarint() | 0),
  uint32: (source, target) => writeInteger(target, source.readVarint() >>> 0),
  sint32: (source, target) => {
    const bits = source.readVarint()
    writeInteger(target, (bits >>> 1) ^ -(bits & 1))
  },
  fixed32: (source, target) => writeInteger(target, source.view.getUint32(source.take(4), true)),
  sfixed32: (source, target) => writeInteger(target, source.view.getInt32(source.take(4), true)),
  bool: (source, target) => writePacked(target, (source.readVarint() | source.high) === 0 ? FALSE : TRUE),
  string: (source, target) => {
    const { end } = source
    writeText(target, source.bytes, source.view, source.at, end)
    source.at = end
  },
  bytes: (source, target) => {
    const { end } = source
    writeBase64(target, source.bytes, source.at, end)
    source.at = end
  }
}

function createLongWriter(kind: ScalarKind, { int64 }: NumberPolicy): WriteScalar {
  const read = longReader(kind)
  return (source, target) => {
    const value = read(source)
    if (typeof value === 'bigint') target.writeAscii(bigIntegerJson(String(value), int64))
    else writeInteger(target, value)
  }
}

/** Reads an integer of 64 bits: a bigint if a double does not hold it exactly. */
export function longReader(kind: ScalarKind): (source: ProtoSource) => number | bigint {
  switch (kind) {
    case 'fixed64':
      return (source) => unsigned(...halves(source))
    case 'sfixed64':
      return (source) => signed(...halves(source))
    case 'uint64':
      return (source) => unsigned(source.readVarint(), source.high)
    case 'sint64':
      return (source) => {
        const low = source.readVarint()
        const { high } = source
        const sign = -(low & 1)
        return signed(((low >>> 1) | (high << 31)) ^ sign, (high >>> 1) ^ sign)
      }
    default:
      return (source) => signed(source.readVarint(), source.high)
  }
}

function halves(source: ProtoSource): [number, number] {
  const at = source.take(8)
  return [source.view.getInt32(at, true), source.view.getInt32(at + 4, true)]
}

function signed(low: number, high: number): number | bigint {
  const value = (high | 0) * 2 ** 32 + (low >>> 0)
  return Number.isSafeInteger(value) ? value : BigInt.asIntN(64, wide(low, high))
}

function unsigned(low: number, high: number): number | bigint {
  const value = (high >>> 0) * 2 ** 32 + (low >>> 0)
  return Number.isSafeInteger(value) ? value : wide(low, high)
}

function wide(low: number, high: number): bigint {
  return (BigInt(high >>> 0) << 32n) | BigInt(low >>> 0)
}

/** A value that the schema does not name is written by the policy. */
function enumWriter(
  { names, isNull }: Extract<ScalarType, { readonly kind: 'enum' }>,
  numbers: NumberPolicy
): WriteScalar {
  if (isNull) {
    return (source, target) => {
      source.readVarint()
      writePacked(target, NULL)
    }
  }
  const { enum: policy = 'number' } = numbers
  const labels = new Map([...names].map(([value, name]) => [value, packText(JSON.stringify(name))]))
  return (source, target) => {
    const value = source.readVarint() | 0
    const label = labels.get(value)
    if (label !== undefined) writePacked(target, label)
    else if (policy === 'reject')
      throw new DecodeFailure('an enum in it has a value that its schema does not name, and `numbers.enum` is `reject`')
    else target.writeAscii(policy === 'string' ? `"${value}"` : String(value))
  }
}

/** JSON of a field that is not in the bytes. */
export function defaultOf({ label, type }: Pick<ProtoField, 'label' | 'type'>): string {
  if (label === 'repeated') return '[]'
  if (label === 'map') return '{}'
  return defaultOfType(type)
}

export function defaultOfType(type: ProtoType): string {
  switch (type.kind) {
    case 'enum':
      return type.isNull ? 'null' : JSON.stringify(type.names.get(0) ?? [...type.names.values()][0] ?? '')
    case 'message':
      return '{}'
    case 'string':
    case 'bytes':
      return '""'
    case 'bool':
      return 'false'
    default:
      return '0'
  }
}
