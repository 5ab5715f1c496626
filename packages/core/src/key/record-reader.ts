import type { ManagedMember } from './version.ts'
import type { Pointer } from '../text/pointer.ts'
import { type FieldValue, ownMember, toFieldValue } from './field-value.ts'

/** Values of one record, one for each field, and the parent object of each managed property. */
export interface Reading {
  readonly values: FieldValue[]
  /** Parent object of each managed property; undefined if a parent is missing or not an object. */
  readonly parents: (Record<string, unknown> | undefined)[]
}

/** Creates a reader that reads every field of a record in one walk, so that a getter runs at most once. */
export function createRecordReader(
  fields: readonly Pointer[],
  managed: readonly ManagedMember[]
): (record: object) => Reading {
  const root = buildTree(fields, managed)
  return (record) => {
    const reading: Reading = { values: fields.map(() => undefined), parents: managed.map(() => undefined) }
    visit(root, record, reading)
    return reading
  }
}

interface Node {
  readonly name: string
  /** Number of the field, or -1. */
  field: number
  readonly children: Node[]
  /** Managed properties directly in this object. */
  readonly holds: number[]
}

function buildTree(fields: readonly Pointer[], managed: readonly ManagedMember[]): Node {
  const root: Node = { name: '', field: -1, children: [], holds: [] }
  fields.forEach((pointer, index) => {
    descend(root, pointer).field = index
  })
  managed.forEach(({ pointer }, index) => descend(root, pointer.slice(0, -1)).holds.push(index))
  return root
}

function descend(root: Node, pointer: Pointer): Node {
  let node = root
  for (const name of pointer) {
    let child = node.children.find((each) => each.name === name)
    if (child === undefined) {
      child = { name, field: -1, children: [], holds: [] }
      node.children.push(child)
    }
    node = child
  }
  return node
}

// the recursion is as deep as the paths of the plan, not as deep as the record
function visit(node: Node, value: unknown, reading: Reading): void {
  if (node.field >= 0) reading.values[node.field] = toFieldValue(value)
  if (typeof value !== 'object' || value === null || value instanceof Date) return
  if (!Array.isArray(value)) for (const index of node.holds) reading.parents[index] = value as Record<string, unknown>
  for (const child of node.children) visit(child, ownMember(value, child.name), reading)
}

/**
 * Reads the top-level properties of a record, one value for each field. Returns undefined if the record is a buffer.
 */
export type ReadValues = (record: Readonly<Record<string, unknown>>) => FieldValue[] | undefined

/** Creates the reader of a plan whose fields are all at the top level; undefined for any other plan. */
export function createFlatReader(fields: readonly Pointer[]): ReadValues | undefined {
  if (fields.some((pointer) => pointer.length > 1)) return undefined
  const names = fields.map(([name]) => name)
  const readOther = carefulReader(names)
  if (names.some((name) => INHERITED.has(name))) return readOther
  const readPlain = plainReader(names)
  // Properties that an object inherits from a class are not in its JSON, so a reader would not find them. Comparing
  // `constructor` detects such objects, and costs less than comparing the prototype. The slower reader also reads
  // objects with their own property `constructor`.
  return (record) => (record['constructor'] === Object ? readPlain(record) : readOther(record))
}

type ReadPlain = (...record: Parameters<ReadValues>) => FieldValue[]

/**
 * Names of properties that every object inherits. Only for these names does it matter whether the record has its own
 * property.
 */
const INHERITED: ReadonlySet<string> = new Set(Object.getOwnPropertyNames(Object.prototype))

function carefulReader(names: readonly string[]): ReadValues {
  return (record) =>
    ArrayBuffer.isView(record) ? undefined : names.map((name) => toFieldValue(ownMember(record, name)))
}

// One expression for each field lets V8 specialize the expression for one name. A loop over the names costs four times
// as much.
function plainReader(names: readonly string[]): ReadPlain {
  const [a, b, c, d, ...rest] = names
  if (names.length === 1) return (record) => [toFieldValue(record[a])]
  if (names.length === 2) return (record) => [toFieldValue(record[a]), toFieldValue(record[b])]
  if (names.length === 3) return (record) => [toFieldValue(record[a]), toFieldValue(record[b]), toFieldValue(record[c])]
  const readFour: ReadPlain = (record) => [
    toFieldValue(record[a]),
    toFieldValue(record[b]),
    toFieldValue(record[c]),
    toFieldValue(record[d])
  ]
  if (rest.length === 0) return readFour
  return (record) => {
    const values = readFour(record)
    for (let index = 0; index < rest.length; index++) values.push(toFieldValue(record[rest[index]]))
    return values
  }
}
