import avro from 'avsc'

import { DecodeFailure } from '../decode-failure.ts'
import type { AvroField, AvroType, Logical } from './avro-type.ts'
import { bareSchema } from './bare-schema.ts'
import { logicalOf, TIMES } from './logical-of.ts'

/**
 * Reads a schema, after those that it refers to, each before the first that needs it.
 * avsc reads and resolves; what cannot be used is thrown as a DecodeFailure.
 */
export function parseSchema(schema: unknown, references: readonly unknown[] = []): AvroType {
  // avsc writes the names that it meets into these
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
    throw new DecodeFailure(`its schema is no Avro schema (${why})`, 'SCHEMA_UNKNOWN')
  }
}

const MAX_WHY = 200

/** Keeps what a schema says beside `logicalType`, which avsc would forget. Where it throws, avsc reads the bare type, as Avro demands. */
class KeptLogicalType extends avro.types.LogicalType {
  readonly logical: Logical

  constructor(schema: ConstructorParameters<typeof avro.types.LogicalType>[0], options?: object) {
    super(schema, options)
    const logical = logicalOf(schema as unknown as Record<string, unknown>, this.underlyingType)
    if (logical === undefined) throw new TypeError('The logical type does not fit the type below it.')
    this.logical = logical
  }
}

// nothing is inherited: a logical type may be called "constructor"
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
      // before its fields, which may hold it again
      known.set(type, record)
      for (const { name, type: fieldType } of (type as avro.types.RecordType).fields)
        fields.push({ name, type: toAvroType(fieldType, known) })
      return record
    }
    case 'union:wrapped':
      return { kind: 'union', branches: (type as avro.types.WrappedUnionType).types.map((branch) => toAvroType(branch, known)) }
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
