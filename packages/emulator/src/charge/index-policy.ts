/** Which paths of a document are indexed: a tree of the policy's paths, decided by the deepest entry that fits. */
export interface IndexNode {
  /** Whether a scalar exactly here is indexed; undefined leaves it to `below` of the nearest parent. */
  here: boolean | undefined
  /** Whether everything under this path is indexed. */
  below: boolean | undefined
  readonly children: Map<string, IndexNode>
  any: IndexNode | undefined
}

/** An indexing policy made ready for walking documents; undefined when nothing is indexed. */
export function compileIndexPolicy(policy: {
  indexingMode: string
  includedPaths: readonly { path: string }[]
  excludedPaths: readonly { path: string }[]
}): IndexNode | undefined {
  if (policy.indexingMode.toLowerCase() === 'none') return undefined
  const root = newNode()
  for (const { path } of policy.includedPaths) mark(root, path, true)
  for (const { path } of policy.excludedPaths) mark(root, path, false)
  return root
}

/** The property names of an indexing path, and what stands at its end; undefined when it is not one. */
export function parseIndexPath(path: string): { names: string[]; end: '?' | '*' | '' } | undefined {
  if (!/^(?:\/(?:"(?:[^"\\]|\\.)*"|\[\]|[^/"]+))+\/?$/.test(path)) return undefined
  const names = [...path.matchAll(/\/(?:"((?:[^"\\]|\\.)*)"|([^/"]+))/g)].map((match) => match[2] ?? match[1].replaceAll(/\\(.)/g, '$1'))
  const last = names.at(-1)
  if (last !== '?' && last !== '*') return { names, end: '' }
  return { names: names.slice(0, -1), end: last }
}

function mark(root: IndexNode, path: string, indexed: boolean): void {
  const parsed = parseIndexPath(path)
  if (parsed === undefined) return
  let node = root
  for (const name of parsed.names) node = child(node, name)
  if (parsed.end === '?') node.here = indexed
  else node.below = indexed
}

function child(node: IndexNode, name: string): IndexNode {
  if (name === '[]') return (node.any ??= newNode())
  let next = node.children.get(name)
  if (next === undefined) node.children.set(name, (next = newNode()))
  return next
}

function newNode(): IndexNode {
  return { here: undefined, below: undefined, children: new Map(), any: undefined }
}
