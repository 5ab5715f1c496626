import { CLOSE_BRACE, CLOSE_BRACKET, COLON, COMMA, OPEN_BRACE, OPEN_BRACKET } from '@keystamp/core/internal'
import type { NumberPolicy } from '../../config/settings.ts'
import { DecodeFailure, within } from '../decode-failure.ts'
import { packText, type JsonTarget, type PackedText, writePacked } from '../json/json-target.ts'
import {
  bigIntegerJson,
  decimalJson,
  decimalText,
  readBigEndianInteger,
  writeDouble,
  writeFloat,
  writeInteger
} from '../json/write-number.ts'
import { writeBase64, writeText } from '../json/write-text.ts'
import { type FractionDigits, writeDate, writeTimeOfDay, writeTimestamp } from '../json/write-time.ts'
import { type AvroRecord, type AvroType, DURATION_BYTES, type Logical, type TimeName } from './avro-schema.ts'
import type { AvroSource } from './avro-source.ts'

/** Converts the Avro value from `from` to the end of `bytes` to JSON. Throws a DecodeFailure. */
export type ReadAvro = (bytes: Uint8Array, from: number) => Buffer

/** Compiles a schema into a reader for its values. Readers may share a source and a target. */
export function createAvroReader(
  type: AvroType,
  numbers: NumberPolicy,
  source: AvroSource,
  target: JsonTarget
): ReadAvro {
  const write = compileWriter(type, numbers)
  return (bytes, from) => {
    source.open(bytes, from)
    target.begin()
    write(source, target)
    if (source.at !== source.end) throw new DecodeFailure('bytes follow the value: it was written with another schema')
    return target.end()
  }
}

/** Compiles a schema into closures, one for each type in it. */
export function compileWriter(type: AvroType, numbers: NumberPolicy): Write {
  const records = new Map<AvroRecord, Write>()
  return compile(type)

  function compile(each: AvroType): Write {
    switch (each.kind) {
      case 'record':
        return records.get(each) ?? compileRecord(each)
      case 'union':
        return unionWriter(each.branches.map(compile))
      case 'array':
        return arrayWriter(compile(each.items))
      case 'map':
        return mapWriter(compile(each.values))
      case 'enum':
        return enumWriter(each.symbols)
      case 'fixed':
        return each.logical === undefined ? fixedWriter(each.size) : compileLogical(each.logical, each, numbers)
      default:
        return each.logical === undefined
          ? plainWriter(each.kind, numbers)
          : compileLogical(each.logical, each, numbers)
    }
  }

  /** The schema of a record may contain itself, so the writer of a record is registered before those of its fields. */
  function compileRecord(record: AvroRecord): Write {
    const writers: Write[] = []
    const write = recordWriter(
      record.fields.map(({ name }) => name),
      writers
    )
    records.set(record, write)
    for (const field of record.fields) writers.push(compile(field.type))
    return write
  }
}

function recordWriter(names: readonly string[], writers: readonly Write[]): Write {
  const labels = names.map((name, field) => packText(`${field === 0 ? '{' : ','}"${name}":`))
  if (labels.length === 0) return (_source, target) => target.writeAscii('{}')
  return (source, target) => {
    target.enter()
    let field = 0
    try {
      for (; field < labels.length; field++) {
        writePacked(target, labels[field])
        writers[field](source, target)
      }
    } catch (error) {
      throw within(error, names[field])
    }
    target.leave()
    target.reserve(1)
    target.put(CLOSE_BRACE)
  }
}

function unionWriter(branches: readonly Write[]): Write {
  return (source, target) => {
    const branch = branches[source.readLength()]
    if (branch === undefined) throw new DecodeFailure('a union in it names a branch that its schema does not have')
    branch(source, target)
  }
}

function arrayWriter(writeItem: Write): Write {
  return (source, target) => {
    target.enter()
    target.reserve(1)
    target.put(OPEN_BRACKET)
    let index = 0
    try {
      for (let count = readBlock(source); count > 0; count = readBlock(source)) {
        for (let left = count; left > 0; left--) {
          target.reserve(1)
          if (index > 0) target.put(COMMA)
          writeItem(source, target)
          index++
        }
      }
    } catch (error) {
      throw within(error, index)
    }
    target.leave()
    target.reserve(1)
    target.put(CLOSE_BRACKET)
  }
}

/** An error inside of a map has the path of the map, without the key: keys are payload. */
function mapWriter(writeValue: Write): Write {
  return (source, target) => {
    target.enter()
    target.reserve(1)
    target.put(OPEN_BRACE)
    let isFirst = true
    for (let count = readBlock(source); count > 0; count = readBlock(source)) {
      for (let left = count; left > 0; left--) {
        target.reserve(1)
        if (!isFirst) target.put(COMMA)
        isFirst = false
        writeString(source, target)
        target.reserve(1)
        target.put(COLON)
        writeValue(source, target)
      }
    }
    target.leave()
    target.reserve(1)
    target.put(CLOSE_BRACE)
  }
}

/**
 * Number of items in the next block of an array or map. The bytes can claim any count: the target limits the length of
 * the document.
 */
export function readBlock(source: AvroSource): number {
  const count = source.readLong()
  if (count >= 0) return count
  // a negative count is followed by the size of the block in bytes
  source.readLong()
  if (Number.isNaN(count)) throw new DecodeFailure('an array or map in it claims an impossible number of items')
  return -count
}

