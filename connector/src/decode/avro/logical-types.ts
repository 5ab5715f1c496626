import type { NumberPolicy } from '../../config/settings.ts'
import { decimalJson, decimalText, unscaledOf } from '../json/exact-numbers.ts'
import type { JsonTarget } from '../json/json-target.ts'
import { writeText } from '../json/write-text.ts'
import { type FractionDigits, writeDate, writeTimeOfDay, writeTimestamp } from '../json/write-time.ts'
import type { Logical, TimeName } from './avro-schema.ts'
import type { AvroSource } from './avro-source.ts'

/** Type that a logical type is based on. */
interface Underlying {
  readonly kind: string
  readonly size?: number
}

/** Writes the values of a logical type by their meaning. */
export function compileLogical(logical: Logical, { size }: Underlying, numbers: NumberPolicy): Write {
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

const DURATION_BYTES = 12

function decimalWriter(scale: number, size: number | undefined, policy: NumberPolicy['decimal']): Write {
  return (source, target) => {
    const length = size ?? source.readLength()
    const start = source.take(length)
    target.writeAscii(decimalJson(decimalText(unscaledOf(source.bytes, start, start + length), scale), policy))
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
export type Write = (source: AvroSource, target: JsonTarget) => void

/** Writes strings, and the names in a map. */
export function writeString(source: AvroSource, target: JsonTarget): void {
  const length = source.readLength()
  const start = source.take(length)
  writeText(target, source.bytes, source.view, start, start + length)
}
