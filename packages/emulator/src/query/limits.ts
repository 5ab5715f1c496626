import { wrongQuery } from './query-error.ts'

/** Maximum length of a query in characters, as in the service. */
export const MAX_QUERY_LENGTH: number = 512 * 1024

/** Maximum nesting of brackets and prefix operators. */
export const MAX_NESTING: number = 128

/** Maximum height of an expression tree; evaluation recurses this deep. */
export const MAX_TREE_DEPTH: number = 256

/** Maximum number of arguments of a function call. */
export const MAX_ARGUMENTS: number = 1000

/** Maximum nesting of a parameter or of parsed JSON: the service's limit for items. */
export const MAX_VALUE_DEPTH: number = 128

/** Maximum length of a computed string in characters: the service's limit for an answer. */
const MAX_TEXT_LENGTH: number = 4 * 1024 * 1024

/** Maximum number of elements of a computed array. */
export const MAX_ARRAY_LENGTH: number = 1024 * 1024

/** Maximum number of JOIN clauses of a query, as in the service. */
export const MAX_JOINS: number = 10

/** Maximum number of rows that the JOIN clauses of a query make of one item. */
export const MAX_JOINED_ROWS: number = 250_000

/** Maximum number of steps of LIKE on one string. */
export function maxMatchSteps(textLength: number): number {
  return 1_000_000 + 16 * textLength
}

/** Maximum number of characters in a set of a LIKE pattern. */
export const MAX_SET_LENGTH: number = 256

/** Refuses a computed string that is too long for an answer. */
export function checkTextLength(length: number): void {
  if (length > MAX_TEXT_LENGTH)
    throw wrongQuery(`The query makes a string of ${length} characters; at most ${MAX_TEXT_LENGTH} are allowed`)
}
