import { ESCAPE } from '../text/escape.ts'
import { formatPointer } from '../text/pointer.ts'
import type { Existing } from './definition.ts'
import type { Mistakes } from './mistakes.ts'
import { parseComponent, parsePath } from './parse-component.ts'
import type { ComponentRules, FieldRules, HotRules, IdRules, LevelRules, SuffixRules } from './rules.ts'

export const LEVEL_MEMBERS: readonly string[] = ['into', 'from', 'separator', 'suffix', 'existing', 'tooLong']

const MAX_COMPONENTS = 16
const MAX_SUFFIXES = 1_000_000
const MAX_EVEN_LABELS = 10_000
const MAX_HOT = 10_000
const EXISTING: readonly Existing[] = ['verify', 'overwrite', 'keep']

/** Parses one level of the key; the caller has checked `json` for unknown properties. */
export function parseLevel(json: Record<string, unknown>, path: string, mistakes: Mistakes): LevelRules | undefined {
  const into = parsePath(json['into'], `${path}/into`, mistakes)
  if (into?.includes('__proto__')) mistakes.add(`${path}/into`, 'must not name __proto__')
  if (into?.[0] === 'id') mistakes.add(`${path}/into`, path === '' ? FLAT_ID : LEVEL_ID)
  const from = parseComponents(json['from'], `${path}/from`, mistakes)
  const separator = parseSeparator(json['separator'], `${path}/separator`, '-', mistakes)
  const suffix =
    json['suffix'] === undefined ? undefined : parseSuffix(json['suffix'], `${path}/suffix`, from?.length, mistakes)
  const existing = mistakes.oneOf(json['existing'], `${path}/existing`, EXISTING, 'verify')
  const tooLong = mistakes.oneOf(json['tooLong'], `${path}/tooLong`, ['reject', 'hash'] as const, 'reject')
  return into === undefined || from === undefined ? undefined : { into, from, separator, suffix, existing, tooLong }
}

const FLAT_ID = 'must not be the id: a container whose key path is /id needs no plan'
const LEVEL_ID =
  'must not be the id: only the last of several levels can be, written as { "into": "/id", "from": [{ "id": true }] }'

/** Whether a level is meant to be the id. */
export function isIdLevel(json: unknown): boolean {
  return typeof json === 'object' && json !== null && 'into' in json && json.into === '/id'
}

/**
 * Parses the id as the last level of a hierarchical key. The property `id` of the plan says how the id is made, and
 * what happens to an existing id.
 */
export function parseIdLevel(json: Record<string, unknown>, path: string, mistakes: Mistakes): LevelRules | undefined {
  for (const name of Object.keys(json)) {
    if (name !== 'into' && name !== 'from')
      mistakes.add(`${path}/${name}`, 'has no effect for the id; `id` of the plan says how the id is made')
  }
  const from = parseComponents(json['from'], `${path}/from`, mistakes)
  if (from === undefined) return undefined
  if (from.length > 1 || from[0].kind !== 'id')
    return mistakes.add(`${path}/from`, 'must be [{ "id": true }] if the level is the id')
  return { into: ['id'], from, separator: '-', suffix: undefined, existing: 'verify', tooLong: 'reject' }
}

export function parseId(value: unknown, path: string, mistakes: Mistakes): IdRules | undefined {
  const json = mistakes.object(value, path, ['from', 'separator', 'escape', 'existing'])
  if (json === undefined) return undefined
  const from = parseComponents(json['from'], `${path}/from`, mistakes)
  if (from?.some((component) => component.kind === 'id'))
    mistakes.add(`${path}/from`, 'must not use the id, because these components make it')
  // an id is never split, so it needs no separator
  const separator =
    json['separator'] === '' ? '' : parseSeparator(json['separator'], `${path}/separator`, '-', mistakes)
  const escape = mistakes.oneOf(json['escape'], `${path}/escape`, ['lossless', 'underscore'] as const, 'lossless')
  const existing = mistakes.oneOf(json['existing'], `${path}/existing`, EXISTING, 'verify')
  return from === undefined ? undefined : { from, separator, escape, existing }
}

function parseComponents(value: unknown, path: string, mistakes: Mistakes): readonly ComponentRules[] | undefined {
  const list = mistakes.list(value, path, 1, MAX_COMPONENTS)
  if (list === undefined) return undefined
  const components = list.map((each, index) => parseComponent(each, `${path}/${index}`, mistakes))
  if (list.every((each) => typeof each === 'object' && each !== null && 'literal' in each)) {
    mistakes.add(path, 'has only literals: every record would get the same key')
  }
  return components.every((component) => component !== undefined) ? components : undefined
}

