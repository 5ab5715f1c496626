import { KeystampError } from '@keystamp/core'
import { membersOfPointer } from '../client/key-path.ts'
import type { StoredDocument } from './range-pages.ts'

/** The fields that are asked for, and what is made of a document that has more. */
export interface Projection {
  /** The top-level properties that a query has to return: those asked for, and those needed for checking. */
  readonly columns: readonly string[]
  /** A document with the fields that were asked for, and no others. */
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

/** The members that are wanted; undefined where the whole value is. */
type Branch = Map<string, Branch> | undefined

function plant(tree: Map<string, Branch>, [name, ...rest]: readonly string[]): void {
  if (rest.length === 0) return void tree.set(name, undefined)
  if (tree.has(name) && tree.get(name) === undefined) return
  const below = tree.get(name) ?? new Map<string, Branch>()
  tree.set(name, below)
  plant(below, rest)
}

// an array is given as a whole: without its other elements an element would stand at another index
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
