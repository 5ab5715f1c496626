import type { NumberPolicy } from '../../config/settings.ts'
import { DecodeFailure, within } from '../decode-failure.ts'
import { bigIntegerRewrite, dateRewrite, decimalRewrite, timeOfDayRewrite, timestampRewrite } from './logical-rewrites.ts'
import type { Rewrite } from './rewrite.ts'

/** A schema as Connect's JsonConverter writes it; what else it says is of no use here. */
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

/** What has to be rewritten in values of a schema: undefined where they can stay as they are. */
export function compileSchema(given: unknown, numbers: NumberPolicy, depth = 0): Rewrite | undefined {
  if (given === null && depth === 0) return undefined
  if (typeof given !== 'object' || given === null || depth > MAX_DEPTH) throw new DecodeFailure('its schema is none of Kafka Connect')
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

const MAX_DEPTH = 128

const PREFIX = 'org.apache.kafka.connect.data.'
const [DECIMAL, DATE, TIME, TIMESTAMP] = ['Decimal', 'Date', 'Time', 'Timestamp'].map((name) => PREFIX + name)
const LOGICAL: ReadonlySet<string> = new Set([DECIMAL, DATE, TIME, TIMESTAMP])

function logical({ name, parameters }: ConnectSchema, numbers: NumberPolicy): Rewrite {
  if (name === DATE) return dateRewrite
  if (name === TIME) return timeOfDayRewrite
  if (name === TIMESTAMP) return timestampRewrite
  const scale = Number(parameters?.scale)
  if (!Number.isInteger(scale) || Math.abs(scale) > MAX_SCALE) throw new DecodeFailure('a decimal in its schema has no usable scale')
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
  return orNull(0x7b, (cursor, copy) =>
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
  return orNull(0x5b, (cursor, copy) =>
    cursor.eachItem((index) => {
      try {
        item(cursor, copy)
      } catch (error) {
        throw within(error, index)
      }
    })
  )
}

/** A map whose keys are texts is written as an object, any other as an array of pairs. Names in it belong to the payload: they are not told. */
function mapRewrite({ keys, values }: ConnectSchema, numbers: NumberPolicy, depth: number): Rewrite | undefined {
  const key = compileSchema(keys, numbers, depth + 1)
  const value = compileSchema(values, numbers, depth + 1)
  if (key === undefined && value === undefined) return undefined
  return (cursor, copy) => {
    if (cursor.peek() === 0x7b) return cursor.eachMember(() => (value === undefined ? cursor.skipValue() : value(cursor, copy)))
    if (cursor.peek() !== 0x5b) return cursor.skipValue()
    cursor.eachItem(() => {
      if (cursor.peek() !== 0x5b) return cursor.skipValue()
      cursor.eachItem((place) => {
        const rewrite = place === 0 ? key : value
        if (rewrite === undefined) cursor.skipValue()
        else rewrite(cursor, copy)
      })
    })
  }
}

/** A value that is null, or not what the schema says, stays as it is. */
function orNull(opening: number, rewrite: Rewrite): Rewrite {
  return (cursor, copy) => {
    if (cursor.peek() === opening) rewrite(cursor, copy)
    else cursor.skipValue()
  }
}
