import type { Identity } from '../documents/identity.ts'

/**
 * The identities in the target under which copies of a source document may be, for a mapper whose `basis` is `fields`.
 * An entry exists from before the write of the copy until after the acknowledged delete of it. It survives the end of
 * the process (not a power failure before `sync`).
 */
export interface TargetIndex {
  /** All identities under which copies of the document may be; empty if there is none. */
  readonly find: (source: Identity) => Promise<readonly Identity[]>
  /** Resolves when the entry survives the end of the process. Adding an entry twice has no effect. */
  readonly add: (source: Identity, target: Identity) => Promise<void>
  readonly remove: (source: Identity, target: Identity) => Promise<void>
  /** Resolves when the disk has all entries. Called before the position of a range is written to the journal. */
  readonly sync: () => Promise<void>
  readonly close: () => Promise<void>
}
