import { KeystampError } from '@keystamp/core'
import { membersOfPointer } from '../client/key-path.ts'
import type { StoredDocument } from './range-pages.ts'

/** The selected fields of documents. */
export interface Projection {
  /** Top-level properties of the query: the selected ones, and those needed for filters. */
  readonly columns: readonly string[]
  /** A document with the selected fields only. */
  readonly apply: (document: StoredDocument) => StoredDocument
}

/** Undefined for whole documents. Throws OPTION_INVALID. */
export function toProjection(select: readonly string[] | undefined, needed: readonly string[]): Projection | undefined {
  if (select === undefined) return undefined
  if (!Array.isArray(select) || select.length === 0 || !select.every(isPointer)) {
    throw new KeystampError(
      'OPTION_INVALID',
      '`select` is a list of JSON pointers to the fields that are wanted, such as ["/km", "/driver/name"].'
    )
  }
  const wanted = (select as readonly string[]).map(membersOfPointer)
  const columns = [...new Set([...wanted, ...needed.map(membersOfPointer)].map(([name]) => name))]
  const tree = new Map<string, Branch>()
  for (const members of wanted) plant(tree, members)
  return { columns, apply: (document) => prune(document, tree) as StoredDocument }
}

function isPointer(field: unknown): boolean {
  return typeof field === 'string' && /^(?:\/[^/]+)+$/.test(field)
}

/** Selected properties; undefined selects the whole value. */
type Branch = Map<string, Branch> | undefined

function plant(tree: Map<string, Branch>, [name, ...rest]: readonly string[]): void {
  if (rest.length === 0) return void tree.set(name, undefined)
  if (tree.has(name) && tree.get(name) === undefined) return
  const below = tree.get(name) ?? new Map<string, Branch>()
  tree.set(name, below)
  plant(below, rest)
}

// an array is returned as a whole: without its other elements an element would have another index
function prune(value: unknown, tree: Branch): unknown {
  if (tree === undefined || typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const pruned: Record<string, unknown> = {}
  for (const [name, below] of tree) {
    if (!Object.hasOwn(value, name)) continue
    const member = (value as Record<string, unknown>)[name]
    // a scalar where an object was expected has no such field
    if (below !== undefined && (typeof member !== 'object' || member === null)) continue
    define(pruned, name, prune(member, below))
  }
  return pruned
}

// assigning to `__proto__` would set the prototype
function define(object: object, name: string, value: unknown): void {
  Object.defineProperty(object, name, { value, enumerable: true, writable: true, configurable: true })
}
