/** The property names of a path such as `/a/b` or `/"a b"/c`, or undefined when it is not a path. */
export function parsePropertyPath(path: string): string[] | undefined {
  if (!path.startsWith('/') || path.length < 2) return undefined
  const names: string[] = []
  const rest = /\/(?:"((?:[^"\\]|\\.)*)"|([^/"]+))/y
  while (rest.lastIndex < path.length) {
    const match = rest.exec(path)
    if (match === null) return undefined
    names.push(match[2] ?? match[1].replaceAll(/\\(.)/g, '$1'))
  }
  return names
}

/** The value under a path of property names; undefined when any of them is missing. */
export function valueAt(document: unknown, names: readonly string[]): unknown {
  let value = document
  for (const name of names) {
    if (typeof value !== 'object' || value === null || Array.isArray(value) || !Object.hasOwn(value, name)) return undefined
    value = (value as Record<string, unknown>)[name]
  }
  return value
}
