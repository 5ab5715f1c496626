import { OPEN_BRACE, OPEN_BRACKET, QUOTE } from '@keystamp/core/internal'
import type { NumberPolicy } from '../config/settings.ts'
import { DecodeFailure, within } from './decode-failure.ts'
import { bigIntegerJson, decimalJson, decimalText, readBigEndianInteger } from './json/write-number.ts'
import type { JsonCursor } from './json/json-cursor.ts'
import { type JsonTarget, MAX_DEPTH } from './json/json-target.ts'
import { writeDate, writeTimeOfDay, writeTimestamp } from './json/write-time.ts'

/** Schema as Connect's JsonConverter writes it; only the attributes that are used here. */
interface ConnectSchema {
  readonly type?: unknown
  readonly name?: unknown
  readonly fields?: unknown
  readonly field?: unknown
  readonly items?: unknown
  readonly keys?: unknown
  readonly values?: unknown
  readonly parameters?: { readonly scale?: unknown }
}

/** Compiles a schema into a function that rewrites its values; undefined if they need no rewriting. */
export function compileSchema(given: unknown, numbers: NumberPolicy, depth = 0): Rewrite | undefined {
  if (given === null && depth === 0) return undefined
  if (typeof given !== 'object' || given === null || depth > MAX_DEPTH)
    throw new DecodeFailure('its schema is not a valid Kafka Connect schema')
  const schema = given as ConnectSchema
  if (typeof schema.name === 'string' && LOGICAL.has(schema.name)) return logical(schema, numbers)
  switch (schema.type) {
    case 'struct':
      return structRewrite(schema.fields, numbers, depth)
    case 'array':
      return arrayRewrite(compileSchema(schema.items, numbers, depth + 1))
    case 'map':
      return mapRewrite(schema, numbers, depth)
    case 'int64':
      return numbers.int64 === 'number' ? undefined : bigIntegerRewrite(numbers.int64)
    default:
      return undefined
  }
}

const PREFIX = 'org.apache.kafka.connect.data.'
const [DECIMAL, DATE, TIME, TIMESTAMP] = ['Decimal', 'Date', 'Time', 'Timestamp'].map((name) => PREFIX + name)
const LOGICAL: ReadonlySet<string> = new Set([DECIMAL, DATE, TIME, TIMESTAMP])

function logical({ name, parameters }: ConnectSchema, numbers: NumberPolicy): Rewrite {
  if (name === DATE) return dateRewrite
  if (name === TIME) return timeOfDayRewrite
  if (name === TIMESTAMP) return timestampRewrite
  const scale = Number(parameters?.scale)
  if (!Number.isInteger(scale) || Math.abs(scale) > MAX_SCALE)
    throw new DecodeFailure('a decimal in its schema has no usable scale')
  return decimalRewrite(scale, numbers.decimal)
}

const MAX_SCALE = 1000

function structRewrite(fields: unknown, numbers: NumberPolicy, depth: number): Rewrite | undefined {
  const members = new Map<string, Rewrite>()
  for (const field of Array.isArray(fields) ? (fields as ConnectSchema[]) : []) {
    const rewrite = compileSchema(field, numbers, depth + 1)
    if (rewrite !== undefined && typeof field.field === 'string') members.set(field.field, rewrite)
  }
  if (members.size === 0) return undefined
  return orNull(OPEN_BRACE, (cursor, copy) =>
    cursor.eachMember((name) => {
      const rewrite = members.get(name)
      if (rewrite === undefined) return cursor.skipValue()
      try {
        rewrite(cursor, copy)
      } catch (error) {
        throw within(error, name.replaceAll('~', '~0').replaceAll('/', '~1'))
      }
    })
  )
}

function arrayRewrite(item: Rewrite | undefined): Rewrite | undefined {
  if (item === undefined) return undefined
  return orNull(OPEN_BRACKET, (cursor, copy) =>
    cursor.eachItem((index) => {
      try {
        item(cursor, copy)
      } catch (error) {
        throw within(error, index)
      }
    })
  )
}

/**
 * Rewrites a map: an object if its keys are strings, otherwise an array of pairs. Errors do not contain the keys, which
 * are payload.
 */
function mapRewrite({ keys, values }: ConnectSchema, numbers: NumberPolicy, depth: number): Rewrite | undefined {
  const key = compileSchema(keys, numbers, depth + 1)
  const value = compileSchema(values, numbers, depth + 1)
  if (key === undefined && value === undefined) return undefined
  return (cursor, copy) => {
    if (cursor.peek() === OPEN_BRACE)
      return cursor.eachMember(() => (value === undefined ? cursor.skipValue() : value(cursor, copy)))
    if (cursor.peek() !== OPEN_BRACKET) return cursor.skipValue()
    cursor.eachItem(() => {
      if (cursor.peek() !== OPEN_BRACKET) return cursor.skipValue()
      cursor.eachItem((index) => {
        const rewrite = index === 0 ? key : value
        if (rewrite === undefined) cursor.skipValue()
        else rewrite(cursor, copy)
      })
    })
  }
}

