import type { Identity } from '../documents/identity.ts'

/**
 * `missing`: the target lacks the document. `extra`: the target has a copy too many: of a document that the source does
 * not have, or a second one. `different`: the copy has other content. `misplaced`: the only copy has another key or id
 * than planned.
 */
export type DifferenceKind = 'missing' | 'extra' | 'different' | 'misplaced'

/** A version of a document that was read. */
export interface SeenVersion {
  readonly place: Identity
  readonly etag: string
}

/** One document of the target that is not as it should be. */
export interface Difference {
  readonly kind: DifferenceKind
  /** Hash of the identity, 32 hexadecimal digits. */
  readonly document: string
  readonly identity: Identity
  /** The document of the source; undefined if there is none. */
  readonly source: SeenVersion | undefined
  /** The copy that is wrong; undefined if it is missing. */
  readonly copy: SeenVersion | undefined
  /** Place at which the copy should be; undefined if it is not known, or if there should be no copy. */
  readonly planned: Identity | undefined
  /** All places in the target at which copies of the document were found. */
  readonly places: readonly Identity[]
  /** Why the plan cannot copy the document, such as FIELD_MISSING. */
  readonly code: string | undefined
}

/**
 * A document of which nothing can be said. `changing`: the source changed again and again. `ambiguous`: several documents
 * of the source have this identity.
 */
export interface Unsettled {
  readonly reason: 'changing' | 'ambiguous'
  readonly document: string
  readonly identity: Identity
  readonly places: readonly Identity[]
}
