import type { ManagedMember } from './version.ts'
import type { Pointer } from '../text/pointer.ts'
import { type FieldValue, ownMember, toFieldValue } from './field-value.ts'

/** What was read of one record: a value a field, and the object that holds each managed member. */
export interface Reading {
  readonly values: FieldValue[]
  /** By managed member: the object in which it stands or will stand; undefined where a parent is missing or no object. */
  readonly parents: (Record<string, unknown> | undefined)[]
}

/** Reads every field of a record in one walk, so that a getter runs at most once. */
export function createRecordReader(fields: readonly Pointer[], managed: readonly ManagedMember[]): (record: object) => Reading {
  const root = plantTree(fields, managed)
  return (record) => {
    const reading: Reading = { values: fields.map(() => undefined), parents: managed.map(() => undefined) }
    visit(root, record, reading)
    return reading
  }
}

interface Node {
  readonly name: string
  /** Its number among the fields, or -1. */
  field: number
  readonly children: Node[]
  /** The managed members that stand directly in it. */
  readonly holds: number[]
}

function plantTree(fields: readonly Pointer[], managed: readonly ManagedMember[]): Node {
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

// the depth is that of the plan's pointers, never that of the record
function visit(node: Node, value: unknown, reading: Reading): void {
  if (node.field >= 0) reading.values[node.field] = toFieldValue(value)
  if (typeof value !== 'object' || value === null || value instanceof Date) return
  if (!Array.isArray(value)) for (const index of node.holds) reading.parents[index] = value as Record<string, unknown>
  for (const child of node.children) visit(child, ownMember(value, child.name), reading)
}

/** Reads the members at the top of a record, a value a field; undefined where it is no record, but bytes. */
export type ReadValues = (record: Readonly<Record<string, unknown>>) => FieldValue[] | undefined

/** Makes the reader of a plan whose fields all stand at the top; undefined for any other plan. */
export function createFlatReader(fields: readonly Pointer[]): ReadValues | undefined {
  if (fields.some((pointer) => pointer.length > 1)) return undefined
  const names = fields.map(([name]) => name)
  const readOther = carefulReader(names)
  if (names.some((name) => INHERITED.has(name))) return readOther
  const readPlain = plainReader(names)
  // What an object inherits from a class is no part of its JSON, and no reader would find it there. Its `constructor` tells such an object
  // at less cost than its prototype does; whoever has a member of that name is only read with more care.
  return (record) => (record['constructor'] === Object ? readPlain(record) : readOther(record))
}

type ReadPlain = (...record: Parameters<ReadValues>) => FieldValue[]

/** Members of every object: only for these does it matter whether a member is the record's own. */
const INHERITED: ReadonlySet<string> = new Set(Object.getOwnPropertyNames(Object.prototype))

function carefulReader(names: readonly string[]): ReadValues {
  return (record) => (ArrayBuffer.isView(record) ? undefined : names.map((name) => toFieldValue(ownMember(record, name))))
}

// One place in the code for each field lets the engine learn one name at each: a loop over the names costs four times as much.
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
