import type { AnswerBuffer, ContainerDefinition, Fence } from '@keystamp/cosmos'
import type { Identity } from '../documents/identity.ts'
import type { MappedDocument } from '../documents/document-mapper.ts'
import type { StoredDocument } from '../documents/stored-document.ts'

/**
 * The requests of a move to one container. Each of them repeats temporary failures (429, 410, 449, 5xx, lost answers)
 * until it has a final answer, and rejects with a CosmosError if there is none, or if `signal` aborts. The tests have a
 * second implementation: a simulated container in virtual time.
 */
export interface MoveContainer {
  /** `database/container at host`, for messages. */
  readonly name: string
  readonly definition: ContainerDefinition
  /** Feed ranges that cover the whole container, one for each physical partition. */
  readonly feedRanges: () => Promise<readonly FeedRange[]>
  /** Reads one page of changes. */
  readonly readChanges: (request: ChangesRequest) => Promise<ChangesAnswer>
  /** Reads one document; undefined if there is none. */
  readonly read: (identity: Identity, options?: ReadOptions) => Promise<StoredDocument | undefined>
  /** The fence is checked directly before each request: once it is lost, nothing is sent, and the write rejects. */
  readonly write: (write: DocumentWrite, fence?: Fence) => Promise<WriteAnswer>
}

/** A part of a container by the hashes of its keys, from `min` up to, but not including, `max`, in hexadecimal. */
export interface FeedRange {
  readonly min: string
  readonly max: string
}

/**
 * `latest`: the latest version of each document, from the beginning on. `versions`: every change and every delete
 * since the first request, which asks for `now`.
 */
export type FeedMode = 'latest' | 'versions'

export interface ChangesRequest {
  readonly range: FeedRange
  readonly mode: FeedMode
  /** `beginning` (only for `latest`), `now`, or the position of an earlier page. */
  readonly from: string
  /** Up to 1,000. Default: 300. */
  readonly maxItems?: number
  /** Session token of an earlier answer: this answer is then not older. */
  readonly sessionToken?: string | undefined
  /** Takes the bytes of the page: its documents are valid until the next request with this buffer. */
  readonly buffer?: AnswerBuffer | undefined
  readonly signal?: AbortSignal
}

export type ChangesAnswer = ChangesPage | RangeSplit

/** A page of changes. In it, changes with the same `lsn` are in no order. */
export interface ChangesPage {
  readonly kind: 'page'
  /** Of the mode `latest`. */
  readonly documents: readonly StoredDocument[]
  /** Of the mode `versions`. */
  readonly versions: readonly DocumentVersion[]
  /** Where the next read resumes. */
  readonly position: string
  /** True if there were no more changes at the time of the answer. */
  readonly isEnd: boolean
  /** Session token of the answer: a read with it sees at least every change of this page. */
  readonly sessionToken: string | undefined
  readonly chargeRu: number
}

/**
 * The range now belongs to several physical partitions. Each of the given ranges continues with the position that the
 * request had.
 */
export interface RangeSplit {
  readonly kind: 'split'
  readonly ranges: readonly FeedRange[]
}

/** One change of the mode `versions`. */
export interface DocumentVersion {
  readonly operation: 'create' | 'replace' | 'delete'
  readonly identity: Identity
  readonly lsn: number
  /** Second of the change, since 1970. */
  readonly timestamp: number
  /** Whether a delete was the end of a TTL. */
  readonly isExpiry: boolean
  /** The document after the change; undefined for a delete. */
  readonly current: StoredDocument | undefined
  /** The document before the change, if the container keeps previous images. */
  readonly previous: StoredDocument | undefined
}

export interface ReadOptions {
  /** Session token of a page: the answer is then not older than this page. */
  readonly sessionToken?: string | undefined
  readonly signal?: AbortSignal
}

/** One write. It is sent again after temporary failures, so it may be applied more than once. */
export type DocumentWrite = StoreWrite | DeleteWrite

export interface StoreWrite {
  /** `create` gets the answer `exists` if there is a document with this identity. */
  readonly kind: 'upsert' | 'create' | 'replace'
  readonly document: MappedDocument
  readonly ifMatch?: string
}

export interface DeleteWrite {
  readonly kind: 'delete'
  readonly identity: Identity
  readonly ifMatch?: string
}

/**
 * `done`: applied, or a delete of a document that did not exist. `exists`: 409 of a create. `changed`: 412, another
 * ETag. `missing`: 404 of a replace. `rejected`: Cosmos DB refuses the document itself.
 */
export type WriteAnswer =
  | { readonly kind: 'done'; readonly etag: string | undefined; readonly chargeRu: number }
  | { readonly kind: 'exists' | 'changed' | 'missing'; readonly chargeRu: number }
  | { readonly kind: 'rejected'; readonly code: string; readonly message: string; readonly chargeRu: number }
