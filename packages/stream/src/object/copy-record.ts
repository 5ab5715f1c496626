import { unescapePointerToken } from '@keystamp/core/internal'

/** Makes copies of records that share all but the objects into which a key is written. */
export function createRecordCopy(written: readonly string[]): (record: unknown) => unknown {
  const parents = new Set(written.map(parentsOf).filter((names) => names.length > 0))
  return (record) => {
    if (!isPlainParent(record)) return record
    const copy = copyOf(record)
    for (const names of parents) copyAlong(copy, names)
    return copy
  }
}

function parentsOf(pointer: string): readonly string[] {
  const names = pointer.split('/').slice(1, -1)
  return names.map(unescapePointerToken)
}

function copyAlong(copy: Record<string, unknown>, names: readonly string[]): void {
  let parent = copy
  for (const name of names) {
    const child = Object.hasOwn(parent, name) ? parent[name] : undefined
    if (!isPlainParent(child)) return
    const own = copyOf(child)
    parent[name] = own
    parent = own
  }
}

// As fast as it gets: a spread costs several times as much. What is inherited stays: the type says that it is there.
function copyOf(record: Record<string, unknown>): Record<string, unknown> {
  const inherited = Object.getPrototypeOf(record) as object | null
  return Object.assign(inherited === Object.prototype ? {} : (Object.create(inherited) as Record<string, unknown>), record)
}

function isPlainParent(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date)
}
