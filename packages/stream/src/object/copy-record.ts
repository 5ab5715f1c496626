/** Makes copies of records that share all but the objects into which a key is written. */
export function createRecordCopy(written: readonly string[]): (record: unknown) => unknown {
  const parents = new Set(written.map(parentsOf).filter((names) => names.length > 0))
  return (record) => {
    if (!isPlainParent(record)) return record
    // as fast as it gets: a spread costs several times as much
    const copy = Object.assign({}, record)
    for (const names of parents) copyAlong(copy, names)
    return copy
  }
}

function parentsOf(pointer: string): readonly string[] {
  const names = pointer.split('/').slice(1, -1)
  return names.map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'))
}

function copyAlong(copy: Record<string, unknown>, names: readonly string[]): void {
  let parent = copy
  for (const name of names) {
    const child = Object.hasOwn(parent, name) ? parent[name] : undefined
    if (!isPlainParent(child)) return
    const own = Object.assign({}, child)
    parent[name] = own
    parent = own
  }
}

function isPlainParent(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date)
}
