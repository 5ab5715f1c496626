/** Result of precise coverage: the functions that ran, for each script. */
export type RunFunctions = readonly { readonly url: string; readonly names: readonly string[] }[]

export interface PathFile {
  /** Path of the source file, relative to the repository. */
  readonly path: string
  readonly packageName: string
  /** Number of its functions that ran. */
  readonly functions: number
}

/** Files of this repository of which functions ran in all of these runs, and those that ran only in some of them. */
export function listFiles(
  takes: readonly RunFunctions[],
  root: string
): { readonly always: PathFile[]; readonly sometimes: PathFile[] } {
  const seen = new Map<string, { takes: number; names: Set<string> }>()
  for (const take of takes) {
    for (const [path, names] of filesOf(take, root)) {
      const file = seen.get(path) ?? { takes: 0, names: new Set() }
      seen.set(path, { takes: file.takes + 1, names: new Set([...file.names, ...names]) })
    }
  }
  const select = (isWanted: (count: number) => boolean): PathFile[] =>
    [...seen]
      .filter(([, file]) => isWanted(file.takes))
      .map(([path, { names }]) => ({ path, packageName: path.split('/src/')[0], functions: names.size }))
      .toSorted((a, b) => (a.path < b.path ? -1 : 1))
  return { always: select((count) => count === takes.length), sometimes: select((count) => count < takes.length) }
}

/**
 * Functions by source file. A file in `dist` counts as its source; the body of a module does not count as a function.
 */
function filesOf(take: RunFunctions, root: string): Map<string, readonly string[]> {
  const files = new Map<string, readonly string[]>()
  for (const { url, names } of take) {
    if (!url.startsWith(root)) continue
    const path = url
      .slice(root.length)
      .replace(/[?#].*$/, '')
      .replace(/^((?:packages\/[^/]+|connector)\/)dist\/(.*)\.js$/, '$1src/$2.ts')
    const ran = names.filter((name) => name !== '@0')
    if (ran.length > 0 && /^(?:packages\/[^/]+|connector)\/src\//.test(path))
      files.set(path, [...(files.get(path) ?? []), ...ran])
  }
  return files
}
