/** A JSON Schema of draft 2020-12. */
export type Schema = boolean | { readonly [keyword: string]: unknown }

/**
 * Describes each violation of a schema by a value, beginning with its path inside the value. Supports the
 * keywords that the published schemas of Keystamp use, and throws for any other keyword.
 */
export function schemaComplaints(root: Schema, value: unknown): string[] {
  return complaints(root, value, '', root)
}

type Check = (rule: never, value: never, at: string, root: Schema, schema: Record<string, Schema>) => string[]

const IGNORED = new Set([
  '$schema',
  '$defs',
  'title',
  'description',
  'default',
  'then',
  'else',
  'examples',
  'writeOnly'
])

const CHECKS: Readonly<Record<string, Check>> = {
  $ref: (path: string, value: unknown, at, root) => complaints(lookUp(root, path), value, at, root),
  type: (type: string, value: unknown, at) => complainUnless(typeOf(value, type) === type, `${at} is no ${type}`),
  const: (wanted: unknown, value: unknown, at) =>
    complainUnless(wanted === value, `${at} is not ${JSON.stringify(wanted)}`),
  enum: (allowed: unknown[], value: unknown, at) =>
    complainUnless(allowed.includes(value), `${at} is none of ${JSON.stringify(allowed)}`),
  pattern: (pattern: string, value: unknown, at) =>
    complainUnless(
      typeof value !== 'string' || new RegExp(pattern, 'u').test(value),
      `${at} does not match ${pattern}`
    ),
  minimum: (least: number, value: unknown, at) => complainUnless(!(Number(value) < least), `${at} is below ${least}`),
  maximum: (most: number, value: unknown, at) => complainUnless(!(Number(value) > most), `${at} is above ${most}`),
  exclusiveMinimum: (bound: number, value: unknown, at) =>
    complainUnless(!(Number(value) <= bound), `${at} is not above ${bound}`),
  minLength: (least: number, value: unknown, at) =>
    complainUnless(typeof value !== 'string' || value.length >= least, `${at} is too short`),
  maxLength: (most: number, value: unknown, at) =>
    complainUnless(typeof value !== 'string' || value.length <= most, `${at} is too long`),
  propertyNames: (names: Schema, value: unknown, at, root) =>
    Object.keys(isObject(value) ? value : {}).flatMap((name) => complaints(names, name, `${at}/${name}`, root)),
  minItems: (least: number, value: unknown, at) =>
    complainUnless(!Array.isArray(value) || value.length >= least, `${at} has too few entries`),
  maxItems: (most: number, value: unknown, at) =>
    complainUnless(!Array.isArray(value) || value.length <= most, `${at} has too many entries`),
  prefixItems: (schemas: Schema[], value: unknown, at, root) =>
    listOf(value).flatMap((item, index) =>
      index < schemas.length ? complaints(schemas[index], item, `${at}/${index}`, root) : []
    ),
  items: (item: Schema, value: unknown, at, root, schema) =>
    listOf(value).flatMap((each, index) =>
      index < listOf(schema['prefixItems']).length ? [] : complaints(item, each, `${at}/${index}`, root)
    ),
  contains: (wanted: Schema, value: unknown, at, root) =>
    complainUnless(
      !Array.isArray(value) || value.some((item) => fits(wanted, item, root)),
      `${at} lacks an entry of the wanted kind`
    ),
  required: (names: string[], value: unknown, at) =>
    names.flatMap((name) => complainUnless(!isObject(value) || Object.hasOwn(value, name), `${at}/${name} is missing`)),
  minProperties: (least: number, value: unknown, at) =>
    complainUnless(!isObject(value) || Object.keys(value).length >= least, `${at} has too few properties`),
  maxProperties: (most: number, value: unknown, at) =>
    complainUnless(!isObject(value) || Object.keys(value).length <= most, `${at} has too many properties`),
  dependentRequired: (needs: Record<string, string[]>, value: unknown, at) =>
    Object.entries(needs).flatMap(([name, needed]) =>
      isObject(value) && Object.hasOwn(value, name)
        ? needed.flatMap((each) => complainUnless(Object.hasOwn(value, each), `${at}/${each} is missing`))
        : []
    ),
  properties: (schemas: Record<string, Schema>, value: unknown, at, root) =>
    Object.entries(schemas).flatMap(([name, schema]) =>
      isObject(value) && Object.hasOwn(value, name) ? complaints(schema, value[name], `${at}/${name}`, root) : []
    ),
  additionalProperties: (others: Schema, value: unknown, at, root, schema) =>
    Object.entries(isObject(value) ? value : {}).flatMap(([name, each]) => {
      if (Object.hasOwn((schema['properties'] ?? {}) as object, name)) return []
      return others === false ? [`${at}/${name} is not known`] : complaints(others, each, `${at}/${name}`, root)
    }),
  allOf: (schemas: Schema[], value: unknown, at, root) =>
    schemas.flatMap((schema) => complaints(schema, value, at, root)),
  anyOf: (schemas: Schema[], value: unknown, at, root) => {
    const byAlternative = schemas.map((schema) => complaints(schema, value, at, root))
    if (byAlternative.some((found) => found.length === 0)) return []
    // the value was meant for an alternative that it violates only in its depth
    const meant = byAlternative.find((found) => found.every((complaint) => complaint.startsWith(`${at}/`)))
    return meant ?? [`${at} fits no alternative`]
  },
  oneOf: (schemas: Schema[], value: unknown, at, root) =>
    complainUnless(
      schemas.filter((schema) => fits(schema, value, root)).length === 1,
      `${at} does not fit exactly one`
    ),
  not: (schema: Schema, value: unknown, at, root) =>
    complainUnless(!fits(schema, value, root), `${at} fits what it must not`),
  if: (condition: Schema, value: unknown, at, root, schema) =>
    complaints(schema[fits(condition, value, root) ? 'then' : 'else'] ?? true, value, at, root)
}

function complaints(schema: Schema, value: unknown, at: string, root: Schema): string[] {
  if (typeof schema === 'boolean') return complainUnless(schema, `${at} is not allowed`)
  return Object.entries(schema).flatMap(([keyword, rule]) => {
    if (IGNORED.has(keyword)) return []
    const check = CHECKS[keyword]
    if (check === undefined) throw new Error(`The schema uses "${keyword}", which this validator does not support.`)
    return check(rule as never, value as never, at, root, schema as Record<string, Schema>)
  })
}

function fits(schema: Schema, value: unknown, root: Schema): boolean {
  return complaints(schema, value, '', root).length === 0
}

function complainUnless(holds: boolean, complaint: string): string[] {
  return holds ? [] : [complaint]
}

function lookUp(root: Schema, path: string): Schema {
  const [, ...names] = path.split('/')
  return names.reduce<unknown>((schema, name) => (schema as Record<string, unknown>)[name], root) as Schema
}

function typeOf(value: unknown, wanted: string): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return wanted === 'integer' && Number.isInteger(value) ? 'integer' : typeof value
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as unknown[]) : []
}
