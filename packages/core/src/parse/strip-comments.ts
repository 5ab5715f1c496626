/** JSON with its comments blanked out, so that the places of what is left stay the same. */
export function stripComments(text: string): string {
  return text.replaceAll(STRING_OR_COMMENT, (found) => (found.startsWith('"') ? found : found.replaceAll(/[^\n\r]/g, ' ')))
}

// a string first, so that what looks like a comment inside one is left alone; an open comment runs to the end
const STRING_OR_COMMENT = /"(?:\\.|[^"\\])*"?|\/\/[^\n\r]*|\/\*[\s\S]*?(?:\*\/|$)/g
