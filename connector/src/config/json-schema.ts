import { fileSchema, type SchemaNode } from './file-schema.ts'

type Node = Readonly<Record<string, unknown>>

/**
 * JSON Schema of configurations for editors (`docs/sink.schema.json`). It accepts a reference in place of any value.
 */
export function configJsonSchema(): object {
  const { properties = {}, required = [] } = fileSchema('one')
  const { onSinkFailure, http, log, ...sink } = properties
  const shared = Object.fromEntries(
    Object.entries({ ...sink, onSinkFailure, http, log }).map(([key, node]) => [key, published(node, [key])])
  )
  const sinkKeys = Object.keys(sink)
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Configuration of the Keystamp sink',
    description: 'One sink, with its keys at the top level, or several as a list under `sinks`.',
    if: { required: ['sinks'] },
    // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
    then: {
      type: 'object',
      properties: {
        sinks: {
          type: 'array',
          minItems: 1,
          items: { type: 'object', properties: refer(sinkKeys), required, additionalProperties: false },
          description: 'List of sinks; each has its own keys.'
        },
        ...refer(SERVICE_KEYS)
      },
      required: ['sinks'],
      additionalProperties: false
    },
    else: { type: 'object', properties: refer([...sinkKeys, ...SERVICE_KEYS]), required, additionalProperties: false },
    $defs: {
      ...shared,
      reference: {
        type: 'string',
        pattern: String.raw`\$\{(env|file):[^}]+\}`,
        description:
          'Reference to an environment variable or a file: `${env:NAME}`, `${file:path}`, each with an optional default after `:-`.'
      }
    }
  }
}

/** Keys of the process. They stand at the top level, next to `sinks` or to the keys of a single sink. */
const SERVICE_KEYS = ['onSinkFailure', 'http', 'log']

function refer(keys: readonly string[]): Node {
  return Object.fromEntries(keys.map((key) => [key, { $ref: `#/$defs/${key}` }]))
}

const INCLUDED: Readonly<Record<string, Node>> = {
  plan: { anyOf: [{ type: 'string' }, { $ref: 'key-plan.schema.json' }] },
  schema: { anyOf: [{ type: 'string' }, { type: 'object' }] }
}

/**
 * Schema node for editors. Accepts a reference (`${env:...}`) as an alternative, except if the node accepts any
 * string, or is an object with listed properties.
 */
function published(node: SchemaNode, path: readonly string[], isChoice = false): Node {
  const { default: usual, description, title, examples, writeOnly, ...rules } = node
  const notes = {
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
    ...(usual === undefined || isEmptyObject(usual) ? {} : { default: usual }),
    ...(examples === undefined ? {} : { examples }),
    ...(writeOnly === undefined ? {} : { writeOnly })
  }
  const included = INCLUDED[path.at(-1)!]
  if (included !== undefined && rules.type === 'object') return { ...notes, ...included }
  const inner = publishedInside(rules, path)
  return isChoice || takesAnyText(rules)
    ? { ...notes, ...inner }
    : { ...notes, anyOf: [inner, { $ref: '#/$defs/reference' }] }
}

function publishedInside(rules: SchemaNode, path: readonly string[]): Node {
  const { properties, items, anyOf, oneOf, additionalProperties, ...rest } = rules
  return {
    ...rest,
    ...(properties === undefined ? {} : { properties: eachOf(properties, path) }),
    ...(items === undefined ? {} : { items: published(items, [...path, '0']) }),
    ...(anyOf === undefined ? {} : { anyOf: anyOf.map((option) => published(option, path, true)) }),
    ...(oneOf === undefined ? {} : { oneOf: oneOf.map((option) => published(option, path, true)) }),
    ...(additionalProperties === undefined
      ? {}
      : {
          additionalProperties:
            typeof additionalProperties === 'object'
              ? published(additionalProperties, [...path, '*'])
              : additionalProperties
        })
  }
}

// Properties that distinguish choices. They cannot be references: an editor has to read them in the file.
const DISCRIMINATORS: ReadonlySet<string> = new Set(['mechanism', 'strategy', 'format'])

function eachOf(properties: NonNullable<SchemaNode['properties']>, path: readonly string[]): Node {
  return Object.fromEntries(
    Object.entries(properties).map(([key, node]) => [key, published(node, [...path, key], DISCRIMINATORS.has(key))])
  )
}

function takesAnyText({ type, properties, pattern, enum: names, const: only, oneOf }: SchemaNode): boolean {
  if (type === 'object' || oneOf !== undefined) return properties !== undefined || oneOf !== undefined
  return type === 'string' && pattern === undefined && names === undefined && only === undefined
}

function isEmptyObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length === 0
}
