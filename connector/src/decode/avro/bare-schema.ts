import { DecodeFailure } from '../decode-failure.ts'

/**
 * A schema without what reading does not need: defaults and aliases serve readers with a schema of their own, and many registries hold
 * defaults that Avro's own rules forbid, which must not stop anybody from reading.
 */
export function bareSchema(schema: unknown, depth = 0): unknown {
  if (depth > MAX_DEPTH) throw new DecodeFailure(`its schema is nested deeper than ${MAX_DEPTH} levels`, 'SCHEMA_UNKNOWN')
  if (Array.isArray(schema)) return schema.map((branch) => bareSchema(branch, depth + 1))
  if (typeof schema !== 'object' || schema === null) return schema
  const { type } = schema as { readonly type?: unknown }
  if (typeof type === 'object') return bareSchema(type, depth + 1)
  if (typeof type === 'string' && !BUILT_IN.has(type)) return type
  return bareDefinition(schema as Record<string, unknown>, depth)
}

// a schema costs about three levels of recursion for each level of JSON, which holds 128
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
  for (const name of ['items', 'values']) if (Object.hasOwn(schema, name)) bare[name] = bareSchema(schema[name], depth + 1)
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
