import type { NumberPolicy } from '../../config/settings.ts'
import { DecodeFailure } from '../decode-failure.ts'
import { packText, writePacked } from '../json/json-target.ts'
import { decimalJson, decimalText, readBigEndianInteger } from '../json/write-number.ts'
import { writeTimestamp } from '../json/write-time.ts'
import { createLayout } from './field-table.ts'
import type { ProtoMessage } from './proto-schema.ts'
import type { ReaderState, WriteEntry } from './proto-reader.ts'
import { defaultOf, longReader } from './scalars.ts'

/**
 * Creates the writer of a well-known type, which has a form of its own in JSON; undefined for any other message.
 * `fields`: the writers of its fields, which are filled later.
 */
export function createWellKnown(
  message: ProtoMessage,
  fields: readonly WriteEntry[],
  numbers: NumberPolicy
): WriteEntry | undefined {
  const { name } = message
  if (name === 'google.protobuf.Timestamp') return timestampWriter(message)
  if (name === 'google.protobuf.Duration') return durationWriter(message)
  if (name === 'google.protobuf.Value') return valueWriter(message, fields)
  if (name === 'confluent.type.Decimal') return decimalWriter(message, numbers)
  return UNWRAPPED.test(name) && message.fields.length === 1 ? unwrap(message, fields) : undefined
}

/** Messages that stand for their only field. */
const UNWRAPPED =
  /^google\.protobuf\.(?:Struct|ListValue|DoubleValue|FloatValue|(?:U?Int(?:32|64)|Bool|String|Bytes)Value)$/

function unwrap(message: ProtoMessage, fields: readonly WriteEntry[]): WriteEntry {
  const layout = createLayout(message)
  const missing = packText(defaultOf(message.fields[0]))
  return (state, entry, isMerged) => {
    const { source, target, table } = state
    const base = table.scan(source, layout, entry, isMerged)
    const found = table.firstOf(base, 0)
    if (found < 0) writePacked(target, missing)
    else fields[0](state, found, true)
    table.leave(base)
  }
}

const NULL = packText('null')

/** A value of any JSON type: the field that is set. */
function valueWriter(message: ProtoMessage, fields: readonly WriteEntry[]): WriteEntry {
  const layout = createLayout(message)
  return (state, entry, isMerged) => {
    const { source, target, table } = state
    const base = table.scan(source, layout, entry, isMerged)
    let index = 0
    while (index < layout.size && table.firstOf(base, index) < 0) index++
    if (index === layout.size) writePacked(target, NULL)
    else fields[index](state, table.firstOf(base, index), true)
    table.leave(base)
  }
}

const readLong = longReader('int64')

/** Reads the integers of a message by the order of its fields; 0 for those that are missing. */
function readIntegers({ source, table }: ReaderState, base: number, count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => {
    const entry = table.firstOf(base, index)
    if (entry < 0) return 0
    source.move(table.startOf(entry), table.endOf(entry))
    return Number(readLong(source))
  })
}

const MAX_NANOS = 999_999_999

/** Writes nine decimal places always, so that the order of the strings is the order of the times. */
function timestampWriter(message: ProtoMessage): WriteEntry {
  const layout = createLayout(message)
  return (state, entry, isMerged) => {
    const base = state.table.scan(state.source, layout, entry, isMerged)
    const [seconds, nanos] = readIntegers(state, base, 2)
    state.table.leave(base)
    if (!(nanos >= 0 && nanos <= MAX_NANOS)) throw new DecodeFailure('a timestamp in it has impossible nanoseconds')
    if (!(Math.abs(seconds) <= MAX_SECONDS)) throw new DecodeFailure('a date in it is more than 275,000 years from now')
    writeTimestamp(state.target, BigInt(seconds) * 1_000_000_000n + BigInt(nanos), 9, true)
  }
}

const MAX_SECONDS = 8.64e12

/** Writes seconds as the JSON of Protobuf does: `"3.004s"`. */
function durationWriter(message: ProtoMessage): WriteEntry {
  const layout = createLayout(message)
  return (state, entry, isMerged) => {
    const base = state.table.scan(state.source, layout, entry, isMerged)
    const [seconds, nanos] = readIntegers(state, base, 2)
    state.table.leave(base)
    if (!(Math.abs(nanos) <= MAX_NANOS) || seconds * nanos < 0)
      throw new DecodeFailure('a duration in it has impossible nanoseconds')
    const fraction = nanos === 0 ? '' : `.${String(Math.abs(nanos)).padStart(9, '0').replace(/0+$/, '')}`
    const sign = seconds < 0 || nanos < 0 ? '-' : ''
    state.target.writeAscii(`"${sign}${Math.abs(seconds)}${fraction}s"`)
  }
}

/** Confluent's decimal: bytes of the unscaled number, precision, scale. */
function decimalWriter(message: ProtoMessage, { decimal }: NumberPolicy): WriteEntry {
  const layout = createLayout(message)
  return (state, entry, isMerged) => {
    const { source, table, target } = state
    const base = table.scan(source, layout, entry, isMerged)
    const bytes = table.firstOf(base, 0)
    const scale = readIntegers(state, base, 3)[2] | 0
    const [start, end] = bytes < 0 ? [0, 0] : [table.startOf(bytes), table.endOf(bytes)]
    table.leave(base)
    if (Math.abs(scale) > MAX_SCALE) throw new DecodeFailure('a decimal in it has no usable scale')
    target.writeAscii(decimalJson(decimalText(readBigEndianInteger(source.bytes, start, end), scale), decimal))
  }
}

const MAX_SCALE = 1000
