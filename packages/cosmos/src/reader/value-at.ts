/** The value that stands there in a document; undefined where there is none. */
export function valueAt(document: unknown, members: readonly string[]): unknown {
  let value: unknown = document
  for (const member of members) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, member)) return undefined
    value = (value as Record<string, unknown>)[member]
  }
  return value
}
