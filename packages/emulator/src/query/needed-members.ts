import { childrenOf, type Expression, type Query, selectedValues } from './ast.ts'

/** The names of the properties that a query reads of each document; undefined when it reads whole documents. */
export type NeededMembers = readonly string[] | undefined

/** What the WHERE clause reads of a document, and what the other clauses read of it. */
export interface QueryNeeds {
  readonly filter: NeededMembers
  readonly rest: NeededMembers
}

/**
 * The properties of documents that a query reads. A clause or an expression that this function does not know counts as
 * reading whole documents, so that a new feature of the language is never computed from incomplete documents.
 */
export function neededMembers(query: Query): QueryNeeds {
  const { from, selection } = query
  if (from === undefined || !hasOnlyKnownClauses(query)) return { filter: undefined, rest: undefined }
  if (from.path.length > 0 || from.each) {
    const [first] = from.path
    const needed = typeof first === 'string' ? toNames(new Set([first])) : undefined
    return { filter: needed, rest: needed }
  }
  const values = [...selectedValues(selection), ...query.orderBy.map(({ value }) => value)]
  return {
    filter: query.where === undefined ? [] : namesIn([query.where], from.alias),
    rest: selection.kind === 'star' ? undefined : namesIn(values, from.alias)
  }
}

/** The names of both; undefined when one of them needs whole documents. */
export function joinNeeds(one: NeededMembers, other: NeededMembers): NeededMembers {
  return one === undefined || other === undefined ? undefined : [...new Set([...one, ...other])]
}

const KNOWN_CLAUSES: ReadonlySet<string> = new Set([
  'distinct',
  'top',
  'selection',
  'from',
  'where',
  'orderBy',
  'window'
])
const KNOWN_SOURCE: ReadonlySet<string> = new Set(['collection', 'path', 'alias', 'each'])

function hasOnlyKnownClauses(query: Query): boolean {
  return hasOnly(query, KNOWN_CLAUSES) && hasOnly(query.from!, KNOWN_SOURCE)
}

function hasOnly(part: object, known: ReadonlySet<string>): boolean {
  return Object.entries(part).every(([name, value]) => known.has(name) || isAbsent(value))
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === false || (Array.isArray(value) && value.length === 0)
}

function namesIn(expressions: readonly Expression[], alias: string | undefined): NeededMembers {
  const names = new Set<string>()
  return expressions.every((expression) => addNames(expression, alias, names)) ? toNames(names) : undefined
}

/** Adds the names that an expression reads; false when it reads whole documents. */
function addNames(expression: Expression, alias: string | undefined, names: Set<string>): boolean {
  const name = memberOfRow(expression, alias)
  if (name !== undefined) {
    names.add(name)
    return true
  }
  if (!KNOWN_KINDS.has(expression.kind)) return false
  return childrenOf(expression).every((child) => addNames(child, alias, names))
}

function memberOfRow(expression: Expression, alias: string | undefined): string | undefined {
  if (expression.kind !== 'member') return undefined
  const { of, name } = expression
  return of.kind === 'name' && of.name === alias ? name : undefined
}

const KNOWN_KINDS: ReadonlySet<string> = new Set<Expression['kind']>([
  'literal',
  'parameter',
  'member',
  'index',
  'unary',
  'binary',
  'logical',
  'conditional',
  'in',
  'between',
  'like',
  'call',
  'array',
  'object'
])

// a document without such a property would seem to have the property that it inherits from Object
function toNames(names: ReadonlySet<string>): NeededMembers {
  const list = [...names]
  return list.some((name) => name in Object.prototype) ? undefined : list
}
