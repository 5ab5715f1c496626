import { KeystampError } from '@keystamp/core'
import { membersOfPointer } from '../account/key-path.ts'
import { compareValues } from './compare-values.ts'
import { valueAt } from './value-at.ts'

/** By what documents are sorted: a JSON pointer, upwards unless it says otherwise. */
export type OrderBy = string | { readonly field: string; readonly isDescending?: boolean }

/** Sorts documents as the service does. */
export interface DocumentOrder {
  /** The JSON pointer. */
  readonly field: string
  readonly members: readonly string[]
  readonly isDescending: boolean
  /** What a document is sorted by. */
  readonly valueOf: (document: unknown) => unknown
  /** Negative where the left value comes first. */
  readonly compare: (left: unknown, right: unknown) => number
}

/** Throws OPTION_INVALID for what is no JSON pointer. */
export function toDocumentOrder(orderBy: OrderBy): DocumentOrder {
  const { field, isDescending = false } = typeof orderBy === 'string' ? { field: orderBy } : orderBy
  if (typeof field !== 'string' || !/^(?:\/[^/]+)+$/.test(field)) {
    throw new KeystampError('OPTION_INVALID', '`orderBy` takes the field to sort by as a JSON pointer, such as /at.')
  }
  const members = membersOfPointer(field)
  return {
    field,
    members,
    isDescending,
    valueOf: (document) => valueAt(document, members),
    compare: isDescending ? (left, right) => compareValues(right, left) : compareValues
  }
}
