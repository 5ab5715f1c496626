import { stripComments } from './strip-comments.ts'

/** The JSON of a plan as it stands in a file: comments are allowed. Throws the SyntaxError of `JSON.parse`. */
export function parsePlanText(text: string): unknown {
  return JSON.parse(stripComments(text.replace(/^\ufeff/, '')))
}
