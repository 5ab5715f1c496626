/** Where something stands in a configuration: names of keys, and places in lists. */
export type ConfigPath = readonly (string | number)[]

/** `kafka.brokers[0]`, as messages and pages write it. */
export function pathText(path: ConfigPath): string {
  return path.map((part, index) => (typeof part === 'number' ? `[${part}]` : index === 0 ? part : `.${part}`)).join('')
}

/** Whether a path is one of these, or lies in one. */
export function isPartOf(path: ConfigPath, paths: readonly ConfigPath[]): boolean {
  const text = pathText(path)
  return paths.map(pathText).some((other) => text === other || text.startsWith(`${other}.`) || text.startsWith(`${other}[`))
}

/** What stands at a path; undefined where nothing does. */
export function valueAt(value: unknown, path: ConfigPath): unknown {
  return path.reduce<unknown>((parent, part) => (isContainer(parent) && Object.hasOwn(parent, part) ? parent[part] : undefined), value)
}

/** Puts a value at a path, making what is missing on the way; false where something stands in the way that can hold nothing. */
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

/** Takes away what stands at a path. */
export function deleteAt(root: unknown, path: ConfigPath): void {
  const parent = valueAt(root, path.slice(0, -1))
  // a hole in a list would be stepped over
  if (Array.isArray(parent)) parent[Number(path.at(-1))] = undefined
  else if (isContainer(parent)) delete parent[path.at(-1)!]
}

type Container = Record<string | number, unknown>

function isContainer(value: unknown): value is Container {
  return typeof value === 'object' && value !== null
}

// a key named __proto__ is a key like any other
function define(holder: Container, name: string | number, value: unknown): void {
  Object.defineProperty(holder, name, { value, writable: true, enumerable: true, configurable: true })
}

/** The path of a key that is written with dots. */
export function dottedPath(key: string): ConfigPath {
  return key.split('.')
}
