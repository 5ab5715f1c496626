import type {
  ChangesPage,
  ChangesRequest,
  ContainerDefinition,
  Fence,
  FeedRange,
  RangeSplit,
  RangeToken,
  ReadDocumentOptions
} from '@keystamp/cosmos'
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
  readonly read: (identity: Identity, options?: ReadDocumentOptions) => Promise<StoredDocument | undefined>
  /** Absent if the container cannot tell what its newest changes are. */
  readonly freshness?: Freshness
  /** The fence is checked directly before each request: once it is lost, nothing is sent, and the write rejects. */
  readonly write: (write: DocumentWrite, fence?: Fence) => Promise<WriteAnswer>
}

/** Tells whether pages of changes have everything that was written before a moment. */
export interface Freshness {
  /**
   * Session tokens that are at least as new as every write that was answered before the call, one for each physical
   * partition; undefined if they cannot be known.
   */
  readonly newestTokens: (signal?: AbortSignal) => Promise<readonly RangeToken[] | undefined>
  /** Whether an answer with the first token has all changes of the second; false for different physical partitions. */
  readonly covers: (answered: string, newest: string) => boolean
}

export type { ChangesPage, ChangesRequest, DocumentVersion, FeedMode, FeedRange, RangeSplit } from '@keystamp/cosmos'

export type ChangesAnswer = ChangesPage | RangeSplit

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
