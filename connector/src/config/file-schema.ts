import * as z from 'zod'
import { manySinksSchema, oneSinkSchema } from './schema/service-schema.ts'
import type { ConfigPath } from './config-path.ts'

/** The part of JSON Schema that describes a configuration. */
export interface SchemaNode {
  readonly type?: string
  readonly title?: string
  readonly description?: string
  readonly default?: unknown
  readonly examples?: readonly unknown[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly pattern?: string
  readonly writeOnly?: boolean
  readonly properties?: Readonly<Record<string, SchemaNode>>
  readonly required?: readonly string[]
  readonly additionalProperties?: SchemaNode | boolean
  readonly items?: SchemaNode
  readonly anyOf?: readonly SchemaNode[]
  readonly oneOf?: readonly SchemaNode[]
}

/** The JSON Schema of a file with one sink, or with several. */
export function fileSchema(kind: 'one' | 'many'): SchemaNode {
  return (made[kind] ??= z.toJSONSchema(kind === 'one' ? oneSinkSchema : manySinksSchema, {
    io: 'input'
  }) as SchemaNode)
}

const made: { one?: SchemaNode; many?: SchemaNode } = {}

/** All schema nodes that apply to a path. */
export function nodesAt(schema: SchemaNode, path: ConfigPath): readonly SchemaNode[] {
  return path.reduce<readonly SchemaNode[]>(
    (nodes, part) => nodes.flatMap((node) => childrenOf(node, part)),
    optionsOf(schema)
  )
}

/** Keys that the schema knows at a path. */
export function knownKeys(schema: SchemaNode, path: ConfigPath): readonly string[] {
  return [...new Set(nodesAt(schema, path).flatMap(({ properties = {} }) => Object.keys(properties)))]
}

/** Every named path of the schema, through lists and choices, parents before their children. */
export function namedPaths(schema: SchemaNode, from: ConfigPath = []): readonly ConfigPath[] {
  return knownKeys(schema, from).flatMap((key) => [[...from, key], ...namedPaths(schema, [...from, key])])
}

function childrenOf(
  { properties, items, additionalProperties }: SchemaNode,
  part: string | number
): readonly SchemaNode[] {
  if (typeof part === 'number') return items === undefined ? [] : optionsOf(items)
  const child = properties !== undefined && Object.hasOwn(properties, part) ? properties[part] : additionalProperties
  return typeof child === 'object' ? optionsOf(child) : []
}

/** Returns the node itself, since it can have keywords next to `anyOf` or `oneOf`, and all of its options. */
function optionsOf(node: SchemaNode): readonly SchemaNode[] {
  const options = node.anyOf ?? node.oneOf
  return options === undefined ? [node] : [node, ...options.flatMap(optionsOf)]
}
