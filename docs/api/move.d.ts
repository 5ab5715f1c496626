// API report of @keystamp/move, made by npm run docs. A change here is a change of the public API.

import type { AccountOptions } from '@keystamp/cosmos'
import type { ChangeFeedStats } from '@keystamp/cosmos'
import type { ContainerDefinition } from '@keystamp/cosmos'
import type { KeyComponent } from '@keystamp/core'
import type { PriorityOptions } from '@keystamp/cosmos'
import type { Share } from '@keystamp/cosmos'
import type { StampedBytes } from '@keystamp/core'
import type { WriterStats } from '@keystamp/cosmos'

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

export interface ChangesRequest {
  readonly range: FeedRange
  readonly mode: FeedMode
  /** `beginning` (only for `latest`), `now`, or the position of an earlier page. */
  readonly from: string
  /** Default: the service decides. */
  readonly maxItems?: number
  /** Session token of an earlier answer: this answer is then not older. */
  readonly sessionToken?: string | undefined
  readonly signal?: AbortSignal
}

export interface DeleteWrite {
  readonly kind: 'delete'
  readonly identity: Identity
  readonly ifMatch?: string
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

/** One write. It is sent again after temporary failures, so it may be applied more than once. */
export type DocumentWrite = StoreWrite | DeleteWrite

/**
 * `latest`: the latest version of each document, from the beginning on. `versions`: every change and every delete
 * since the first request, which asks for `now`.
 */
export type FeedMode = 'latest' | 'versions'

/** A part of a container by the hashes of its keys, from `min` up to, but not including, `max`, in hexadecimal. */
export interface FeedRange {
  readonly min: string
  readonly max: string
}

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
  readonly write: (write: DocumentWrite) => Promise<WriteAnswer>
}

/** Options of a container that a move reads and writes. */
export interface MoveContainerOptions extends AccountOptions, PriorityOptions {
  /** Share of the provisioned throughput for reads: RU/s, or a percentage. Default: only throttling limits them. */
  readonly readShare?: Share
  /** Share of the provisioned throughput for writes: RU/s, or a percentage. Default: `100%`. */
  readonly writeShare?: Share
  /** Timeout of one request. Default: 30,000 ms. */
  readonly requestTimeoutMs?: number
  /** Time for which a request is retried if it fails. Throttling is not a failure. Default: 120,000 ms. */
  readonly retryForMs?: number
}

export interface MoveContainerStats {
  readonly reads: ChangeFeedStats
  /** Undefined before the first write. */
  readonly writes: WriterStats | undefined
}

/** A container of a move that is open. */
export interface OpenMoveContainer extends MoveContainer {
  readonly stats: () => MoveContainerStats
  /**
   * Uses only this part of both shares from now on, a number above 0 and at most 1, so that the move can make room for
   * other clients. Reads without a share are not limited.
   */
  readonly usePart: (part: number) => void
  /** Ends all reads, and waits for the answers of the writes for some time. */
  readonly close: () => Promise<void>
}

/**
 * The range now belongs to several physical partitions. Each of the given ranges continues with the position that the
 * request had.
 */
export interface RangeSplit {
  readonly kind: 'split'
  readonly ranges: readonly FeedRange[]
}

export interface ReadOptions {
  /** Session token of a page: the answer is then not older than this page. */
  readonly sessionToken?: string | undefined
  readonly signal?: AbortSignal
}

export interface StoreWrite {
  /** `create` gets the answer `exists` if there is a document with this identity. */
  readonly kind: 'upsert' | 'create' | 'replace'
  readonly document: MappedDocument
  readonly ifMatch?: string
}

/**
 * `done`: applied, or a delete of a document that did not exist. `exists`: 409 of a create. `changed`: 412, another
 * ETag. `missing`: 404 of a replace. `rejected`: Cosmos DB refuses the document itself.
 */
export type WriteAnswer =
  | {
      readonly kind: 'done'
      readonly etag: string | undefined
      readonly chargeRu: number
    }
  | {
      readonly kind: 'exists' | 'changed' | 'missing'
      readonly chargeRu: number
    }
  | {
      readonly kind: 'rejected'
      readonly code: string
      readonly message: string
      readonly chargeRu: number
    }

/** Opens a container of a move; resolves when it was found. It sends with low priority by default. */
export declare function openMoveContainer(options: MoveContainerOptions): Promise<OpenMoveContainer>

// Not exported; the declarations above refer to it.

/** Names one document of a container: the values of its partition key, and its id. */
interface Identity {
  /** One value for each key path; undefined where the document has none. */
  readonly key: readonly KeyComponent[]
  readonly id: string
}

/** A document for the other container. */
interface MappedDocument {
  readonly kind: 'mapped'
  /** Its identity in the other container. */
  readonly identity: Identity
  /**
   * Its bytes: those of the old document with splices that remove the system properties and write key, id and TTL.
   * `values` and `id` are those of `identity`.
   */
  readonly stamped: StampedBytes
}

/**
 * A document as Cosmos DB returned it, in the bytes of its answer. The bytes must not change while the document is in
 * use.
 */
interface StoredDocument {
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
}

export {}
