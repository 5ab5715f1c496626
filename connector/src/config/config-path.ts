/** Path of a value in a configuration: names of keys, and indexes in lists. */
export type ConfigPath = readonly (string | number)[]

/** Formats a path as messages and pages show it: `kafka.brokers[0]`. */
export function pathText(path: ConfigPath): string {
  return path.map((part, index) => (typeof part === 'number' ? `[${part}]` : index === 0 ? part : `.${part}`)).join('')
}

/** Whether a path is one of `paths`, or below one of them. */
export function isPartOf(path: ConfigPath, paths: readonly ConfigPath[]): boolean {
  const text = pathText(path)
  return paths
    .map(pathText)
    .some((other) => text === other || text.startsWith(`${other}.`) || text.startsWith(`${other}[`))
}

/** The value at a path; undefined if there is none. */
export function valueAt(value: unknown, path: ConfigPath): unknown {
  return path.reduce<unknown>(
    (parent, part) => (isContainer(parent) && Object.hasOwn(parent, part) ? parent[part] : undefined),
    value
  )
}

/** Sets the value at a path and creates missing parents. Returns false if a parent is neither a mapping nor a list. */
export function setAt(root: unknown, path: ConfigPath, value: unknown): boolean {
  const parent = path.slice(0, -1).reduce<unknown>((holder, part) => {
    if (!isContainer(holder)) return undefined
    if (!Object.hasOwn(holder, part) || holder[part] === null) define(holder, part, {})
    return holder[part]
  }, root)
  if (!isContainer(parent)) return false
  define(parent, path.at(-1)!, value)
  return true
}

/** Removes the value at a path. */
export function deleteAt(root: unknown, path: ConfigPath): void {
  const parent = valueAt(root, path.slice(0, -1))
  // deleting an item would leave a hole, which loops skip
  if (Array.isArray(parent)) parent[Number(path.at(-1))] = undefined
  else if (isContainer(parent)) delete parent[path.at(-1)!]
}

type Container = Record<string | number, unknown>

function isContainer(value: unknown): value is Container {
  return typeof value === 'object' && value !== null
}

// a plain assignment to __proto__ would set the prototype
function define(holder: Container, name: string | number, value: unknown): void {
  Object.defineProperty(holder, name, { value, writable: true, enumerable: true, configurable: true })
}

/** The path of a key in dotted form. */
export function dottedPath(key: string): ConfigPath {
  return key.split('.')
}
