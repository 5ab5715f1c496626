import type { PhysicalRange } from './physical-range.ts'

/** Moves what parents hold to the children that replace them; the order of creation stays, and of changes that of their LSNs. */
export function moveItems(parents: readonly PhysicalRange[], children: readonly PhysicalRange[]): void {
  for (const child of children) {
    child.lsn = Math.max(...parents.map((parent) => parent.lsn)) + 1
    const version = Math.max(...parents.map((parent) => parent.sessionVersion))
    // a merge begins a new version of session tokens, a split keeps it
    child.sessionVersion = parents.length > 1 ? version + 1 : version
  }
  for (const item of inOrder(parents, 'items', 'ordinal')) {
    const child = ownerAmong(children, item.partition.effectiveKey)
    item.partition.range = child
    child.items.push(item)
    child.bytes += item.length
  }
  for (const item of inOrder(parents, 'changes', 'lsn')) item.partition.range.changes.push(item)
}

type Item = PhysicalRange['items'] extends Iterable<infer Held> ? Held : never

function inOrder(parents: readonly PhysicalRange[], list: 'items' | 'changes', by: 'ordinal' | 'lsn'): Item[] {
  const all = parents.flatMap((parent) => [...parent[list]])
  return parents.length === 1 ? all : all.toSorted((a, b) => a[by] - b[by])
}

function ownerAmong(ranges: readonly PhysicalRange[], effectiveKey: string): PhysicalRange {
  return ranges.find((range) => effectiveKey < range.max) ?? ranges.at(-1)!
}
