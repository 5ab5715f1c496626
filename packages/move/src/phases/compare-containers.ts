import type { Identity } from '../documents/identity.ts'
import type { Direction, Journal } from '../journal/journal.ts'

/** A document that the containers do not agree on. */
export interface Disagreement {
  /** Identity in the container that is in charge. */
  readonly identity: Identity
  /** Places in the other container at which copies were found. */
  readonly places: readonly Identity[]
}

export interface Comparison {
  readonly isEqual: boolean
  readonly disagreements: readonly Disagreement[]
  /** Documents that changed too often to tell. */
  readonly unsettled: number
}

/**
 * Compares the container that is in charge with its copy. Differences that only the lag causes are not reported.
 * `isFrozen`: no application writes, so every document can be told.
 */
export type CompareContainers = (signal: AbortSignal, isFrozen: boolean) => Promise<Comparison>

/**
 * Returns a function that removes the documents that are rejected now from the journal. It must be called after an equal
 * comparison: they were deleted meanwhile, which no feed of latest versions tells.
 */
export function forgetRejected(journal: Journal, direction: Direction): () => Promise<void> {
  const before = [...journal.state().rejected[direction].keys()]
  return async () => {
    for (const document of before) {
      if (journal.state().rejected[direction].has(document))
        await journal.append({ type: 'rejected', direction, document, code: null })
    }
  }
}

/** The disagreements about documents that only the move has written: the writes of others must not be lost. */
export function withoutForeign(
  disagreements: readonly Disagreement[],
  isForeign: (place: Identity) => boolean
): readonly Disagreement[] {
  return disagreements.filter(({ places }) => !places.some((place) => isForeign(place)))
}
