import type { FieldValue, ManagedMember, Pointer } from '../plan/compiled.ts'
import { ownMember, toFieldValue } from './scalar-at.ts'

/** What was read of one record: a value a field, and the object that holds each managed member. */
export interface Reading {
  readonly values: FieldValue[]
  /** By managed member: the object in which it stands or will stand; undefined where a parent is missing or no object. */
  readonly parents: (Record<string, unknown> | undefined)[]
}

interface Node {
  readonly name: string
  /** Its number among the fields, or -1. */
  field: number
  readonly children: Node[]
  /** The managed members that stand directly in it. */
  readonly holds: number[]
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
