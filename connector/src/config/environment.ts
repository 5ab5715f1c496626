import { nearestName } from '@keystamp/core'
import type { ConfigMistake } from './describe-issue.ts'
import { type ConfigPath, pathText, setAt, valueAt } from './config-path.ts'
import { parseSource } from './parse-yaml.ts'
import { RENAMED_KEYS } from './renamed-keys.ts'
import { namedPaths, nodesAt, type SchemaNode } from './file-schema.ts'

const VARIABLE_PREFIX = 'KEYSTAMP_SINK_'

type Environment = Readonly<Record<string, string | undefined>>

/** Environment variable that set a value, by the path of the value as text. */
type Origins = Map<string, string>

/** `KEYSTAMP_SINK_KAFKA_SESSION_TIMEOUT` for `kafka.sessionTimeout`. */
function variableName(path: ConfigPath): string {
  return VARIABLE_PREFIX + path.map((part) => snake(String(part))).join('_')
}

interface AppliedEnvironment {
  readonly origins: Origins
  readonly mistakes: ConfigMistake[]
  /** Variables that are set under the former name of their key. */
  readonly formerNames: readonly { readonly from: string; readonly to: string }[]
}

/**
 * Overrides values of the file by those of environment variables. With several sinks, a variable without a sink's name
 * applies to all of them.
 */
export function applyEnvironment(value: unknown, env: Environment, schema: SchemaNode): AppliedEnvironment {
  const meanings = meaningsOf(value, schema)
  const former = formerVariables(meanings)
  const formerNames: { from: string; to: string }[] = []
  const origins: Origins = new Map()
  const mistakes: ConfigMistake[] = []
  // a section is set before the keys in it, and variables for all sinks before those for one
  const order = [...meanings.keys()]
  const set = Object.keys(env).filter((name) => name.startsWith(VARIABLE_PREFIX) && (env[name] ?? '') !== '')
  for (const name of set.toSorted((a, b) => orderOf(a) - orderOf(b))) {
    const current = former.get(name)
    if (current !== undefined) {
      if (set.includes(current)) {
        mistakes.push({
          path: [],
          position: undefined,
          variable: name,
          message: `is the former name of ${current}, which is also set: unset ${name}`
        })
        continue
      }
      formerNames.push({ from: name, to: current })
    }
    const paths = meanings.get(current ?? name)
    if (paths === undefined) {
      const near = nearestName(name, order)
      const message = near === undefined ? 'is not a known variable of the sink' : `is not known; did you mean ${near}?`
      mistakes.push({ path: [], position: undefined, variable: name, message })
      continue
    }
    for (const path of paths) {
      if (setAt(value, path, fromText(env[name]!, nodesAt(schema, path)))) origins.set(pathText(path), name)
      else
        mistakes.push({
          path,
          position: undefined,
          variable: name,
          message: `cannot be set: ${pathText(path.slice(0, -1))} has no keys`
        })
    }
  }
  return { origins, mistakes, formerNames }

  function orderOf(name: string): number {
    return order.indexOf(former.get(name) ?? name)
  }
}

/** Current name of each variable whose key was renamed, by its former name. */
function formerVariables(meanings: ReadonlyMap<string, readonly ConfigPath[]>): ReadonlyMap<string, string> {
  const former = new Map<string, string>()
  for (const [name, paths] of meanings) {
    for (const { from, to } of RENAMED_KEYS) {
      const suffix = snake(to.replaceAll('.', '_'))
      const isOfKey = paths.some((path) => pathText(path.slice(path[0] === 'sinks' ? 2 : 0)) === to)
      if (isOfKey) former.set(name.slice(0, -suffix.length) + snake(from.replaceAll('.', '_')), name)
    }
  }
  return former
}

/** Variable that set the path or one of its parents. */
export function originOf(origins: Origins, path: ConfigPath): string | undefined {
  for (let length = path.length; length > 0; length--) {
    const name = origins.get(pathText(path.slice(0, length)))
    if (name !== undefined) return name
  }
  return undefined
}

function meaningsOf(value: unknown, schema: SchemaNode): Map<string, readonly ConfigPath[]> {
  const meanings = new Map<string, readonly ConfigPath[]>()
  const sinks = valueAt(value, ['sinks'])
  const count = Array.isArray(sinks) ? sinks.length : 0
  const inSink = count === 0 ? [] : namedPaths(schema, ['sinks', 0]).map((path) => path.slice(2))
  for (const path of namedPaths(schema).filter(([first]) => first !== 'sinks')) meanings.set(variableName(path), [path])
  for (const path of inSink)
    meanings.set(
      variableName(path),
      [...Array(count).keys()].map((index) => ['sinks', index, ...path])
    )
  for (let index = 0; index < count; index++) {
    const name = valueAt(value, ['sinks', index, 'name'])
    if (typeof name !== 'string') continue
    for (const path of inSink) meanings.set(variableName([name, ...path]), [['sinks', index, ...path]])
  }
  return meanings
}

function snake(name: string): string {
  return name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1_$2')
    .replaceAll(/[^A-Za-z\d]+/g, '_')
    .toUpperCase()
}

/**
 * Converts text from outside of the file to the type that the schema expects: a number, a boolean, a comma-separated
 * list, or a YAML mapping.
 */
export function fromText(text: string, nodes: readonly SchemaNode[]): unknown {
  const asks = (...types: readonly string[]): boolean =>
    nodes.some(({ type }) => type !== undefined && types.includes(type))
  const trimmed = text.trim()
  if (/^[{[]/.test(trimmed) && asks('object', 'array')) return fromYaml(trimmed) ?? text
  if (asks('boolean') && (trimmed === 'true' || trimmed === 'false')) return trimmed === 'true'
  if (asks('integer', 'number') && /^-?\d+(?:\.\d+)?$/.test(trimmed)) return Number(trimmed)
  if (asks('array') && !asks('string')) return trimmed.split(',').map((part) => part.trim())
  return text
}

function fromYaml(text: string): unknown {
  const source = parseSource(text)
  return 'value' in source ? source.value : undefined
}
