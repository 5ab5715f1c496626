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
  /** Documents of which the comparison cannot tell anything. */
  readonly unsettled: number
}

/**
 * Compares the container that is in charge with its copy. Differences that only the lag causes are not reported.
 * `isFrozen`: no application writes, so every document can be told.
 */
export type CompareContainers = (signal: AbortSignal, isFrozen: boolean) => Promise<Comparison>

/**
 * Returns a function that removes documents from the rejected ones of the journal: those that were rejected before a
 * comparison which does not report them. They were deleted, or the process ended before the journal had their copy. A
 * comparison that cannot tell some documents removes none.
 */
export function forgetRejected(
  journal: Journal,
  direction: Direction,
  hashOf: (identity: Identity) => string
): (compared: Comparison) => Promise<void> {
  const before = [...journal.state().rejected[direction].keys()]
  return async ({ disagreements, unsettled }) => {
    if (unsettled > 0) return
    const reported = new Set(disagreements.map(({ identity }) => hashOf(identity)))
    for (const document of before) {
      if (!reported.has(document) && journal.state().rejected[direction].has(document))
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
