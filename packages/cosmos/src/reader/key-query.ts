import { type FieldCondition, KeystampError, type KeyValue, type PartitionKey } from '@keystamp/core'
import type { SortOrder } from './merge-pages.ts'

/** A query and its parameters. */
interface QueryText {
  readonly query: string
  readonly parameters: readonly { readonly name: string; readonly value: unknown }[]
}

/** Parts of a query in addition to its keys. */
interface KeyQueryOptions {
  /** The property names of each key path. */
  readonly levels: readonly (readonly string[])[]
  readonly id: string | undefined
  /** Conditions that all matching documents meet. */
  readonly conditions?: readonly FieldCondition[]
  readonly where?: Where | undefined
  /** Top-level properties to return. Default: all. */
  readonly columns?: readonly string[] | undefined
  readonly order: SortOrder | undefined
}

/** Creates one query for all documents under any of these keys. */
export function createKeyQuery(keys: readonly PartitionKey[], options: KeyQueryOptions): QueryText {
  const { levels, id, conditions = [], where, columns, order } = options
  const parameters: { name: string; value: unknown }[] = []
  const prefix = freePrefix(where)
  const parameterOf = (value: KeyValue): string => {
    const name = `@${prefix}${parameters.length}`
    parameters.push({ name, value })
    return name
  }
  const ofKeys = groupByParent(keys).map(({ parent, lasts }) => {
    const above = parent.map((value, level) => `${memberText(levels[level])} = ${parameterOf(value)}`)
    return [...above, oneOf(memberText(levels[parent.length]), lasts.map(parameterOf))].join(' AND ')
  })
  const anyKey = ofKeys.length === 1 ? ofKeys[0] : ofKeys.map((condition) => `(${condition})`).join(' OR ')
  const others = [
    ...(id === undefined ? [] : [`c["id"] = ${parameterOf(id)}`]),
    ...conditions.map((condition) => conditionText(condition, parameterOf)),
    // on separate lines, so that a comment at the end of the condition does not hide the rest of the query
    ...(where === undefined ? [] : [`(\n${where.condition}\n)`])
  ]
  const all = others.length === 0 ? anyKey : [`(${anyKey})`, ...others].join(' AND ')
  const orderBy =
    order === undefined ? '' : ` ORDER BY ${memberText(order.members)} ${order.isDescending ? 'DESC' : 'ASC'}`
  const what = columns === undefined ? '*' : columns.map((name) => memberText([name])).join(', ')
  return {
    query: `SELECT ${what} FROM c WHERE ${all}${orderBy}`,
    parameters: [...parameters, ...(where?.parameters ?? [])]
  }
}

// prefix for names of parameters that the caller's condition does not use
function freePrefix(where: Where | undefined): string {
  let prefix = 'k'
  while (where?.condition.includes(`@${prefix}`) === true) prefix += 'k'
  return prefix
}

function conditionText(condition: FieldCondition, parameterOf: (value: KeyValue) => string): string {
  const member = memberText(condition.field)
  if (condition.kind === 'oneOf') {
    // an empty list matches no document
    return condition.values.length === 0 ? 'false' : oneOf(member, condition.values.map(parameterOf))
  }
  const { from, to } = condition
  return `(NOT IS_NUMBER(${member}) OR (${member} >= ${parameterOf(from)} AND ${member} <= ${parameterOf(to)}))`
}

function memberText(members: readonly string[]): string {
  return `c${members.map((member) => `[${JSON.stringify(member)}]`).join('')}`
}

function oneOf(member: string, names: readonly string[]): string {
  return names.length === 1 ? `${member} = ${names[0]}` : `${member} IN (${names.join(', ')})`
}

interface Group {
  readonly parent: readonly KeyValue[]
  readonly lasts: KeyValue[]
}

// Keys that differ only in their last level, such as the suffixes of one base, become one list.
function groupByParent(keys: readonly PartitionKey[]): readonly Group[] {
  const groups = new Map<string, Group>()
  for (const { values } of keys) {
    const parent = values.slice(0, -1)
    const name = JSON.stringify(parent)
    let group = groups.get(name)
    if (group === undefined) groups.set(name, (group = { parent, lasts: [] }))
    group.lasts.push(values.at(-1) as KeyValue)
  }
  return [...groups.values()]
}

/** A condition that restricts a query, with the values of its parameters. */
export interface Where {
  readonly condition: string
  /** Names have the leading `@`. */
  readonly parameters: readonly { readonly name: string; readonly value: unknown }[]
}

/** Values of the parameters of a condition, by their names: `{ min: 5 }` for `c.km > @min`. */
export type WhereParameters = Readonly<Record<string, unknown>>

/** Throws OPTION_INVALID for an invalid condition, and for parameters that do not match it. */
export function toWhere(condition: string | undefined, parameters: WhereParameters | undefined): Where | undefined {
  if (condition === undefined) {
    if (parameters !== undefined) throw invalid('`parameters` needs `where`, which is missing.')
    return undefined
  }
  if (typeof condition !== 'string' || condition.trim() === '' || /^\s*(?:where|select)\s/i.test(condition)) {
    throw invalid(
      '`where` must be a condition on the document `c`, such as "c.km > @min", without the words SELECT and WHERE.'
    )
  }
  if (
    parameters !== undefined &&
    (typeof parameters !== 'object' || parameters === null || Array.isArray(parameters))
  ) {
    throw invalid('`parameters` must be an object with the values by name, such as { min: 5 } for "c.km > @min".')
  }
  const given = Object.entries(parameters ?? {}).map(([name, value]) => ({
    name: name.startsWith('@') ? name : `@${name}`,
    value
  }))
  const used = new Set(withoutStrings(condition).match(/@\w+/g) ?? [])
  for (const name of used) {
    if (!given.some((each) => each.name === name))
      throw invalid(`\`where\` uses ${name}, but \`parameters\` has no value for it.`)
  }
  for (const { name, value } of given) {
    if (!used.has(name)) throw invalid(`\`parameters\` has a value for ${name}, but \`where\` does not use it.`)
    if (value === undefined || typeof value === 'function' || typeof value === 'bigint')
      throw invalid(`The parameter ${name} must have a value that JSON can represent.`)
  }
  return { condition, parameters: given }
}

// an @ inside a string literal is not a parameter
function withoutStrings(condition: string): string {
  return condition.replace(/'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"/g, '')
}

function invalid(message: string): KeystampError {
  return new KeystampError('OPTION_INVALID', message)
}
