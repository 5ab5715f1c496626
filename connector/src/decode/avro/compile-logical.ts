import type { NumberPolicy } from '../../config/settings.ts'
import { type FractionDigits, writeDate, writeTimeOfDay, writeTimestamp } from '../json/write-time.ts'
import { decimalText, unscaledOf } from '../numbers/decimal-text.ts'
import { decimalJson } from '../numbers/number-json.ts'
import type { Logical, TimeName } from './avro-type.ts'
import { type Write, writeString } from './write.ts'
import { writeDuration, writeUuid } from './write-fixed.ts'

/** The type below a logical type. */
interface Underlying {
  readonly kind: string
  readonly size?: number
}

/** Writes values of a logical type as what they mean. */
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
