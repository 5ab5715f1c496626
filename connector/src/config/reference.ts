import { RULES } from './rules.ts'
import { EVENT_HUBS_DEFAULTS } from './event-hubs.ts'
import { RENAMED_KEYS, type RenamedKey } from './renamed-keys.ts'
import { fileSchema, type SchemaNode } from './file-schema.ts'

/** All keys of a configuration, for `docs/sink-reference.md`. */
export interface ConfigReference {
  readonly sections: readonly ReferenceSection[]
  /** Rules between keys: the key that a rule is about, and what the rule demands. */
  readonly rules: readonly { readonly at: string; readonly demands: string }[]
  readonly eventHubs: Readonly<Record<string, string | boolean>>
  /** Former names of keys that are still accepted. */
  readonly renamed: readonly RenamedKey[]
}

/** The keys of one section. */
export interface ReferenceSection {
  /** Empty for the top level. */
  readonly key: string
  readonly says: string
  readonly rows: readonly ReferenceRow[]
}

export interface ReferenceRow {
  readonly key: string
  readonly type: string
  /** The default as it would be written, or `required`. Empty if there is no default, or the description names it. */
  readonly usual: string
  readonly says: string
}

/** Lists every key of a configuration with its type, default and description, and the rules between keys. */
export function configReference(): ConfigReference {
  const sections = sectionsOf(
    fileSchema('one'),
    [],
    'Keys of the file. With several sinks, these are the keys of each entry of `sinks`, except `onSinkFailure`, `http` and `log`, which stay at the top level.'
  )
  return {
    sections,
    rules: RULES.map(({ at, demands }) => ({ at, demands })),
    eventHubs: EVENT_HUBS_DEFAULTS,
    renamed: RENAMED_KEYS
  }
}

function sectionsOf(node: SchemaNode, path: readonly string[], says: string): readonly ReferenceSection[] {
  const options = [node, ...(node.anyOf ?? []), ...(node.oneOf ?? [])].filter(
    ({ properties }) => properties !== undefined
  )
  const rows = new Map<string, ReferenceRow>()
  const deeper: ReferenceSection[] = []
  for (const { properties = {}, required = [] } of options) {
    for (const [key, child] of Object.entries(properties)) {
      const row = rows.get(key)
      const made = toRow(key, child, required.includes(key))
      rows.set(
        key,
        row === undefined
          ? made
          : { ...row, type: [...new Set([...row.type.split(', '), ...made.type.split(', ')])].join(', ') }
      )
      if (row === undefined) deeper.push(...sectionsOf(child, [...path, key], child.description ?? ''))
    }
  }
  return rows.size === 0 ? [] : [{ key: path.join('.'), says, rows: [...rows.values()] }, ...deeper]
}

function toRow(key: string, node: SchemaNode, isRequired: boolean): ReferenceRow {
  const { default: usual, description = '' } = node
  const shown =
    usual === undefined || isSection(node) ? '' : `\`${typeof usual === 'string' ? usual : JSON.stringify(usual)}\``
  return { key, type: typeOf(node), usual: isRequired ? 'required' : shown, says: description }
}

function isSection({ properties, default: usual }: SchemaNode): boolean {
  return properties !== undefined && typeof usual === 'object'
}

function typeOf({
  title,
  type,
  enum: names,
  const: only,
  anyOf,
  oneOf,
  items,
  properties,
  additionalProperties
}: SchemaNode): string {
  if (title !== undefined) return title
  if (names !== undefined) return names.map((name) => `\`${String(name)}\``).join(', ')
  if (only !== undefined) return `\`${only as string}\``
  const options = anyOf ?? oneOf
  if (options !== undefined) return [...new Set(options.map(typeOf))].join(', ')
  if (type === 'array') return `list of ${items === undefined ? 'values' : typeOf(items)}`
  if (properties !== undefined) return 'mapping'
  if (typeof additionalProperties === 'object') return 'mapping of names'
  return TYPES[type ?? ''] ?? ''
}

const TYPES: Readonly<Record<string, string>> = {
  string: 'string',
  integer: 'integer',
  number: 'number',
  boolean: 'boolean'
}
