/** The part of a container's `indexingPolicy` that decides which values are indexed. */
export interface IndexingPolicy {
  readonly indexingMode?: string
  readonly includedPaths?: readonly { readonly path: string }[]
  readonly excludedPaths?: readonly { readonly path: string }[]
}

/** Number of values of a document that enter the index, without composite, spatial and vector indexes. */
export function indexedValues(document: unknown, policy: IndexingPolicy): number {
  if (policy.indexingMode?.toLowerCase() === 'none') return 0
  const rules = [
    ...(policy.includedPaths ?? [{ path: '/*' }]).map(({ path }) => toRule(path, true)),
    ...(policy.excludedPaths ?? []).map(({ path }) => toRule(path, false))
  ]
  let count = 0
  visit(document, [], (path) => {
    if (isIndexed(path, rules)) count++
  })
  return count
}

interface PathRule {
  readonly names: readonly string[]
  /** Whether the rule is for everything below the path: it ends with `*`. */
  readonly isDeep: boolean
  readonly isIncluded: boolean
}

function toRule(path: string, isIncluded: boolean): PathRule {
  const names = [...path.matchAll(/\/(?:"((?:[^"\\]|\\.)*)"|([^/]*))/g)].map(([, quoted, bare]) => quoted ?? bare)
  const last = names.at(-1)
  return { names: last === '*' || last === '?' ? names.slice(0, -1) : names, isDeep: last === '*', isIncluded }
}

/** The longest rule wins; a rule for the value itself is longer than one for everything below the same path. */
function isIndexed(path: readonly string[], rules: readonly PathRule[]): boolean {
  let best: PathRule | undefined
  for (const rule of rules) {
    const isMatch =
      (rule.isDeep ? rule.names.length <= path.length : rule.names.length === path.length) &&
      rule.names.every((name, level) => name === path[level])
    if (!isMatch) continue
    const isLonger =
      best === undefined ||
      rule.names.length > best.names.length ||
      (rule.names.length === best.names.length && best.isDeep && !rule.isDeep)
    if (isLonger) best = rule
  }
  return best?.isIncluded === true
}

function visit(value: unknown, path: readonly string[], onValue: (path: readonly string[]) => void): void {
  if (Array.isArray(value)) for (const each of value) visit(each, [...path, '[]'], onValue)
  else if (typeof value === 'object' && value !== null)
    for (const [name, each] of Object.entries(value)) {
      if (path.length > 0 || !SYSTEM.has(name)) visit(each, [...path, name], onValue)
    }
  else onValue(path)
}

const SYSTEM = new Set(['_rid', '_self', '_etag', '_attachments', '_ts', '_lsn'])
