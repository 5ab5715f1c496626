import { wrongQuery } from './query-error.ts'

/** Longest text of a query, in characters: the service's own bound. */
export const MAX_QUERY_LENGTH: number = 512 * 1024

/** Deepest nesting of brackets and prefix operators that the parser follows. */
export const MAX_NESTING: number = 128

/** Tallest expression tree; evaluation recurses this deep. */
export const MAX_TREE_DEPTH: number = 256

/** Most arguments of one function call. */
export const MAX_ARGUMENTS: number = 1000

/** Deepest nesting of a parameter or of JSON made from text: the service's bound for items. */
export const MAX_VALUE_DEPTH: number = 128

/** Longest text that an expression may make, in characters: what one answer of the service can hold. */
const MAX_TEXT_LENGTH: number = 4 * 1024 * 1024

/** Most elements of an array that a function may make. */
export const MAX_ARRAY_LENGTH: number = 1024 * 1024

/** Steps that LIKE may take on a text before the query is refused. */
export function maxMatchSteps(textLength: number): number {
  return 1_000_000 + 16 * textLength
}

/** Most members of a set in brackets, in a LIKE pattern. */
export const MAX_SET_LENGTH: number = 256

/** Refuses to make a text that no answer could carry. */
export function boundText(length: number): void {
  if (length > MAX_TEXT_LENGTH) throw wrongQuery(`The query makes a text of ${length} characters; at most ${MAX_TEXT_LENGTH} are allowed`)
}
