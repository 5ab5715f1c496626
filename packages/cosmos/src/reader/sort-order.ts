import { KeystampError } from '@keystamp/core'
import { membersOfPointer, valueAt } from '../client/key-path.ts'

/** Sort field: a JSON pointer; ascending by default. */
export type OrderBy = string | { readonly field: string; readonly isDescending?: boolean }

/** Sorts documents as Cosmos DB does. */
export interface SortOrder {
  /** The JSON pointer. */
  readonly field: string
  readonly members: readonly string[]
  readonly isDescending: boolean
  /** The value that a document is sorted by. */
  readonly valueOf: (document: unknown) => unknown
  /** Negative where the left value comes first. */
  readonly compare: (left: unknown, right: unknown) => number
}

/** Throws OPTION_INVALID for an invalid JSON pointer. */
export function toSortOrder(orderBy: OrderBy): SortOrder {
  const { field, isDescending = false } = typeof orderBy === 'object' && orderBy !== null ? checked(orderBy) : { field: orderBy }
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

// ignoring a property would return another order than expected
function checked(orderBy: Exclude<OrderBy, string>): Exclude<OrderBy, string> {
  for (const name of Object.keys(orderBy)) {
    if (name === 'field' || name === 'isDescending') continue
    const meant = /desc/i.test(name) ? ' Did you mean `isDescending`?' : ''
    throw new KeystampError(
      'OPTION_INVALID',
      `\`${name}\` is not a member of \`orderBy\`, which has \`field\` and \`isDescending\`.${meant}`
    )
  }
  const { isDescending } = orderBy
  if (isDescending === undefined || typeof isDescending === 'boolean') return orderBy
  throw new KeystampError('OPTION_INVALID', '`isDescending` in `orderBy` must be true or false.')
}

/** The sort order of Cosmos DB: undefined, null, false, true, numbers, strings, arrays, objects. */
function compareValues(left: unknown, right: unknown): number {
  const rank = rankOf(left)
  const difference = rank - rankOf(right)
  if (difference !== 0) return difference
  // arrays and objects have no order among themselves
  if (rank > TEXT || left === right) return 0
  return (left as string) < (right as string) ? -1 : 1
}

const TEXT = 4

function rankOf(value: unknown): number {
  switch (typeof value) {
    case 'undefined':
      return 0
    case 'boolean':
      return 2
    case 'number':
      return 3
    case 'string':
      return TEXT
    default:
      return value === null ? 1 : Array.isArray(value) ? 5 : 6
  }
}
