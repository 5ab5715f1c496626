import { KeystampError, type PlanDefinition } from '@keystamp/core'
import type { IdSettings } from './settings.ts'

/** Definition of ids in the form of a key plan. */
export type IdDefinition = NonNullable<PlanDefinition['id']>

type IdComponent = IdDefinition['from'][number]

/**
 * Converts an id strategy to the form of a key plan. The made id replaces an `id` of the record. Throws
 * CONFIG_INVALID.
 */
export function idDefinition(settings: IdSettings): IdDefinition {
  const { escape } = settings
  return { ...partsOf(settings), escape, existing: 'overwrite' }
}

function partsOf(settings: IdSettings): Pick<IdDefinition, 'from' | 'separator'> {
  switch (settings.strategy) {
    case 'inValue':
      return { from: [{ field: pointerOf(settings.path, false) }] }
    case 'inKey': {
      const field = pointerOf(settings.path, true)
      return { from: [field === '' ? { kafka: 'key' } : { kafka: 'key', field }] }
    }
    case 'fullKey':
      return { from: [{ kafka: 'key' }] }
    case 'metadata':
      return metadataParts(settings.delimiter)
    case 'template':
      return { from: templateParts(checkTemplate(settings.template)), separator: '' }
  }
}

function metadataParts(delimiter: string): Pick<IdDefinition, 'from' | 'separator'> {
  const [topic, partition, offset] = [{ kafka: 'topic' }, { kafka: 'partition' }, { kafka: 'offset' }] as const
  // in the same form as a plan written by hand
  if (delimiter === '-') return { from: [topic, partition, offset] }
  const between = delimiter === '' ? [] : [{ literal: delimiter }]
  return { from: [topic, ...between, partition, ...between, offset], separator: '' }
}

function pointerOf(path: string, mayBeRoot: boolean): `/${string}` | '' {
  const pointer = toIdPointer(path)
  if (pointer !== undefined && (pointer !== '' || mayBeRoot)) return pointer as `/${string}` | ''
  throw new KeystampError(
    'CONFIG_INVALID',
    `\`id.path\` must name one value, such as "/vehicle/vin" or "$.vehicle.vin", not ${JSON.stringify(path)}.`
  )
}

function checkTemplate(template: string): string {
  const [unknown] = unknownVariables(template)
  if (unknown !== undefined) {
    const known = TEMPLATE_VARIABLES.map((name) => `\${${name}}`).join(', ')
    throw new KeystampError('CONFIG_INVALID', `\`id.template\` can contain ${known}, but not \${${unknown}}.`)
  }
  return template
}

/**
 * Converts a path to a JSON pointer. Accepts a pointer (`/a/b`), or a JSON path of plain steps as in Microsoft's
 * connectors (`$.a.b`, `$['a b'][0]`). Returns an empty string for the root; undefined if the path can match several
 * values or none.
 */
export function toIdPointer(path: string): string | undefined {
  if (path === '$') return ''
  if (path.startsWith('/')) return POINTER.test(path) ? path : undefined
  if (!path.startsWith('$')) return undefined
  let pointer = ''
  let from = 1
  while (from < path.length) {
    STEP.lastIndex = from
    const step = STEP.exec(path)
    if (step === null) return undefined
    const [whole, bare, single, double, index] = step
    pointer += `/${escapeStep(bare ?? index ?? unquote(single ?? double))}`
    from += whole.length
  }
  return POINTER.test(pointer) ? pointer : undefined
}

const POINTER = /^(?:\/(?:[^~/]|~[01])+)+$/
const STEP = /\.([^.[\]*?@'"\s]+)|\['((?:[^'\\]|\\.)*)'\]|\["((?:[^"\\]|\\.)*)"\]|\[(\d+)\]/y

function unquote(text: string): string {
  return text.replace(/\\(.)/g, '$1')
}

function escapeStep(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1')
}

/** Splits a template such as `${topic}_${key}` into literals and variables. */
function templateParts(template: string): readonly IdComponent[] {
  return template
    .split(VARIABLE)
    .map((part, index): IdComponent => (index % 2 === 0 ? { literal: part } : ({ kafka: part } as IdComponent)))
    .filter((part) => !('literal' in part) || part.literal !== '')
}

/** Names in a template that are not variables and would be written literally. */
export function unknownVariables(template: string): readonly string[] {
  return [...template.matchAll(/\$\{([^}]*)\}/g)]
    .map(([, name]) => name)
    .filter((name) => !TEMPLATE_VARIABLES.includes(name))
}

type TemplateVariable = 'topic' | 'partition' | 'offset' | 'key'

export const TEMPLATE_VARIABLES: readonly string[] = [
  'topic',
  'partition',
  'offset',
  'key'
] satisfies TemplateVariable[]

const VARIABLE = /\$\{(topic|partition|offset|key)\}/
