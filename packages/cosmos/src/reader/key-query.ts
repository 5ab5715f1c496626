import type { KeyValue, PartitionKey } from '@keystamp/core'
import type { DocumentOrder } from './document-order.ts'

/** A query as it is sent. */
export interface QueryText {
  readonly query: string
  readonly parameters: readonly { readonly name: string; readonly value: KeyValue }[]
}

/** What a query asks for beside keys. */
export interface KeyQueryOptions {
  /** The members of each key path. */
  readonly levels: readonly (readonly string[])[]
  readonly id: string | undefined
  readonly order: DocumentOrder | undefined
}

/** One query for all documents under any of these keys. */
export function createKeyQuery(keys: readonly PartitionKey[], { levels, id, order }: KeyQueryOptions): QueryText {
  const parameters: { name: string; value: KeyValue }[] = []
  const parameterOf = (value: KeyValue): string => {
    const name = `@k${parameters.length}`
    parameters.push({ name, value })
    return name
  }
  const conditions = groupByParent(keys).map(({ parent, lasts }) => {
    const above = parent.map((value, level) => `${memberText(levels[level])} = ${parameterOf(value)}`)
    return [...above, oneOf(memberText(levels[parent.length]), lasts.map(parameterOf))].join(' AND ')
  })
  const anyKey = conditions.length === 1 ? conditions[0] : conditions.map((condition) => `(${condition})`).join(' OR ')
  const where = id === undefined ? anyKey : `(${anyKey}) AND c["id"] = ${parameterOf(id)}`
  const orderBy = order === undefined ? '' : ` ORDER BY ${memberText(order.members)} ${order.isDescending ? 'DESC' : 'ASC'}`
  return { query: `SELECT * FROM c WHERE ${where}${orderBy}`, parameters }
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

// Keys that differ in their last level only, as those of one base with its suffixes do, become one list.
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
