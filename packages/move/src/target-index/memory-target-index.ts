import type { TargetIndex } from '../copy/target-index.ts'
import { type Identity, identityText } from '../documents/identity.ts'

/** Creates an identity index in memory, for tests and moves that can begin again. */
export function createMemoryTargetIndex(): TargetIndex {
  const targets = new Map<string, Map<string, Identity>>()
  return {
    find: async (source) => [...(targets.get(identityText(source))?.values() ?? [])],
    add: async (source, target) => {
      const text = identityText(source)
      const known = targets.get(text)
      if (known === undefined) targets.set(text, new Map([[identityText(target), target]]))
      else known.set(identityText(target), target)
    },
    remove: async (source, target) => {
      const text = identityText(source)
      const known = targets.get(text)
      known?.delete(identityText(target))
      if (known?.size === 0) targets.delete(text)
    },
    sync: async () => undefined,
    close: async () => undefined
  }
}
