import { KeystampError, nearestName } from '@keystamp/core'
import type { z } from 'zod'
import { type ConfigPath, pathText, valueAt } from './config-path.ts'
import { knownKeys, nodesAt, type SchemaNode } from './file-schema.ts'

/** One mistake in a configuration. */
export interface ConfigMistake {
  readonly path: ConfigPath
  /** Line and column in the file, from 1; undefined if the value is not in the file. */
  readonly position: SourcePosition | undefined
  /** Environment variable that the value came from. */
  readonly variable: string | undefined
  /** The mistake and its remedy, without a subject: `must be a string, not a number`. */
  readonly message: string
}

export interface SourcePosition {
  readonly line: number
  readonly column: number
}

/** A configuration that cannot be used, with all of its mistakes. */
export class ConfigError extends KeystampError {
  readonly mistakes: readonly ConfigMistake[]

  constructor(name: string, mistakes: readonly ConfigMistake[]) {
    const lines = mistakes.map((mistake) => `  ${mistakeText(name, mistake)}`)
    super(
      'CONFIG_INVALID',
      `${name} has ${mistakes.length === 1 ? 'a mistake' : `${mistakes.length} mistakes`}:\n${lines.join('\n')}`
    )
    this.name = 'ConfigError'
    this.mistakes = mistakes
  }
}

/** Formats a mistake: `sink.yaml:3:5 kafka.brokers must be a list, not a string`. */
function mistakeText(name: string, { path, position, variable, message }: ConfigMistake): string {
  const where = variable ?? (position === undefined ? name : `${name}:${position.line}:${position.column}`)
  return `${where} ${path.length === 0 ? '' : `${pathText(path)} `}${message}`
}

type Issue = z.core.$ZodIssue

/** One mistake against the schema. */
export interface Finding {
  readonly path: ConfigPath
  /**
   * `unknown`: the schema has no such key; `missing`: the key is not there; `disagreeing`: the key contradicts another
   * one.
   */
  readonly kind: 'unknown' | 'missing' | 'wrong' | 'disagreeing'
  readonly message: string
}

/**
 * Describes an issue of the schema in sentences. `value` is the checked value; `isHidden` returns true for paths whose
 * values are not shown.
 */
export function describeIssue(
  issue: Issue,
  value: unknown,
  schema: SchemaNode,
  isHidden: (path: ConfigPath) => boolean
): readonly Finding[] {
  const path = issue.path as ConfigPath
  const found = valueAt(value, path)
  const wrong = (message: string): readonly Finding[] => [{ path, kind: 'wrong', message }]
  if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => unknownKey(path, key, knownKeys(schema, path)))
  if (found === undefined) return [{ path, kind: 'missing', message: `is missing${saysOf(schema, path)}` }]
  switch (issue.code) {
    case 'invalid_type':
      return wrong(describeType(issue.expected, found, formAt(schema, path)))
    case 'invalid_value':
      return wrong(`must be ${choices(issue.values)}${notThat(found, isHidden(path))}`)
    case 'too_small':
      return wrong(`must ${boundText(issue.origin, issue.minimum, 'least')}`)
    case 'too_big':
      return wrong(`must ${boundText(issue.origin, issue.maximum, 'most')}`)
    case 'invalid_union':
      return describeUnion(issue, value, schema, isHidden)
    case 'invalid_key':
      return wrong(`has an invalid key: it ${issue.issues[0]?.message ?? 'is not allowed'}`)
    default:
      return wrong(issue.message)
  }
}

type UnionIssue = Extract<Issue, { code: 'invalid_union' }>

function describeUnion(
  issue: UnionIssue,
  value: unknown,
  schema: SchemaNode,
  isHidden: (path: ConfigPath) => boolean
): readonly Finding[] {
  const path = issue.path as ConfigPath
  if (issue.errors.length === 0) {
    const known = nodesAt(schema, path).flatMap((node) => node.enum ?? (node.const === undefined ? [] : [node.const]))
    return [
      { path, kind: 'wrong', message: `must be ${choices(known)}${notThat(valueAt(value, path), isHidden(path))}` }
    ]
  }
  // the option that the user meant is the one whose issues are all inside the value (or are unknown keys)
  const meant = issue.errors.filter((option) =>
    option.every((each) => each.path.length > 0 || each.code === 'unrecognized_keys')
  )
  const [only] = meant
  if (meant.length !== 1 || only === undefined) return [{ path, kind: 'wrong', message: issue.message }]
  return only.flatMap((each) =>
    describeIssue({ ...each, path: [...issue.path, ...each.path] }, value, schema, isHidden)
  )
}

function unknownKey(path: ConfigPath, key: string, known: readonly string[]): Finding {
  const near = nearestName(key, known)
  const message =
    near === undefined ? `is not known here; known are ${known.join(', ')}` : `is not known; did you mean "${near}"?`
  return { path: [...path, key], kind: 'unknown', message }
}

function saysOf(schema: SchemaNode, path: ConfigPath): string {
  const says = nodesAt(schema, path).find(({ description }) => description !== undefined)?.description
  return says === undefined ? '' : `: ${says.replace(/\.$/, '')}`
}

const KINDS: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'a boolean',
  array: 'a list',
  object: 'a mapping',
  record: 'a mapping'
}

function describeType(expected: string, found: unknown, form: string | undefined): string {
  if (form !== undefined) return `must be ${form}, not ${kindOf(found)}`
  // YAML reads an unquoted 2018, true or 1.5 as a number or a boolean
  const hint =
    expected === 'string' && (typeof found === 'number' || typeof found === 'boolean') ? ': put it in quotes' : ''
  return `must be ${KINDS[expected] ?? expected}, not ${kindOf(found)}${hint}`
}

// for a string in a special format, such as a duration, the message names that format
function formAt(schema: SchemaNode, path: ConfigPath): string | undefined {
  const title = nodesAt(schema, path).find((node) => node.title !== undefined)?.title
  return title === undefined ? undefined : FORMS[title]
}

const FORMS: Readonly<Record<string, string>> = {
  duration: 'a duration with its unit, such as 250ms, 30s or 5m',
  size: 'a size with its unit, such as 512KiB or 16MiB'
}

function kindOf(value: unknown): string {
  if (value === null) return 'nothing'
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object') return 'a mapping'
  if (typeof value === 'string') return 'a string'
  return typeof value === 'boolean' ? 'a boolean' : Number.isInteger(value) ? 'a number' : 'a number with a fraction'
}

function choices(values: readonly unknown[]): string {
  const texts = values.map(String)
  return texts.length < 2 ? texts.join('') : `${texts.slice(0, -1).join(', ')} or ${texts.at(-1)}`
}

// a value from outside of the file is hidden: it may be a misplaced secret
function notThat(value: unknown, isHidden: boolean): string {
  if (isHidden) return ''
  return `, not ${typeof value === 'string' && value.length <= 40 ? JSON.stringify(value) : kindOf(value)}`
}

function boundText(origin: string, bound: number | bigint, end: 'least' | 'most'): string {
  if (origin === 'array') return `hold at ${end} ${bound} ${bound === 1 ? 'entry' : 'entries'}`
  if (origin === 'string') return `have at ${end} ${bound} ${bound === 1 ? 'character' : 'characters'}`
  return `be at ${end} ${bound}`
}
