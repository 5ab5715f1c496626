import { type Identity, identityText } from '../documents/identity.ts'
import type { StoredDocument } from '../documents/stored-document.ts'
import type { OpenPage } from './open-page.ts'

// most entries need none, and an array for each would cost more than the rest of the entry
export const NONE: readonly never[] = []

/** Work on one document of the source. */
export class Entry {
  readonly identity: Identity
  readonly hash: number
  isRunning = false
  /** Newest version, not written yet. */
  document: StoredDocument | undefined = undefined
  /** The page of this version. */
  page: OpenPage | undefined = undefined
  /** Whether the source must be read. */
  isDue = false
  /** Whether the version that is read then must be written. */
  mustStore = false
  /** Further places at which there may be copies. */
  places: readonly Identity[] = NONE
  /** Pages of the changes that asked to read the source. */
  pages: readonly OpenPage[] = NONE
  nextInBucket: Entry | undefined = undefined

  constructor(identity: Identity, hash: number) {
    this.identity = identity
    this.hash = hash
  }

  /** The identity as text, which few entries need. */
  get text(): string {
    return identityText(this.identity)
  }

  /** A place has changed since it was read. */
  readAgain(place: Identity): void {
    this.isDue = true
    this.places = [...this.places, place]
  }
}
