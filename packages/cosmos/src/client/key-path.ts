/** The property names of a container's key path: `/a/"b c"` is `['a', 'b c']`. */
export function membersOfPath(path: string): readonly string[] {
  return [...path.matchAll(/\/(?:"((?:[^"\\]|\\.)*)"|([^/]*))/g)].map(([, quoted, bare]) => quoted ?? bare)
}

/** The property names of a JSON pointer. */
export function membersOfPointer(pointer: string): readonly string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((member) => member.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** The JSON pointer for a container's key path. */
export function pointerOfPath(path: string): string {
  const members = membersOfPath(path).map((member) => member.replaceAll('~', '~0').replaceAll('/', '~1'))
  return `/${members.join('/')}`
}

/** The value at a path of a document; undefined where there is none. */
export function valueAt(document: unknown, members: readonly string[]): unknown {
  let value: unknown = document
  for (const member of members) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, member)) return undefined
    value = (value as Record<string, unknown>)[member]
  }
  return value
}