/** A value that is null, or that does not match the schema, stays as it is. */
function orNull(opening: number, rewrite: Rewrite): Rewrite {
  return (cursor, copy) => {
    if (cursor.peek() === opening) rewrite(cursor, copy)
    else cursor.skipValue()
  }
}

const LETTER_N = 0x6e
const EXACT_LENGTH = 15
const INTEGER = /^-?(?:0|[1-9]\d*)$/
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/

/** Converts days since 1970 to a date. */
const dateRewrite: Rewrite = integerRewrite((days, target) => writeDate(target, days))

/** Converts milliseconds since midnight to a time of day. */
const timeOfDayRewrite: Rewrite = integerRewrite((millis, target) => writeTimeOfDay(target, millis, 3))

/** Converts milliseconds since 1970 to ISO 8601. */
const timestampRewrite: Rewrite = integerRewrite((millis, target) => writeTimestamp(target, millis, 3, true))

/** Applies the policy to integers that a double does not hold exactly. */
function bigIntegerRewrite(policy: NumberPolicy['int64']): Rewrite {
  return (cursor, copy) => {
    cursor.peek()
    const start = cursor.at
    cursor.skipValue()
    if (cursor.at - start <= EXACT_LENGTH) return
    const token = cursor.bytes.toString('latin1', start, cursor.at)
    if (INTEGER.test(token) && !Number.isSafeInteger(Number(token))) {
      copy.replace(start, cursor.at).writeAscii(bigIntegerJson(token, policy))
    }
  }
}

/** Applies the policy to decimals, which Connect's JsonConverter writes in base64 or as numbers. */
function decimalRewrite(scale: number, policy: NumberPolicy['decimal']): Rewrite {
  return unlessNull((cursor, copy) => {
    const start = cursor.at
    const text = cursor.peek() === QUOTE ? unpacked(cursor.readText(), scale) : cursor.readToken()
    if (!NUMBER.test(text)) throw new DecodeFailure('a decimal in it is not a number')
    copy.replace(start, cursor.at).writeAscii(decimalJson(text, policy))
  })
}

function unpacked(base64: string, scale: number): string {
  const bytes = Buffer.from(base64, 'base64')
  // Buffer.from ignores characters that are not base64
  if (bytes.toString('base64') !== base64) throw new DecodeFailure('a decimal in it is not in base64')
  return decimalText(readBigEndianInteger(bytes, 0, bytes.length), scale)
}

function integerRewrite(write: (value: number, target: Parameters<typeof writeDate>[0]) => void): Rewrite {
  return unlessNull((cursor, copy) => {
    const start = cursor.at
    const token = cursor.readToken()
    if (!INTEGER.test(token)) throw new DecodeFailure('a time in it is not a whole number')
    write(Number(token), copy.replace(start, cursor.at))
  })
}

function unlessNull(rewrite: Rewrite): Rewrite {
  return (cursor: JsonCursor, copy) => {
    if (cursor.peek() === LETTER_N) cursor.skipValue()
    else rewrite(cursor, copy)
  }
}

/** Skips the value at the cursor, and replaces in `copy` those parts that have another form in a document. */
export type Rewrite = (cursor: JsonCursor, copy: RewrittenCopy) => void

/** Copy of JSON in which some values are replaced; copies nothing before the first replacement. */
export class RewrittenCopy {
  readonly target: JsonTarget
  readonly #bytes: Buffer
  readonly #start: number
  #copied: number
  #isChanged = false

  constructor(bytes: Buffer, start: number, target: JsonTarget) {
    this.target = target
    this.#bytes = bytes
    this.#start = start
    this.#copied = start
    target.begin()
  }

  /** Replaces `bytes[start, end)` by the bytes that are written next. */
  replace(start: number, end: number): JsonTarget {
    this.#copyTo(start)
    this.#copied = end
    this.#isChanged = true
    return this.target
  }

  /** Returns the whole value up to `end`: the original bytes if nothing was replaced. */
  finish(end: number): Buffer {
    if (!this.#isChanged) return this.#bytes.subarray(this.#start, end)
    this.#copyTo(end)
    return this.target.end()
  }

  #copyTo(end: number): void {
    const { target } = this
    target.reserve(end - this.#copied)
    target.at += this.#bytes.copy(target.bytes, target.at, this.#copied, end)
  }
}
