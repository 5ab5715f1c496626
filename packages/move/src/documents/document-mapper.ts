import type { StampedBytes } from '@keystamp/core'
import type { Identity } from './identity.ts'
import type { StoredDocument } from './stored-document.ts'

/** Makes the document of the other container from a document of one container. Pure. */
export interface DocumentMapper {
  /**
   * `identity`: key and id of the new document follow from the identity of the old one, so that a deleted document can
   * be found. `fields`: they depend on other fields, so that a change of these moves the document to another key.
   */
  readonly basis: 'identity' | 'fields'
  /** Maps a document. `nowMs`: time for the TTL that is left. */
  readonly map: (document: StoredDocument, nowMs: number) => MappedDocument | Expiring | Rejected
  /** Identity in the other container; only if `basis` is `identity`. Rejected if the plan makes no key of it. */
  readonly targetOf: (identity: Identity) => Identity | Rejected
  /**
   * Identity in the first container of a document of the other container, read from its fields. A value of the key is
   * undefined where the document has none, as in the first container. Undefined if the fields cannot be a key.
   */
  readonly sourceOf: (document: StoredDocument) => Identity | undefined
}

/** A document for the other container. */
export interface MappedDocument {
  readonly kind: 'mapped'
  /** Its identity in the other container. */
  readonly identity: Identity
  /**
   * Its bytes: those of the old document with splices that remove the system properties and write key, id and TTL.
   * `values` and `id` are those of `identity`.
   */
  readonly stamped: StampedBytes
}

/** A document that is not copied: it expires too soon, or it is the marker of a deleted document. */
export interface Expiring {
  readonly kind: 'expiring'
}

/** A document that the plan rejects. It goes to the reject file, and is a gate of the switch. */
export interface Rejected {
  readonly kind: 'rejected'
  /** Code of the rejection, such as FIELD_MISSING. */
  readonly code: string
  /** Sentence with the path, without values of the document. */
  readonly message: string
}
