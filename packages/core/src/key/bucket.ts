import type { RecordCode } from '../errors/record-codes.ts'
import { coerceNumber } from './canonical.ts'
import { COMPOSITE, type FieldValue, type MakeText, type Source } from './field-value.ts'
import type { BucketRules } from '../plan/rules.ts'
import { keyField, sourceTimestamp } from './kafka.ts'
import { createBucketText } from '../time/bucket.ts'
import { parseIsoTime } from '../time/iso-time.ts'
import { zoneOffset, type ZoneOffset } from '../time/zone.ts'
import { reject } from '../errors/rejection.ts'
import { createSubstitute } from './substitute.ts'
import type { ComponentEncoding, FieldTable } from './component.ts'

/** Compiles a time bucket. Its length is constant, so the bucket is not escaped. */
export function compileBucket(rules: BucketRules, { escape, purpose }: ComponentEncoding, table: FieldTable): MakeText {
  const { of } = rules
  const offset = zoneOffset(rules.zone)
  const textOf = createBucketText(rules.unit, rules.minutes)
  if (of === 'timestamp') {
    return (_values, source) => {
      const instant = sourceTimestamp(source)
      return (
        (instant !== undefined && textOf(instant + offset(instant) * 60_000)) ||
        reject('SOURCE_MISSING', '', 'The timestamp of the Kafka record is missing.')
      )
    }
  }
  const index = table.indexOf(of)
  const substitute = createSubstitute(rules, purpose)
  return (values, source) => {
    const given = values[index] ?? orKeyValue(values[index], rules, source)
    const value = rules.coerce ? coerceNumber(given) : given
    const local = localTime(value, rules.epoch, offset)
    const text = typeof local === 'number' ? textOf(local) : undefined
    if (text !== undefined) return text
    const instead = substitute(typeof local === 'string' ? local : 'TIME_INVALID', value)
    return typeof instead === 'string' ? escape(instead) : instead
  }
}

/** Local time of a value in a zone, in milliseconds; or the reason why the value is not a time. */
export function localTime(value: FieldValue, epoch: BucketRules['epoch'], offset: ZoneOffset): number | RecordCode {
  if (value === undefined) return 'FIELD_MISSING'
  if (value === null) return 'FIELD_NULL'
  if (value === '') return 'FIELD_EMPTY'
  if (typeof value === 'string') {
    const time = parseIsoTime(value)
    if (time === undefined) return 'TIME_INVALID'
    // a string without a zone is local time in the zone of the bucket
    return time.offset === undefined ? time.local : atZone(time.local - time.offset * 60_000, offset)
  }
  if (value === COMPOSITE || typeof value === 'boolean' || epoch === undefined) return 'TIME_INVALID'
  const instant = toMilliseconds(Number(value), epoch)
  // the range of Date: outside of it, zones have no offset
  return Math.abs(instant) <= 8.64e15 ? atZone(Math.floor(instant), offset) : 'TIME_INVALID'
}

function toMilliseconds(value: number, epoch: NonNullable<BucketRules['epoch']>): number {
  if (epoch === 'seconds') return value * 1000
  // a division, because 0.001 is not exact as a double: a product could be just below a whole millisecond
  return epoch === 'microseconds' ? value / 1000 : value
}

function atZone(instant: number, offset: ZoneOffset): number {
  return instant + offset(instant) * 60_000
}

function orKeyValue(value: FieldValue, rules: BucketRules, source: Source | undefined): FieldValue {
  return value === undefined && rules.orKey !== undefined ? keyField(source, rules.orKey) : value
}
