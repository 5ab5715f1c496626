/** The indexed paths of a document, as a tree of the policy's paths; the deepest matching entry decides. */
export interface IndexNode {
  /** Whether a scalar at exactly this path is indexed; if undefined, `below` of the nearest parent decides. */
  here: boolean | undefined
  /** Whether everything under this path is indexed. */
  below: boolean | undefined
  readonly children: Map<string, IndexNode>
  any: IndexNode | undefined
}

/** Compiles an indexing policy into a tree; undefined when nothing is indexed. */
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

/** The property names of an indexing path and the wildcard at its end; undefined when the path is not valid. */
export function parseIndexPath(path: string): { names: string[]; end: '?' | '*' | '' } | undefined {
  if (!/^(?:\/(?:"(?:[^"\\]|\\.)*"|\[\]|[^/"]+))+\/?$/.test(path)) return undefined
  const names = [...path.matchAll(/\/(?:"((?:[^"\\]|\\.)*)"|([^/"]+))/g)].map(
    (match) => match[2] ?? match[1].replaceAll(/\\(.)/g, '$1')
  )
  const last = names.at(-1)
  if (last !== '?' && last !== '*') return { names, end: '' }
  return { names: names.slice(0, -1), end: last }
}

function mark(root: IndexNode, path: string, indexed: boolean): void {
  const parsed = parseIndexPath(path)
  if (parsed === undefined) return
  let node = root
  for (const name of parsed.names) node = childNode(node, name)
  if (parsed.end === '?') node.here = indexed
  else node.below = indexed
}

function childNode(node: IndexNode, name: string): IndexNode {
  if (name === '[]') return (node.any ??= newNode())
  let next = node.children.get(name)
  if (next === undefined) node.children.set(name, (next = newNode()))
  return next
}

function newNode(): IndexNode {
  return { here: undefined, below: undefined, children: new Map(), any: undefined }
}

/**
 * Whether all values of a document are indexed (true) or none (false); undefined when that depends on their paths.
 * `absent` are names of properties that documents never have.
 */
export function isAllIndexed(policy: IndexNode | undefined, absent: readonly string[]): boolean | undefined {
  if (policy === undefined) return false
  const below = policy.below ?? false
  for (const [name, child] of policy.children) {
    if (!absent.includes(name) && !saysOnly(child, below)) return undefined
  }
  return below
}

function saysOnly(node: IndexNode, indexed: boolean): boolean {
  if (node.here === !indexed || node.below === !indexed) return false
  for (const child of node.children.values()) if (!saysOnly(child, indexed)) return false
  return node.any === undefined || saysOnly(node.any, indexed)
}

// the service's limit for nested documents
const MAX_DEPTH = 128

/** How many indexed scalars a document has, or -1 when it is nested too deeply. */
export function countTerms(document: object, policy: IndexNode | undefined): number {
  const inherited = policy?.below ?? false
  return count(document, policy, inherited, 1)
}

/** How many indexed scalars differ between two versions of a document. */
export function changedTerms(before: object, after: object, policy: IndexNode | undefined): number {
  if (policy === undefined) return 0
  return difference(before, after, policy, policy.below ?? false)
}

function count(value: object, node: IndexNode | undefined, inherited: boolean, depth: number): number {
  if (depth > MAX_DEPTH) return -1
  let terms = 0
  if (Array.isArray(value)) {
    for (const element of value as unknown[]) {
      const found = countValue(element, node?.any, inherited, depth)
      if (found < 0) return -1
      terms += found
    }
    return terms
  }
  for (const name in value) {
    const next = node === undefined || node.children.size === 0 ? undefined : node.children.get(name)
    const found = countValue((value as Record<string, unknown>)[name], next, inherited, depth)
    if (found < 0) return -1
    terms += found
  }
  return terms
}

function countValue(value: unknown, node: IndexNode | undefined, inherited: boolean, depth: number): number {
  const below = node?.below ?? inherited
  if (typeof value === 'object' && value !== null) return count(value, node, below, depth + 1)
  if (value === undefined) return 0
  return (node?.here ?? below) ? 1 : 0
}

function difference(before: unknown, after: unknown, node: IndexNode | undefined, inherited: boolean): number {
  const below = node?.below ?? inherited
  if (isPlainObject(before) && isPlainObject(after)) return differenceOfObjects(before, after, node, below)
  if (Array.isArray(before) && Array.isArray(after)) return differenceOfArrays(before, after, node, below)
  if (before === after) return 0
  return Math.max(0, countValue(before, node, inherited, 1)) + Math.max(0, countValue(after, node, inherited, 1))
}

function differenceOfObjects(
  before: Record<string, unknown>,
  after: Record<string, unknown>,
  node: IndexNode | undefined,
  below: boolean
): number {
  let terms = 0
  for (const name in before) {
    // without this check, a document without a property `valueOf` would seem to have the inherited one
    const next = Object.hasOwn(after, name) ? after[name] : undefined
    terms += difference(before[name], next, node?.children.get(name), below)
  }
  for (const name in after) {
    if (!Object.hasOwn(before, name)) terms += difference(undefined, after[name], node?.children.get(name), below)
  }
  return terms
}

// Index terms of an array have no position, so an insertion at the head adds one term and does not change the others.
function differenceOfArrays(
  before: readonly unknown[],
  after: readonly unknown[],
  node: IndexNode | undefined,
  below: boolean
): number {
  const open = new Map<string, { element: unknown; count: number }>()
  for (const element of before) {
    const text = JSON.stringify(element)
    const entry = open.get(text)
    if (entry === undefined) open.set(text, { element, count: 1 })
    else entry.count += 1
  }
  let terms = 0
  for (const element of after) {
    const entry = open.get(JSON.stringify(element))
    if (entry !== undefined && entry.count > 0) entry.count -= 1
    else terms += Math.max(0, countValue(element, node?.any, below, 1))
  }
  for (const { element, count: left } of open.values())
    terms += left * Math.max(0, countValue(element, node?.any, below, 1))
  return terms
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