function enumWriter(symbols: readonly string[]): Write {
  const labels: readonly PackedText[] = symbols.map((symbol) => packText(JSON.stringify(symbol)))
  return (source, target) => {
    const label = labels[source.readLength()]
    if (label === undefined) throw new DecodeFailure('an enum in it names a symbol that its schema does not have')
    writePacked(target, label)
  }
}

function fixedWriter(size: number): Write {
  return (source, target) => {
    const start = source.take(size)
    writeBase64(target, source.bytes, start, start + size)
  }
}

type PlainKind = 'null' | 'boolean' | 'int' | 'long' | 'float' | 'double' | 'string' | 'bytes'

function plainWriter(kind: PlainKind, numbers: NumberPolicy): Write {
  return kind === 'long' ? longWriter(numbers.int64) : PLAIN[kind]
}

const [NULL, TRUE, FALSE] = ['null', 'true', 'false'].map(packText)

const PLAIN: Readonly<Record<Exclude<PlainKind, 'long'>, Write>> = {
  null: (_source, target) => writePacked(target, NULL),
  boolean: (source, target) => writePacked(target, source.readByte() === 0 ? FALSE : TRUE),
  int: (source, target) => writeInteger(target, source.readInt()),
  float: (source, target) => writeFloat(target, source.view.getFloat32(source.take(4), true)),
  double: (source, target) => writeDouble(target, source.view.getFloat64(source.take(8), true)),
  string: writeString,
  bytes: (source, target) => {
    const length = source.readLength()
    const start = source.take(length)
    writeBase64(target, source.bytes, start, start + length)
  }
}

function longWriter(policy: NumberPolicy['int64']): Write {
  return (source, target) => {
    const value = source.readLong()
    if (Number.isNaN(value)) target.writeAscii(bigIntegerJson(String(source.big), policy))
    else writeInteger(target, value)
  }
}

/** Type that a logical type is based on. */
interface Underlying {
  readonly kind: string
  readonly size?: number
}

/** Writes the values of a logical type by their meaning. */
function compileLogical(logical: Logical, { size }: Underlying, numbers: NumberPolicy): Write {
  switch (logical.name) {
    case 'decimal':
      return decimalWriter(logical.scale, size, numbers.decimal)
    case 'uuid':
      return size === undefined ? writeString : (source, target) => writeUuid(target, source.bytes, source.take(size))
    case 'duration':
      return (source, target) => writeDuration(target, source.view, source.take(DURATION_BYTES))
    default:
      return TIME_WRITERS[logical.name]
  }
}

function decimalWriter(scale: number, size: number | undefined, policy: NumberPolicy['decimal']): Write {
  return (source, target) => {
    const length = size ?? source.readLength()
    const start = source.take(length)
    target.writeAscii(
      decimalJson(decimalText(readBigEndianInteger(source.bytes, start, start + length), scale), policy)
    )
  }
}

const TIME_WRITERS: Readonly<Record<TimeName, Write>> = {
  date: (source, target) => writeDate(target, source.readInt()),
  'time-millis': (source, target) => writeTimeOfDay(target, source.readInt(), 3),
  'time-micros': (source, target) => writeTimeOfDay(target, source.readLong(), 6),
  'timestamp-millis': timestampWriter(3, true),
  'timestamp-micros': timestampWriter(6, true),
  'timestamp-nanos': timestampWriter(9, true),
  'local-timestamp-millis': timestampWriter(3, false),
  'local-timestamp-micros': timestampWriter(6, false),
  'local-timestamp-nanos': timestampWriter(9, false)
}

function timestampWriter(digits: FractionDigits, isUtc: boolean): Write {
  return (source, target) => {
    const value = source.readLong()
    writeTimestamp(target, Number.isNaN(value) ? source.big : value, digits, isUtc)
  }
}

/** Writes 16 bytes as a UUID: `"f81d4fae-7dec-11d0-a765-00a0c91e6bf6"`. */
function writeUuid(target: JsonTarget, bytes: Uint8Array, start: number): void {
  let hex = ''
  for (let at = start; at < start + 16; at++) hex += bytes[at].toString(16).padStart(2, '0')
  const parts = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)]
  target.writeAscii(`"${parts.join('-')}"`)
}

/** Writes the months, days and milliseconds of an Avro duration in ISO 8601: `"P1M2DT3.004S"`. */
function writeDuration(target: JsonTarget, view: DataView, start: number): void {
  const [months, days, millis] = [0, 4, 8].map((at) => view.getUint32(start + at, true))
  const time = millis === 0 ? '' : `T${millis / 1000}S`
  const date = `${months === 0 ? '' : `${months}M`}${days === 0 ? '' : `${days}D`}`
  target.writeAscii(date === '' && time === '' ? '"PT0S"' : `"P${date}${time}"`)
}

/** Reads one value and writes it as JSON, without an object in between. */
type Write = (source: AvroSource, target: JsonTarget) => void

/** Writes strings, and the names in a map. */
function writeString(source: AvroSource, target: JsonTarget): void {
  const length = source.readLength()
  const start = source.take(length)
  writeText(target, source.bytes, source.view, start, start + length)
}
