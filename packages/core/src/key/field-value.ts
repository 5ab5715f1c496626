import type { Pointer } from '../text/pointer.ts'

/** Stands for an object or an array where a scalar was looked for. */
export const COMPOSITE: unique symbol = Symbol('composite')

/**
 * What a front end hands over for one field: its scalar, `undefined` where there is none, or COMPOSITE.
 * An integer written plainly in JSON text that a double cannot hold exactly comes as a bigint.
 */
export type FieldValue = string | number | bigint | boolean | null | undefined | typeof COMPOSITE

/** A value that Cosmos DB accepts as one level of a partition key. */
export type KeyValue = string | number | boolean | null

/** What stands at a pointer, member names taken literally and inherited ones never. */
export function scalarAt(record: object, pointer: Pointer): FieldValue {
  let value: unknown = record
  for (const name of pointer) {
    if (typeof value !== 'object' || value === null) return undefined
    value = ownMember(value, name)
  }
  return toFieldValue(value)
}

/** An object's own member; of an array only its elements, under the plain digits that JSON pointers use. */
export function ownMember(parent: object, name: string): unknown {
  if (!Object.hasOwn(parent, name)) return undefined
  return Array.isArray(parent) && name === 'length' ? undefined : (parent as Record<string, unknown>)[name]
}

/** A value as JSON would store it: a date is its text, what JSON leaves out is missing. */
export function toFieldValue(value: unknown): FieldValue {
  if (typeof value === 'string') return value
  // JSON writes -0 as 0, and the two have other hashes
  if (typeof value === 'number') return value + 0
  if (typeof value === 'object') return value === null ? null : value instanceof Date ? value.toJSON() : COMPOSITE
  return typeof value === 'boolean' || typeof value === 'bigint' ? value : undefined
}
