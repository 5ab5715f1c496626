import type { TargetIndex } from '../../src/copy/target-index.ts'
import { type Identity, identityText, isSameIdentity } from '../../src/documents/identity.ts'

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
