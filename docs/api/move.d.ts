// API report of @keystamp/move, made by npm run docs. A change here is a change of the public API.

import type { AccountOptions } from '@keystamp/cosmos'
import type { ChangeFeedStats } from '@keystamp/cosmos'
import type { Clock } from '@keystamp/core/internal'
import type { ContainerDefinition } from '@keystamp/cosmos'
import type { KeyComponent } from '@keystamp/core'
import type { PlanDefinition } from '@keystamp/core'
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

export interface CompareLimits {
  /** Bytes of pages in memory, for each container. */
  readonly maxBytes: number
  /** Requests for pages at the same time, for each container. */
  readonly maxRequests: number
  readonly maxItems: number
  /** Documents of a container that are compared one by one at the same time: each takes about 100 bytes. */
  readonly maxOpenDocuments: number
  /** Documents that are read one by one at the same time. */
  readonly maxReads: number
  /** The comparison ends when it has found so many documents that are different or unsettled. */
  readonly maxFindings: number
}

/**
 * `counting`: reads all documents of both containers. `opening`: reads them again for the buckets that differ.
 * `settling`: reads single documents until they are equal or stand still.
 */
export interface CompareProgress {
  readonly phase: 'counting' | 'opening' | 'settling'
  /** Documents that were read in this phase, of both containers. */
  readonly documents: number
  /** Number of the group of buckets, and of all groups; 0 while counting. */
  readonly group: number
  readonly groups: number
  /** Documents that differ so far and wait until their source stands still; only for `settling`. */
  readonly waiting: number
  readonly differences: number
}

/** Result of a comparison of two containers. */
export interface Comparison {
  /** Whether nothing differs, and everything is settled. */
  readonly isEqual: boolean
  /** Time at which the comparison began: it covers all changes before. */
  readonly beganMs: number
  /** Time up to which both change feeds were followed. */
  readonly atMs: number
  /** Versions of documents that were read of each container, without repeated reads. */
  readonly compared: CountedBuckets['compared']
  readonly buckets: {
    readonly differing: number
    readonly opened: number
  }
  readonly differences: readonly Difference[]
  readonly unsettled: readonly Unsettled[]
  /** False if the comparison ended early, because it had found `maxFindings` documents. */
  readonly isComplete: boolean
}

export interface DeleteWrite {
  readonly kind: 'delete'
  readonly identity: Identity
  readonly ifMatch?: string
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
 * `missing`: the target lacks the document. `extra`: the target has a copy too many: of a document that the source does
 * not have, or a second one. `different`: the copy has other content. `misplaced`: the only copy has another key or id
 * than planned.
 */
export type DifferenceKind = 'missing' | 'extra' | 'different' | 'misplaced'

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

/**
 * `repaired`: the difference is gone. `changed`: a document is another one than was shown, so nothing was written, or
 * what was written may be outdated already. `impossible`: no copy can be made.
 */
export type RepairOutcome =
  | {
      readonly kind: 'repaired' | 'changed'
      readonly chargeRu: number
    }
  | {
      readonly kind: 'impossible'
      readonly reason: string
      readonly chargeRu: number
    }

/** A version of a document that was read. */
export interface SeenVersion {
  readonly place: Identity
  readonly etag: string
}

export interface StoreWrite {
  /** `create` gets the answer `exists` if there is a document with this identity. */
  readonly kind: 'upsert' | 'create' | 'replace'
  readonly document: MappedDocument
  readonly ifMatch?: string
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

/** The comparison of two containers, and the repair of what it finds. */
export interface Verification {
  readonly compare: () => Promise<Comparison>
  /** Repairs one difference in the second container, if both documents are still the versions that were compared. */
  readonly repair: (difference: Difference) => Promise<RepairOutcome>
}

export interface VerificationOptions extends Pick<
  CompareOptions,
  'source' | 'target' | 'settleMs' | 'signal' | 'onProgress' | 'limits'
> {
  /** The plan that made the second container from the first one. */
  readonly plan?: PlanDefinition | undefined
  /** JSON pointer of the property that keeps the old id, for a plan that makes new ids. */
  readonly keepIdIn?: string | undefined
  /** JSON pointers of the fields that identify a document. Default: the key of the first container, and the id. */
  readonly by?: readonly string[] | undefined
  /** JSON pointers of properties that do not count. */
  readonly ignore?: readonly string[] | undefined
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

/**
 * Prepares the comparison of two containers. Throws OPTION_INVALID, PLAN_INVALID or CONTAINER_MISMATCH before anything
 * is read.
 */
export declare function createVerification(options: VerificationOptions): Verification

/** Opens a container of a move; resolves when it was found. It sends with low priority by default. */
export declare function openMoveContainer(options: MoveContainerOptions): Promise<OpenMoveContainer>

// Not exported; the declarations above refer to it.

interface CompareOptions {
  readonly source: MoveContainer
  readonly target: MoveContainer
  readonly matching: DocumentMatching
  /** JSON pointers of properties that do not count, such as the stamped ones. */
  readonly ignore: readonly string[]
  /** Whether `ttl` does not count. */
  readonly ignoresTtl: boolean
  readonly clock: Clock
  /** Milliseconds since 1970. */
  readonly wallMs: () => number
  /** Time for which a document of the source must not change, so that a difference counts. Default: 10,000 ms. */
  readonly settleMs?: number
  /** How often a document is read until it counts as unsettled. Default: 10. */
  readonly tries?: number
  readonly signal?: AbortSignal
  readonly onProgress?: (progress: CompareProgress) => void
  readonly limits?: Partial<CompareLimits>
}

/** Result of reading both containers once. */
interface CountedBuckets {
  /** Buckets whose documents must be compared one by one, in order. */
  readonly differing: readonly number[]
  /** Documents of a bucket in the container that has more of them. */
  readonly sizeOf: (bucket: number) => number
  /** Versions of documents that were read. */
  readonly compared: {
    readonly source: number
    readonly target: number
  }
}

/** Which documents of two containers belong together, and where the copy of a document belongs. */
interface DocumentMatching {
  readonly ofSource: (document: StoredDocument) => Identity
  readonly ofTarget: (document: StoredDocument) => Identity
  /** Place in the source of the document with this identity; undefined if the identity does not tell it. */
  readonly sourceOf: (identity: Identity) => Identity | undefined
  /** Where the target should have the copy of a document of the source. */
  readonly copyOf: (document: StoredDocument) => ExpectedCopy
  /** Whether equal content at another place is a difference. */
  readonly checksPlace: boolean
  /** The fields of the identity, for messages. */
  readonly fields: readonly string[]
}

/**
 * `at`: at this place. `anywhere`: the place is not known. `optional`: the document expires soon, so the copy may be
 * missing. `impossible`: the plan rejects the document.
 */
type ExpectedCopy =
  | {
      readonly kind: 'at'
      readonly place: Identity
    }
  | {
      readonly kind: 'anywhere'
    }
  | {
      readonly kind: 'optional'
    }
  | {
      readonly kind: 'impossible'
      readonly code: string
    }

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
