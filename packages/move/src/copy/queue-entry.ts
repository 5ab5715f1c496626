import type { Identity } from '../documents/identity.ts'
import type { StoredDocument } from '../documents/stored-document.ts'
import type { OpenPage } from './open-page.ts'

/** Work on one document of the source. */
export interface Entry {
  readonly identity: Identity
  readonly text: string
  isRunning: boolean
  /** Newest version, not written yet. */
  document: StoredDocument | undefined
  /** The page of this version. */
  page: OpenPage | undefined
  /** Whether the source must be read. */
  isDue: boolean
  /** Whether the version that is read then must be written. */
  mustStore: boolean
  /** Further places at which there may be copies. */
  places: readonly Identity[]
  /** Pages of the changes that asked to read the source. */
  pages: readonly OpenPage[]
}

// most entries need none, and an array for each would cost more than the rest of the entry
export const NONE: readonly never[] = []

export function createEntry(identity: Identity, text: string): Entry {
  return {
    identity,
    text,
    isRunning: false,
    document: undefined,
    page: undefined,
    isDue: false,
    mustStore: false,
    places: NONE,
    pages: NONE
  }
}
