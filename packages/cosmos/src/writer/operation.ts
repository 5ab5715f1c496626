import type { KeyValue, Source, StampedBytes } from '@keystamp/core'

/** What can be done to a document. */
export type Operation = DocumentOperation | DeleteOperation | PatchOperation

/** Where the document comes from: exactly one of the three. */
export interface DocumentSource {
  /** An object; the plan writes the key into it. It is turned into JSON at once. */
  readonly record?: object
  /** JSON bytes, which are never parsed and have to keep their content until the outcome is there. */
  readonly bytes?: Uint8Array
  /** JSON bytes that a plan has stamped already. */
  readonly stamped?: StampedBytes
  /** What surrounds a record in Kafka, where the plan reads it. */
  readonly source?: Source
}

interface Conditions {
  /** The document must have this ETag; an empty one is rejected with ETAG_MISSING. */
  readonly ifMatch?: string
  /** Statuses that mean `unchanged` instead of `rejected`. Default: none. */
  readonly ignore?: readonly (404 | 409 | 412)[]
}

/** Stores a document. */
export interface DocumentOperation extends DocumentSource, Conditions {
  readonly kind: 'upsert' | 'create' | 'replace'
  /** Seconds until the document expires; -1 for never. */
  readonly ttl?: number
}

/** How one record is stored. */
export type UpsertOptions = Pick<DocumentOperation, 'ifMatch' | 'source' | 'ttl'>

/** Names a document by its key and id, or by a record that they are taken from. */
export interface DocumentName extends DocumentSource {
  readonly id?: string
  /** One value a level of the key; a value alone for a key of one level. */
  readonly key?: KeyValue | readonly KeyValue[]
}

/** Removes a document. */
export interface DeleteOperation extends DocumentName, Conditions {
  readonly kind: 'delete'
}

/** Changes parts of a document. More than ten steps travel as one atomic batch. */
export interface PatchOperation extends DocumentName, Conditions {
  readonly kind: 'patch'
  readonly steps: readonly PatchStep[]
  /** A predicate such as `from c where c.version = 3`; a miss is 412. */
  readonly condition?: string
}

/** One step of a patch. */
export type PatchStep =
  | { readonly op: 'add' | 'set' | 'replace'; readonly path: string; readonly value: unknown }
  | { readonly op: 'incr'; readonly path: string; readonly value: number }
  | { readonly op: 'remove'; readonly path: string }
  | { readonly op: 'move'; readonly from: string; readonly path: string }
