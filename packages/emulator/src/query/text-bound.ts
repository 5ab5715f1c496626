import { MAX_TEXT_LENGTH } from './limits.ts'
import { wrongQuery } from './query-error.ts'

/** Refuses to make a text that no answer could carry. */
export function boundText(length: number): void {
  if (length > MAX_TEXT_LENGTH) throw wrongQuery(`The query makes a text of ${length} characters; at most ${MAX_TEXT_LENGTH} are allowed`)
}
