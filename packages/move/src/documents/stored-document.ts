import type { Identity } from './identity.ts'

/**
 * A document as Cosmos DB returned it, in the bytes of its answer. The bytes must not change while the document is in
 * use.
 */
export interface StoredDocument {
  readonly bytes: Uint8Array
  /** First byte of the document, its opening brace. */
  readonly start: number
  /** Position after the closing brace. */
  readonly end: number
  readonly identity: Identity
  /** Equal for the same version of the document only. */
  readonly etag: string
  /** Second of the last change, since 1970. */
  readonly timestamp: number
  /** Number of the change in its physical partition; undefined for a document that was not read from a change feed. */
  readonly lsn: number | undefined
  /** Position of the JSON string of the id in `bytes`, if it is known. */
  readonly idStart?: number
  readonly idEnd?: number
  /** Position of the value of the key, if it is known; -1 if there is none, or if the key has several levels. */
  readonly keyStart?: number
  readonly keyEnd?: number
}
