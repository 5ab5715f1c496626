import type { TargetIndex } from '../../src/copy/target-index.ts'
import { type Identity, identityText, isSameIdentity } from '../../src/documents/identity.ts'
import type { WrittenContents } from '../../src/journal/written-contents.ts'

/** An index in memory, which survives the processes of a simulation. */
export function createMemoryIndex(): TargetIndex {
  const places = new Map<string, Identity[]>()
  return {
    find: async (source) => [...(places.get(identityText(source)) ?? [])],
    add: async (source, place) => {
      const text = identityText(source)
      const known = places.get(text) ?? []
      if (!known.some((other) => isSameIdentity(other, place))) places.set(text, [...known, place])
    },
    remove: async (source, place) => {
      const text = identityText(source)
      places.set(
        text,
        (places.get(text) ?? []).filter((other) => !isSameIdentity(other, place))
      )
    },
    sync: async () => {},
    close: async () => {}
  }
}

/** Written contents in memory, which survive the processes of a simulation. */
export interface MemoryContents {
  /** As a new process finds them. */
  readonly open: () => WrittenContents
}

export function createMemoryContents(): MemoryContents {
  const stored = new Set<string>()
  return {
    open: () => {
      const former = new Set(stored)
      const open = new Set<string>()
      return {
        add: async (digest) => {
          stored.add(digest)
          open.add(digest)
        },
        confirm: (digest) => open.delete(digest),
        has: (digest) => former.has(digest) || open.has(digest),
        seen: async () => {},
        close: async () => {}
      }
    }
  }
}
