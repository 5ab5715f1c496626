/** The property names of a path such as `/a/b` or `/"a b"/c`, or undefined when it is not a path. */
export function parsePropertyPath(path: string): string[] | undefined {
  const names = readPropertyPath(path)
  return typeof names === 'number' ? undefined : names
}

/** The property names of a path, or the position at which it stops being one. */
export function readPropertyPath(path: string): string[] | number {
  const names: string[] = []
  let at = 0
  do {
    if (path[at] !== '/') return at
    SEGMENT.lastIndex = at + 1
    const match = SEGMENT.exec(path)
    if (match === null) return at + 1
    names.push(match[1] ?? unescape(match[2] ?? match[3]))
    at = SEGMENT.lastIndex
    const rest = path.slice(at)
    if (rest !== '' && !rest.startsWith('/')) return path.length - rest.trimStart().length
  } while (at < path.length)
  return names
}

// other characters than letters, digits and underscores must stand between quotes
const SEGMENT = /([\p{L}\p{N}_]+)|"((?:[^"\\]|\\.)+)"|'((?:[^'\\]|\\.)+)'/uy

function unescape(text: string): string {
  return text.replaceAll(/\\(.)/g, '$1')
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
