import type { Rejection } from '../errors/rejection.ts'
import type { Pointer } from '../text/pointer.ts'

/** Stands for an object or an array, which cannot be part of a key. */
export const COMPOSITE: unique symbol = Symbol('composite')

/**
 * Value of one field as a front end passes it: a scalar, `undefined` for a missing field, or COMPOSITE.
 * An integer in JSON that a double cannot hold exactly is a bigint.
 */
export type FieldValue = string | number | bigint | boolean | null | undefined | typeof COMPOSITE

/** A value that Cosmos DB accepts as one level of a partition key. */
export type KeyValue = string | number | boolean | null

/** Value at a pointer. Names are taken literally; inherited properties are ignored. */
export function scalarAt(record: object, pointer: Pointer): FieldValue {
  let value: unknown = record
  for (const name of pointer) {
    if (typeof value !== 'object' || value === null) return undefined
    value = ownMember(value, name)
  }
  return toFieldValue(value)
}

/** Own property of an object, or element of an array by its index in digits, as in JSON pointers. */
export function ownMember(parent: object, name: string): unknown {
  if (!Object.hasOwn(parent, name)) return undefined
  return Array.isArray(parent) && name === 'length' ? undefined : (parent as Record<string, unknown>)[name]
}

/** Converts a value to the form that JSON stores: a date becomes its string, and a value that JSON omits is missing. */
export function toFieldValue(value: unknown): FieldValue {
  if (typeof value === 'string') return value
  // JSON writes -0 as 0, which has another hash
  if (typeof value === 'number') return value + 0
  if (typeof value === 'object') return value === null ? null : value instanceof Date ? value.toJSON() : COMPOSITE
  return typeof value === 'boolean' || typeof value === 'bigint' ? value : undefined
}

/**
 * Kafka record that a value came from: coordinates, key and headers. All properties are optional; a plan that needs a
 * missing one rejects the record.
 */
export interface Source {
  readonly topic?: string
  readonly partition?: number
  readonly offset?: bigint | number | string
  /** Milliseconds since 1970, as in Kafka. */
  readonly timestamp?: bigint | number | string
  readonly key?: Uint8Array | string | null
  readonly headers?: Readonly<Record<string, Uint8Array | string | readonly (Uint8Array | string)[] | undefined>>
}

/** Makes the text of one component, escaped for the key. */
export type MakeText = (
  values: readonly FieldValue[],
  source: Source | undefined,
  id: string | undefined
) => string | Rejection

/** Checks the length of a joined text. Returns the text unchanged or cut, or a rejection. */
export type Fit = (joined: string) => string | Rejection
