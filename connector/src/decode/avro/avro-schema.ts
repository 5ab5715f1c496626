import avro from 'avsc'
import { DecodeFailure } from '../decode-failure.ts'

/** Schema with resolved names: a record that refers to itself is one object. */
export type AvroType =
  | {
      readonly kind: 'null' | 'boolean' | 'int' | 'long' | 'float' | 'double' | 'string' | 'bytes'
      readonly logical: Logical | undefined
    }
  | { readonly kind: 'fixed'; readonly size: number; readonly logical: Logical | undefined }
  | { readonly kind: 'enum'; readonly symbols: readonly string[] }
  | { readonly kind: 'array'; readonly items: AvroType }
  | { readonly kind: 'map'; readonly values: AvroType }
  | { readonly kind: 'union'; readonly branches: readonly AvroType[] }
  | AvroRecord

export interface AvroRecord {
  readonly kind: 'record'
  readonly fields: readonly AvroField[]
}

interface AvroField {
  readonly name: string
  readonly type: AvroType
}

/** Meaning of a value in addition to its type. */
export type Logical =
  | { readonly name: TimeName | 'uuid' | 'duration' }
  | { readonly name: 'decimal'; readonly scale: number }

export type TimeName =
  | 'date'
  | 'time-millis'
  | 'time-micros'
  | 'timestamp-millis'
  | 'timestamp-micros'
  | 'timestamp-nanos'
  | 'local-timestamp-millis'
  | 'local-timestamp-micros'
  | 'local-timestamp-nanos'

/** Logical types of dates and times, and the type that each is based on. */
const TIMES: Readonly<Record<TimeName, 'int' | 'long'>> = {
  date: 'int',
  'time-millis': 'int',
  'time-micros': 'long',
  'timestamp-millis': 'long',
  'timestamp-micros': 'long',
  'timestamp-nanos': 'long',
  'local-timestamp-millis': 'long',
  'local-timestamp-micros': 'long',
  'local-timestamp-nanos': 'long'
}

/**
 * Parses a schema with avsc, which resolves names. `references`: the schemas that it refers to; each comes before the
 * schemas that need it. Throws a DecodeFailure if the schema cannot be used.
 */
export function parseSchema(schema: unknown, references: readonly unknown[] = []): AvroType {
  // avsc adds the names that it finds to these objects
  const options = {
    registry: Object.create(null) as Registry,
    logicalTypes: LOGICAL_TYPES,
    wrapUnions: 'always' as const,
    omitRecordMethods: true
  }
  for (const reference of references) forSchema(reference, options)
  return toAvroType(forSchema(schema, options), new Map())
}

type Registry = Record<string, avro.Type>
type Options = NonNullable<Parameters<typeof avro.Type.forSchema>[1]>

function forSchema(schema: unknown, options: Options): avro.Type {
  const bare = bareSchema(schema)
  try {
    return avro.Type.forSchema(bare as string, options)
  } catch (error) {
    const why = (error as Error).message.slice(0, MAX_WHY)
    throw new DecodeFailure(`its schema is not an Avro schema (${why})`, 'SCHEMA_UNKNOWN')
  }
}

const MAX_WHY = 200

/**
 * Keeps the attributes of a logical type, which avsc would drop. If the constructor throws, avsc reads the underlying
 * type, as the Avro specification demands.
 */
class KeptLogicalType extends avro.types.LogicalType {
  readonly logical: Logical

  constructor(schema: ConstructorParameters<typeof avro.types.LogicalType>[0], options?: object) {
    super(schema, options)
    const logical = logicalOf(schema as unknown as Record<string, unknown>, this.underlyingType)
    if (logical === undefined) throw new TypeError('The logical type does not fit the type below it.')
    this.logical = logical
  }
}

// without a prototype: a logical type may be called "constructor"
const LOGICAL_TYPES: Record<string, typeof KeptLogicalType> = Object.assign(
  Object.create(null),
  Object.fromEntries(['decimal', 'uuid', 'duration', ...Object.keys(TIMES)].map((name) => [name, KeptLogicalType]))
)

function toAvroType(type: avro.Type, known: Map<avro.Type, AvroType>): AvroType {
  if (type instanceof KeptLogicalType) return withLogical(type.underlyingType, type.logical)
  const made = known.get(type)
  if (made !== undefined) return made
  const { typeName } = type
  switch (typeName) {
    case 'record':
    case 'error': {
      const fields: AvroField[] = []
      const record = { kind: 'record', fields } as const
      // registered before its fields, which may contain it
      known.set(type, record)
      for (const { name, type: fieldType } of (type as avro.types.RecordType).fields)
        fields.push({ name, type: toAvroType(fieldType, known) })
      return record
    }
    case 'union:wrapped':
      return {
        kind: 'union',
        branches: (type as avro.types.WrappedUnionType).types.map((branch) => toAvroType(branch, known))
      }
    case 'array':
      return { kind: 'array', items: toAvroType((type as avro.types.ArrayType).itemsType, known) }
    case 'map':
      return { kind: 'map', values: toAvroType((type as avro.types.MapType).valuesType as avro.Type, known) }
    case 'enum':
      return { kind: 'enum', symbols: (type as avro.types.EnumType).symbols }
    default:
      return withLogical(type, undefined)
  }
}