function parseSuffix(
  value: unknown,
  path: string,
  components: number | undefined,
  mistakes: Mistakes
): SuffixRules | undefined {
  const json = mistakes.object(value, path, ['by', 'count', 'separator', 'labels', 'hot', 'on'])
  if (json === undefined) return undefined
  const labels = mistakes.oneOf(json['labels'], `${path}/labels`, ['numbered', 'even'] as const, 'numbered')
  const max = labels === 'even' ? MAX_EVEN_LABELS : MAX_SUFFIXES
  const count = mistakes.integer(json['count'], `${path}/count`, 1, max)
  const separator = parseSeparator(json['separator'], `${path}/separator`, '.', mistakes)
  const by = parseBy(json['by'], `${path}/by`, mistakes)
  const hot = parseHot(json, path, { max, components }, mistakes)
  if (hot !== undefined && by === 'random') {
    mistakes.add(
      `${path}/hot`,
      'cannot be used with "random": compute the suffix from a field, or give all values one count'
    )
  }
  return by === undefined || count === undefined ? undefined : { by, count, separator, labels, hot }
}

/** Parses the values that have their own number of suffixes. */
function parseHot(
  { hot, on }: Record<string, unknown>,
  path: string,
  { max, components = MAX_COMPONENTS }: { readonly max: number; readonly components: number | undefined },
  mistakes: Mistakes
): HotRules | undefined {
  if (hot === undefined) {
    return on === undefined ? undefined : mistakes.add(`${path}/on`, 'has no effect without `hot`')
  }
  const component = on === undefined ? 1 : mistakes.integer(on, `${path}/on`, 1, components)
  if (typeof hot !== 'object' || hot === null || Array.isArray(hot)) {
    return mistakes.add(
      `${path}/hot`,
      'must be an object with the number of suffixes of each value, such as { "tenant-0": 16 }'
    )
  }
  const entries = Object.entries(hot)
  if (entries.length === 0) return mistakes.add(`${path}/hot`, 'names no value: leave it out')
  if (entries.length > MAX_HOT) {
    return mistakes.add(
      `${path}/hot`,
      `has ${entries.length} values; at most ${MAX_HOT} are possible: raise \`count\` instead`
    )
  }
  const counts = new Map<string, number>()
  for (const [value, count] of entries) {
    const checked = mistakes.integer(count, path + formatPointer(['hot', value]), 1, max)
    if (mistakes.string(value, path + formatPointer(['hot', value])) !== undefined && checked !== undefined)
      counts.set(value, checked)
  }
  return component === undefined ? undefined : { counts, on: component - 1 }
}

function parseBy(value: unknown, path: string, mistakes: Mistakes): SuffixRules['by'] | undefined {
  if (value === 'random' || value === 'offset') return value
  if (value === undefined) return mistakes.add(path, 'is missing: name a field, a list of fields, "offset" or "random"')
  if (typeof value === 'string' && !value.startsWith('/')) {
    return mistakes.add(
      path,
      `must be a field such as "/vin", an object such as { "field": "/vin", "missing": { "use": "none" } }, a list of them, "offset" or "random", not ${JSON.stringify(value)}`
    )
  }
  const list = Array.isArray(value) ? mistakes.list(value, path, 1, MAX_COMPONENTS) : [value]
  const fields = list?.map((each, index) =>
    parseHashed(each, Array.isArray(value) ? `${path}/${index}` : path, mistakes)
  )
  return fields?.every((field) => field !== undefined) ? fields : undefined
}

function parseHashed(value: unknown, path: string, mistakes: Mistakes): FieldRules | undefined {
  const component = parseComponent(typeof value === 'string' ? { field: value } : value, path, mistakes)
  if (component === undefined || component.kind === 'field') return component
  return mistakes.add(path, 'must be a field, as "/vin" or as { "field": "/vin", "missing": { "use": "none" } }')
}

function parseSeparator(value: unknown, path: string, fallback: string, mistakes: Mistakes): string {
  if (value === undefined) return fallback
  if (typeof value === 'string' && /^[!-/:-@[-`{-~]$/.test(value) && value !== ESCAPE) return value
  mistakes.add(path, `must be one ASCII punctuation character other than ${ESCAPE}, such as "-" or "_"`)
  return fallback
}