function withLogical(type: avro.Type, logical: Logical | undefined): AvroType {
  const kind = PLAIN_KINDS.find((each) => each === type.typeName)
  if (kind !== undefined) return { kind, logical }
  if (type.typeName === 'fixed') return { kind: 'fixed', size: (type as avro.types.FixedType).size, logical }
  throw new DecodeFailure('its schema names a type that it does not define', 'SCHEMA_UNKNOWN')
}

const PLAIN_KINDS = ['null', 'boolean', 'int', 'long', 'float', 'double', 'string', 'bytes'] as const

/** The type of avsc below a logical type. */
interface Underlying {
  readonly typeName: string
  readonly size?: number
}

/** Logical type that a schema names. Undefined if it does not fit the underlying type: values are read as that type. */
function logicalOf(schema: Readonly<Record<string, unknown>>, { typeName, size }: Underlying): Logical | undefined {
  const name = schema['logicalType']
  if (typeof name !== 'string') return undefined
  if (name === 'decimal') return typeName === 'bytes' || typeName === 'fixed' ? decimalOf(schema) : undefined
  if (name === 'uuid')
    return typeName === 'string' || (typeName === 'fixed' && size === UUID_BYTES) ? { name } : undefined
  if (name === 'duration') return typeName === 'fixed' && size === DURATION_BYTES ? { name } : undefined
  return Object.hasOwn(TIMES, name) && TIMES[name as TimeName] === typeName ? { name: name as TimeName } : undefined
}

const UUID_BYTES = 16
/** Bytes of the logical type `duration`. */
export const DURATION_BYTES = 12

const MAX_PRECISION = 10_000

function decimalOf({
  precision,
  scale = 0
}: {
  readonly precision?: unknown
  readonly scale?: unknown
}): Logical | undefined {
  const isPrecise = Number.isInteger(precision) && (precision as number) >= 1 && (precision as number) <= MAX_PRECISION
  if (!isPrecise || !Number.isInteger(scale)) return undefined
  const decimals = scale as number
  return decimals >= 0 && decimals <= (precision as number) ? { name: 'decimal', scale: decimals } : undefined
}

/**
 * Removes the attributes of a schema that reading does not need. Only a reader with its own schema needs defaults and
 * aliases, and many registries contain defaults that are invalid in Avro.
 */
function bareSchema(schema: unknown, depth = 0): unknown {
  if (depth > MAX_DEPTH)
    throw new DecodeFailure(`its schema is nested deeper than ${MAX_DEPTH} levels`, 'SCHEMA_UNKNOWN')
  if (Array.isArray(schema)) return schema.map((branch) => bareSchema(branch, depth + 1))
  if (typeof schema !== 'object' || schema === null) return schema
  const { type } = schema as { readonly type?: unknown }
  if (typeof type === 'object') return bareSchema(type, depth + 1)
  if (typeof type === 'string' && !BUILT_IN.has(type)) return type
  return bareDefinition(schema as Record<string, unknown>, depth)
}

// a schema takes about three levels of recursion for each level of JSON, which is limited to 128
const MAX_DEPTH = 400

const BUILT_IN: ReadonlySet<string> = new Set([
  'null',
  'boolean',
  'int',
  'long',
  'float',
  'double',
  'bytes',
  'string',
  'record',
  'error',
  'enum',
  'array',
  'map',
  'fixed'
])

const KEPT = ['type', 'name', 'namespace', 'symbols', 'size', 'logicalType', 'precision', 'scale'] as const

function bareDefinition(schema: Record<string, unknown>, depth: number): object {
  const bare: Record<string, unknown> = {}
  for (const name of KEPT) if (Object.hasOwn(schema, name)) bare[name] = schema[name]
  for (const name of ['items', 'values'])
    if (Object.hasOwn(schema, name)) bare[name] = bareSchema(schema[name], depth + 1)
  if (Object.hasOwn(schema, 'fields')) bare['fields'] = bareFields(schema['fields'], depth + 1)
  return bare
}

function bareFields(fields: unknown, depth: number): unknown {
  if (!Array.isArray(fields)) return fields
  return fields.map((field: { readonly name?: unknown; readonly type?: unknown }) => ({
    name: field?.name,
    type: bareSchema(field?.type, depth)
  }))
}
