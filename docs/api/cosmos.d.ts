// API report of @keystamp/cosmos, made by npm run docs. A change here is a change of the public API.

import type { Agent } from 'node:https'
import type { CosmosClientOptions } from '@azure/cosmos'
import type { ErrorCode } from '@keystamp/core'
import type { EventEmitter } from 'node:events'
import type { KeyComponent } from '@keystamp/core'
import type { KeyDefinition } from '@keystamp/core'
import type { KeyRange } from '@keystamp/core'
import type { KeyValue } from '@keystamp/core'
import type { KeysForOptions } from '@keystamp/core'
import type { KeystampError } from '@keystamp/core'
import type { Plan } from '@keystamp/core'
import type { PlanDefinition } from '@keystamp/core'
import type { RecordCode } from '@keystamp/core'
import type { Source } from '@keystamp/core'
import type { StampedBytes } from '@keystamp/core'
import type { SystemClock } from '@keystamp/core/internal'
import type { Writable } from 'node:stream'

/** One container of an account: its definition, ranges, endpoints and signatures. */
export interface Account {
  /** `database/container at host`, for messages. */
  readonly name: string
  readonly database: string
  readonly container: string
  /** Link to sign for requests to the container: `dbs/d/colls/c`. */
  readonly resourceLink: string
  /** Definition of the container; read once and then kept. */
  readonly definition: () => Promise<ContainerDefinition>
  /** Reads the definition again: the container may have been created again. */
  readonly refresh: () => Promise<ContainerDefinition>
  /** Ranges of the container, sorted by `min` and without gaps; read once and then kept. */
  readonly ranges: () => Promise<readonly ContainerRange[]>
  /** Reads the ranges again. Concurrent calls share one read; there is at most one read each second. */
  readonly refreshRanges: () => Promise<readonly ContainerRange[]>
  /** Ranges that were read within the last second; reads them again if these are older. */
  readonly recentRanges: () => Promise<readonly ContainerRange[]>
  /** Reads the offer at each call. */
  readonly offer: () => Promise<Offer>
  readonly signer: () => Sign
  /** Forgets signatures and tokens. Must be called after the service has answered 401. */
  readonly renewSignatures: () => void
  /** Endpoint of the region for writes. */
  readonly writeEndpoint: () => Promise<string>
  /** Endpoint of the region for reads. */
  readonly readEndpoint: () => Promise<string>
  /** Whether several regions accept writes; reads the account at each call. */
  readonly hasWriteRegions: () => Promise<boolean>
  /** Makes the next call read the regions of the account again. Must be called after an answer 403/3 or 403/1008. */
  readonly refreshEndpoints: () => void
  readonly agent: AccountOptions['agent']
  readonly close: () => void
}

/** The container, and the credentials: `connectionString`, or `endpoint` with either `key` or `credential`. */
export interface AccountOptions {
  /** Endpoint and key in one string, as the portal shows it: `AccountEndpoint=https://...;AccountKey=...;`. */
  readonly connectionString?: string
  /** Address of the account, such as https://my-account.documents.azure.com/. */
  readonly endpoint?: string
  /**
   * Account key in base64; or a function that returns it, which is called again after Cosmos DB has refused a
   * signature.
   */
  readonly key?: string | (() => string)
  /** Credential of Entra, such as DefaultAzureCredential of @azure/identity. */
  readonly credential?: TokenCredential
  readonly database: string
  readonly container: string
  /** Regions to read from and to write to, nearest first, such as `West Europe`. Default: the order of the account. */
  readonly preferredRegions?: readonly string[]
  /**
   * Agent for https, for example for a proxy or your own certificates. Default: an agent that keeps connections alive.
   */
  readonly agent?: Agent
  /** Timeout of one read of metadata including its retries. Default: 15,000 ms. */
  readonly metadataTimeoutMs?: number
  /**
   * Way to read account, container, ranges and offers. `sdk`: by @azure/cosmos, whose import takes a quarter of a
   * second of processor time. `direct`: one request for each read; the SDK is used only if that request fails with an
   * error that may be temporary. Default: `sdk`.
   */
  readonly metadataBy?: 'sdk' | 'direct'
}

/**
 * Memory for the bodies of large answers, one after the other: each overwrites the last one. New memory for each of many
 * large bodies makes the garbage collector run so often that it costs more than their transport.
 */
export interface AnswerBuffer {
  /** Returns memory for this number of bytes, which may be longer. */
  readonly room: (bytes: number) => Buffer
}

/** Upper bounds of the histogram `fill`: operations of a batch. */
export declare const BATCH_SIZE_BOUNDS: readonly number[]

/** Reported for each batch after its answer has arrived. */
export interface BatchEvent {
  readonly rangeId: string
  readonly operations: number
  readonly bytes: number
  readonly isAtomic: boolean
  readonly latencyMs: number
  readonly chargedRu: number
  /** RU that the writer had estimated and paid. */
  readonly expectedRu: number
  readonly throttledOperations: number
  /**
   * `answered`; or the status of a request of which every operation failed and is retried; or the reason why there is
   * no answer.
   */
  readonly result: string
}

/** Upper bounds of the histogram `charge`, in request units. One more count is for higher charges. */
export declare const CHARGE_BOUNDS_RU: readonly number[]

/** Reads the changes and single documents of one container, as bytes. */
export interface ChangeFeed {
  /** `database/container at host`, for messages. */
  readonly name: string
  readonly definition: ContainerDefinition
  /** Feed ranges that cover the whole container, one for each physical partition; not older than a second. */
  readonly feedRanges: () => Promise<readonly FeedRange[]>
  /**
   * Reads one page of changes. Throttled requests are repeated until `signal` aborts, other failures for `retryForMs`.
   * Throws CONTAINER_RECREATED if the container was deleted and created again.
   */
  readonly readChanges: (request: ChangesRequest) => Promise<ChangesPage | RangeSplit>
  /** Reads one document; undefined if there is none. */
  readonly readDocument: (
    identity: DocumentIdentity,
    options?: ReadDocumentOptions
  ) => Promise<FeedDocument | undefined>
  /**
   * Reads session tokens that are at least as new as every write which Cosmos DB has confirmed before the call, one for
   * each physical partition. Undefined if they cannot be known, for example because several regions accept writes, or
   * because this client may not write.
   */
  readonly newestTokens: (signal?: AbortSignal) => Promise<readonly RangeToken[] | undefined>
  /** Uses only this part of its share from now on: a number above 0 and at most 1. No effect without a share. */
  readonly usePart: (part: number) => void
  readonly stats: () => ChangeFeedStats
  /** Warnings about the share, which may have no effect. */
  readonly warnings: readonly string[]
  /** Ends all reads with READER_CLOSED. */
  readonly close: () => void
}

/** Options for reading the changes of a container. */
export interface ChangeFeedOptions extends AccountOptions, PriorityOptions {
  /**
   * Share of the provisioned throughput that the reads may use: RU/s for all physical partitions together, or a
   * percentage. Default: only throttling limits the reads.
   */
  readonly share?: Share
  /** Timeout of one request. Default: 30,000 ms. */
  readonly requestTimeoutMs?: number
  /** Time for which one request is retried if it fails. Throttling is not a failure. Default: 60,000 ms. */
  readonly retryForMs?: number
  /** Interval at which throughput and container are read again. Default: 60,000 ms. */
  readonly followOfferMs?: number
}

/** Counters of a change feed since it was opened. */
export interface ChangeFeedStats extends Readonly<FeedCounters> {
  /** RU/s that the reads may use; undefined if only throttling limits them. */
  readonly ruPerSecond: number | undefined
  readonly lastFailure: FeedFailure | undefined
  /** `performance.now()` when the oldest request without an answer was sent. */
  readonly unansweredSinceMs: number | undefined
}

/** Position of a change in the order of the changes of its document. */
export interface ChangePosition {
  /**
   * Orders the changes; with `newest.field`, the value of this field does, and only a delete without a record needs this
   * one. A number within 2^53, an integer as text, or a time in ISO 8601.
   */
  readonly value?: number | string
  /** Partition and offset of the record, which order changes with equal values. */
  readonly place?: RecordPlace
}

/** Documents that were written in one window to one range: the latest version of each. */
export interface Changes {
  /** Number of the window, 0 for the earliest. */
  readonly window: number
  readonly rangeId: string
  readonly documents: readonly StoredDocument[]
}

/** A page of changes. In it, changes with the same `lsn` are in no order. */
export interface ChangesPage {
  readonly kind: 'page'
  /** Of the mode `latest`. */
  readonly documents: readonly FeedDocument[]
  /** Of the mode `versions`. */
  readonly versions: readonly DocumentVersion[]
  /** Where the next read resumes: the ETag of the answer. */
  readonly position: string
  /** True if there were no more changes at the time of the answer. */
  readonly isEnd: boolean
  readonly sessionToken: string | undefined
  readonly chargeRu: number
}

export interface ChangesRequest {
  readonly range: FeedRange
  readonly mode: FeedMode
  /** `beginning` (only for `latest`), `now`, or the position of an earlier page of the same mode. */
  readonly from: string
  /** Maximum number of documents, up to 1,000. Default: 300. Changes of one bulk request or batch are on one page, which may then be longer. */
  readonly maxItems?: number
  /** Session token of an earlier answer: this answer is then not older. */
  readonly sessionToken?: string | undefined
  /** Takes the bytes of the page: its documents are valid until the next request with this buffer. */
  readonly buffer?: AnswerBuffer | undefined
  /** Reads the documents of a page of latest versions: the answer then has none. */
  readonly reader?: PageReader | undefined
  readonly signal?: AbortSignal
}

/** Endpoint and key of an account. */
export interface ConnectionString {
  readonly endpoint: string
  /** Undefined if the string has none, as for Entra. */
  readonly key: string | undefined
}

/** The part of a container's definition that writers and readers need. */
export interface ContainerDefinition {
  /** Resource id. A container that is deleted and created again under the same name has another one. */
  readonly rid: string
  readonly partitionKey: Required<KeyDefinition>
  /** Seconds; -1 if only items with a `ttl` expire; undefined if nothing expires. */
  readonly defaultTtl: number | undefined
  /** Minutes that the change feed of all versions and deletes goes back; undefined if the container does not tell. */
  readonly versionsRetentionMinutes?: number
  /**
   * Changes that have the former version of the document in the change feed of all versions and deletes; undefined if
   * the container does not tell.
   */
  readonly previousImages?: PreviousImages
  /** JSON pointer of the value that decides between conflicting writes of several regions; undefined: `_ts` or a procedure. */
  readonly conflictPath?: string | undefined
  /** The indexing policy as JSON; undefined if the container does not tell. */
  readonly indexingPolicy?: object
  /** The paths of each unique key. */
  readonly uniqueKeys: readonly (readonly string[])[]
}

/** Facts about a container from the data plane, without its documents. */
export interface ContainerFacts {
  readonly definition: ContainerDefinition
  /** Properties of the container's JSON other than its id and partition key, such as `indexingPolicy`. */
  readonly settings: Readonly<Record<string, unknown>>
  /** Sorted by `min`. */
  readonly ranges: readonly RangeFacts[]
  /** Null if it is unknown. */
  readonly offer: KnownOffer | null
  /** Whether the account refused the offer because it is serverless. */
  readonly isServerless: boolean
  /** Documents and bytes of the container; null if unknown. */
  readonly documents: number | null
  readonly bytes: number | null
  readonly unseen: readonly Unseen[]
}

/** A physical partition in the container's list. */
export interface ContainerRange extends KeyRange {
  /** Ids of the ranges that were split or merged into this one. */
  readonly parents: readonly string[]
  /** Part of the container's throughput that the range has; undefined if the list does not tell. */
  readonly throughputFraction?: number
}

/** Documents of a container that were drawn at random, and facts about the container. */
export interface ContainerSample {
  readonly definition: ContainerDefinition
  readonly offer: Offer
  readonly partitions: number
  /** Number of documents in the container. */
  readonly documents: number
  /** `uniform`: read in random windows of time; `reservoir`: all were read, and some kept; `whole`: all are here. */
  readonly method: 'whole' | 'reservoir' | 'uniform'
  /** In random order, without the properties that Cosmos DB adds. */
  readonly sample: readonly StoredDocument[]
  readonly chargeRu: number
}

export interface ContainerSampleOptions extends AccountOptions {
  /** Documents to draw. */
  readonly count: number
  /** Mean RU per second that all requests together may take. */
  readonly ruPerSecond: number
  /** Seeded source of numbers from 0 up to, but not including, 1. */
  readonly random: () => number
  readonly signal?: AbortSignal
  /** Called after each request with the documents read and the RU spent so far. */
  readonly onProgress?: (documents: number, chargeRu: number) => void
}

/** Writes that other writers get in the way of again and again. */
export interface Contention {
  readonly operations: number
  readonly sinceMs: number
}

export interface ControlContent {
  readonly id: string
}

export interface ControlDocument {
  readonly content: ControlContent & Readonly<Record<string, unknown>>
  readonly etag: string
}

/**
 * Small documents with which processes agree on something, such as the switch of a sink: read and replaced by id, in a
 * container of their own. They are for control, not for data: each call is one request of the SDK.
 */
export interface ControlDocuments {
  /** `database/container at host`, for messages. */
  readonly name: string
  /** Creates the container, with the partition key `/id`, unless it exists. */
  readonly createContainer: () => Promise<void>
  /**
   * Reads the document; undefined if there is no such document, container or database. Another process may have
   * replaced it a moment before: a replica that is behind still returns the former document.
   */
  readonly read: (id: string) => Promise<ControlDocument | undefined>
  /**
   * Stores the document. Without `etag`, it must not exist; with `etag`, it must not have changed since then. Returns
   * false if this is not so.
   */
  readonly put: (content: ControlContent, etag: string | undefined) => Promise<boolean>
  readonly close: () => void
}

/** Thrown if Cosmos DB does not answer, or if its answer ends the work. */
export declare class CosmosError extends KeystampError {
  readonly retriable: boolean
  readonly statusCode?: number
  readonly subStatus?: number
  readonly retryAfterMs?: number
  readonly activityId?: string
  constructor(code: ErrorCode, message: string, facts?: CosmosErrorFacts)
}

/** The property that is `true` in the marker of a deleted document. */
export declare const DELETED = '_keystampDeleted'

/** Removes a document. */
export interface DeleteOperation extends DocumentName, Conditions {
  readonly kind: 'delete'
}

/** Names one document of a container. */
export interface DocumentIdentity {
  /** One value for each key path; undefined where the document has none. */
  readonly key: readonly KeyComponent[]
  readonly id: string
}

/** Names a document by its key and id, or by a record that contains them. */
export interface DocumentName extends DocumentSource {
  readonly id?: string
  /**
   * One value for each level of the key, or a single value for a key of one level. With the option `missingKeys`,
   * undefined stands for a property that the document does not have.
   */
  readonly key?: KeyValue | readonly KeyComponent[]
}

/** Stores a document. */
export interface DocumentOperation extends DocumentSource, Conditions {
  readonly kind: 'upsert' | 'create' | 'replace'
  /** Seconds until the document expires; -1 for never. */
  readonly ttl?: number
  /**
   * The document before this change, for an upsert without conditions. If its key or id is another one, it is the old
   * twin: it is deleted after the record is stored, unless another client changes it before.
   */
  readonly before?: DocumentName
}

/** Source of the document: exactly one of `record`, `bytes` and `stamped`. */
export interface DocumentSource {
  /** An object, into which the plan writes the key. It is converted to JSON at once. */
  readonly record?: object
  /** JSON bytes. They are not parsed into an object, and must not change before the outcome. */
  readonly bytes?: Uint8Array
  /** JSON bytes that a plan has stamped. */
  readonly stamped?: StampedBytes
  /** Key, headers and metadata of the Kafka record, if the plan reads them. */
  readonly source?: Source
}

/** One change in the feed of all versions and deletes. */
export interface DocumentVersion {
  readonly operation: 'create' | 'replace' | 'delete'
  readonly identity: DocumentIdentity
  readonly lsn: number
  /** Second of the change, since 1970. */
  readonly timestamp: number
  /** Whether a delete was the end of a TTL. */
  readonly isExpiry: boolean
  /** The document after the change; undefined for a delete. */
  readonly current: FeedDocument | undefined
  /** The document before the change, if the container keeps previous images. */
  readonly previous: FeedDocument | undefined
}

/** Options for an explanation. */
export interface ExplainOptions extends KeysForOptions {
  readonly id?: string
}

/** Description of the requests of a read, without sending them. */
export interface Explanation {
  /**
   * `point`: a read by key and id. `partition`: a query of one logical partition. `ranges`: one query for each range
   * with its share of the keys.
   */
  readonly kind: 'point' | 'partition' | 'ranges'
  /** Number of keys under which documents with these parts can be stored. */
  readonly keys: number
  /** Versions of the plan that make these keys: 0 for the newest. */
  readonly versions: readonly number[]
  readonly ranges: readonly {
    readonly id: string
    readonly keys: number
  }[]
  /**
   * Number of requests, without further pages. For a point read, it is an upper bound: one for each version of the
   * plan.
   */
  readonly requests: number
  readonly ru: {
    /** Minimum charge of these requests, without the charge for the documents that they find. */
    readonly least: number
    /**
     * Source of the price of a request: `measured` from pages that this reader has read, or `assumed` from public
     * figures.
     */
    readonly from: 'measured' | 'assumed'
  }
}

/** A document in the bytes of an answer, which may contain other documents, too. */
export interface FeedDocument {
  readonly bytes: Uint8Array
  /** First byte of the document, its opening brace. */
  readonly start: number
  /** Position after the closing brace. */
  readonly end: number
  readonly identity: DocumentIdentity
  readonly etag: string
  /** Second of the last change, since 1970. */
  readonly timestamp: number
  /** Number of the change in its physical partition; undefined for a document that was not read from a feed. */
  readonly lsn: number | undefined
  /** Position of the JSON string of the id in `bytes`, if it is known: a reader of `identity` decodes it. */
  readonly idStart?: number
  readonly idEnd?: number
  /** Position of the value of the key, if it is known; -1 if there is none, or if the key has several levels. */
  readonly keyStart?: number
  readonly keyEnd?: number
}

/** A failure after which a read was repeated. */
export interface FeedFailure {
  /** Sentence with the cause. */
  readonly message: string
  /** `performance.now()` at the failure. */
  readonly atMs: number
}

/**
 * `latest`: the latest version of each document. `versions`: every version and every delete; only for containers that
 * keep them, and not from the beginning.
 */
export type FeedMode = 'latest' | 'versions'

/** A part of a container by the hashes of its keys, from `min` up to, but not including, `max`, in hexadecimal. */
export type FeedRange = Pick<KeyRange, 'min' | 'max'>

/** Tells whether operations may still be sent. Each operation may have a fence, which others may share. */
export interface Fence {
  readonly isLost: boolean
}

/** The heaviest key of a physical partition. */
export interface HeaviestKey {
  /** Effective partition key, in hexadecimal. */
  readonly hash: string
  readonly share: number
}

/** Largest keys of a physical partition, as its statistics name them. */
export interface KeySize {
  /** Values of the partition key, one for each level. */
  readonly values: readonly unknown[]
  readonly bytes: number
}

/** Upper bounds of the histogram `latency`, in milliseconds. One more count is for longer latencies. */
export declare const LATENCY_BOUNDS_MS: readonly number[]

/**
 * A request that may have been applied after one of its partitions had moved, or that may be applied after its retry.
 */
export interface LateRequest {
  readonly rangeId: string
  /** The `x-ms-activity-id` of the request. */
  readonly activityId: string
  /**
   * `written`: the permission to send had already ended when the bytes were sent. `answered`: the bytes were sent in
   * time, but the permission had ended when the answer arrived. `unanswered`: the bytes were sent, and the writer no
   * longer waits for an answer. The network may still deliver the request, and Cosmos DB may apply it later, even after
   * its retry. Reported even if the permission is still valid, and even after the stage `written`. `unknown`: the
   * answer for the request or for some of its operations was 408 or 5xx. Cosmos DB may have applied them, and may apply
   * them later, even after their retry. Reported in the same cases as `unanswered`.
   */
  readonly stage: 'written' | 'answered' | 'unanswered' | 'unknown'
  /** Milliseconds from the last successful check of the permission until this report. */
  readonly lateMs: number
  /**
   * Fences of the operations whose partition has moved; for `unknown`, of the operations with an unknown outcome. All
   * fences of the request for `unanswered`, and if the process itself may not send and it is not known yet which
   * partitions have moved.
   */
  readonly fences: readonly Fence[]
}

/** Physical partitions that were merged during a run, and the one that they became. */
export interface MergedRange {
  readonly from: readonly string[]
  readonly to: string
}

/** Throughput of a new container: RU/s, or the maximum of autoscale; none for a serverless account. */
export type NewThroughput =
  | {
      readonly manual: number
    }
  | {
      readonly autoscaleMax: number
    }

/** Counters of writes of a writer with `newest`. */
export interface NewestCounts {
  /** Changes that were not stored, because a newer one was known or read. */
  readonly older: number
  /** Documents that were read before they were replaced. */
  readonly reads: number
  /** Times that another write came between. */
  readonly conflicts: number
}

/** Stores a document only if it is newer than the stored one. */
export interface NewestOptions {
  /**
   * JSON pointer of the field whose value orders the changes of a document: a number within 2^53, an integer as text, or
   * a time in ISO 8601. Default: the `position` of each operation.
   */
  readonly field?: string
  /**
   * Property of the documents in which the records themselves contain their `topic`, `partition` and `offset`, and
   * `timestamp` if they have one. Then these order the changes, and the writer adds nothing. Default: the writer adds
   * the property `_keystampPosition`.
   */
  readonly placeIn?: string
  /**
   * Choice if it is not known which change is newer, for example if both have the same value: `first` keeps the
   * stored document, `last` replaces it, `reject` gives the outcome ORDER_UNKNOWN. Default: `reject`.
   */
  readonly ties?: Ties
  /**
   * Seconds for which the marker of a deleted document is kept; -1 for ever. While it exists, no older change can store
   * the document again. Default: the writer refuses deletes.
   */
  readonly markerTtl?: number | undefined
  /** Number of written documents whose ETag is kept in memory, so that they need not be read. Default: 100,000. */
  readonly maxKnown?: number
}

/** The provisioned throughput, or the reason why it is not known. */
export type Offer =
  | KnownOffer
  | {
      readonly unknown: string
    }

/** A change of one document. */
export type Operation = DocumentOperation | DeleteOperation | PatchOperation

/** Sort field: a JSON pointer; ascending by default. */
export type OrderBy =
  | string
  | {
      readonly field: string
      readonly isDescending?: boolean
    }

/** Outcome of an operation. */
export type Outcome = Written | Unchanged | Rejected

/** The property of a document that contains its position. */
export declare const POSITION = '_keystampPosition'

/** Reported for each page that was read. */
export interface PageRead {
  readonly rangeId: string
  readonly documents: number
  /** RU of the page, including refused attempts. */
  readonly chargeRu: number
  /** Number of requests for the page: more than one if a request was throttled or lost. */
  readonly requests: number
  readonly isFirst: boolean
}

/** Reads the documents of pages in place of a feed, one page after the other. */
export interface PageReader {
  /** Begins a page, and forgets the page before, which may be the same one in an answer that was of no use. */
  readonly begin: (bytes: Buffer) => void
  /**
   * Reads the document that begins at `start`. Returns the position after it; a negative number if it is not valid.
   * `documentAt` reads it as a feed does.
   */
  readonly read: (
    start: number,
    limit: number,
    documentAt: (start: number, limit: number) => FeedDocument | undefined
  ) => number
}

/** Changes parts of a document. A patch with more than ten steps is sent as one atomic batch. */
export interface PatchOperation extends DocumentName, Conditions {
  readonly kind: 'patch'
  readonly steps: readonly PatchStep[]
  /** A predicate such as `from c where c.version = 3`. If the document does not meet it, the status is 412. */
  readonly condition?: string
}

/** One step of a patch. */
export type PatchStep =
  | {
      readonly op: 'add' | 'set' | 'replace'
      readonly path: string
      readonly value: unknown
    }
  | {
      readonly op: 'incr'
      readonly path: string
      readonly value: number
    }
  | {
      readonly op: 'remove'
      readonly path: string
    }
  | {
      readonly op: 'move'
      readonly from: string
      readonly path: string
    }

/** Changes with previous images. */
export type PreviousImages = 'none' | 'replaces' | 'deletes' | 'all'

/** How Cosmos DB ranks requests against those of other clients if the throughput does not suffice for all. */
export interface PriorityOptions {
  /**
   * `Low`: throttled before requests with `High`, if the account has priorities. Default: `Low` for a change feed,
   * otherwise none, which is `High`.
   */
  readonly priorityLevel?: 'High' | 'Low'
  /** Number of the throughput bucket that the requests use. Default: none. */
  readonly throughputBucket?: 1 | 2 | 3 | 4 | 5
}

/** Counters of one range since the writer was opened. They never decrease. */
export interface RangeCounters {
  readonly id: string
  readonly chargedRu: number
  readonly batches: number
  /** Operations that were sent, including retries. */
  readonly operations: number
  readonly throttledOperations: number
  readonly throttledBatches: number
  readonly superseded: number
  readonly settled: number
  /** Batches by their number of operations: one count for each of `BATCH_SIZE_BOUNDS`. */
  readonly fill: readonly number[]
  /** Requests by latency: one count for each of `LATENCY_BOUNDS_MS`, and one for longer latencies. */
  readonly latency: readonly number[]
  /** Sum of the latencies of all requests, from sending to the answer, in milliseconds. */
  readonly latencySumMs: number
  /**
   * Answers by charge: one count for each of `CHARGE_BOUNDS_RU`, and one for higher charges. The sum of these charges
   * is `chargedRu`.
   */
  readonly charge: readonly number[]
  /** Number of retries by status; `lost` for requests without an answer. */
  readonly retries: Readonly<Record<string, number>>
}

export interface RangeFacts {
  readonly id: string
  readonly min: string
  readonly max: string
  readonly parents: readonly string[]
  /** Part of the provisioned throughput that the range may use. */
  readonly throughputFraction: number
  readonly statistics: RangeStatistics | null
}

/**
 * The range now belongs to several physical partitions. Each of the given ranges continues with the position that the
 * request had.
 */
export interface RangeSplit {
  readonly kind: 'split'
  readonly ranges: readonly FeedRange[]
}

/** Statistics of a physical partition, which are approximate. */
export interface RangeStatistics {
  readonly bytes: number
  readonly documents: number
  readonly sampledKeys: number | null
  /** Largest first. The service may leave out keys below about 1 GB. */
  readonly largestKeys: readonly KeySize[]
}

/** Counters and current state of one range. */
export interface RangeStats extends RangeCounters {
  /** Operations without an outcome. */
  readonly pending: number
  /** Operations in the queue, at most one for each document. */
  readonly queued: number
  /** Requests in flight. */
  readonly inFlight: number
  readonly concurrency: number
  /** Bytes of the pending operations; 0 if bytes are not counted. */
  readonly bytes: number
}

/** Session token of one physical partition. */
export interface RangeToken {
  readonly range: FeedRange
  readonly sessionToken: string
}

/** Options for reading all documents with some parts. */
export interface ReadAllOptions extends KeysForOptions {
  /** Field to sort by, as a JSON pointer. */
  readonly orderBy?: OrderBy
  /** SQL condition on the document `c`, such as `c.km > @min`. Only documents that meet it are returned. */
  readonly where?: string
  /** Values of the parameters in `where`, by name: `{ min: 5 }`. */
  readonly parameters?: WhereParameters
  /** Fields to return, as JSON pointers. Default: whole documents. */
  readonly select?: readonly string[]
  /** Maximum number of documents. Default: all. */
  readonly limit?: number
  readonly signal?: AbortSignal
}

/** Which part of the period was read. */
export interface ReadChanges {
  /** Equally long parts of the period, each read from its beginning for `seconds`. */
  readonly windows: readonly Window[]
  /** Numbers of the windows that were read in all ranges. */
  readonly read: readonly number[]
  /** Seconds of each window that were read. */
  readonly seconds: number
  readonly documents: number
}

export interface ReadChangesOptions {
  /** Seconds since 1970. */
  readonly from: number
  /** Seconds since 1970, not included. */
  readonly to: number
  /** Called for each page. The changes of a window that is not in the result must be ignored. */
  readonly onChanges: (changes: Changes) => void
}

export interface ReadDocumentOptions {
  /** Session token of a page: the answer is then not older than this page. */
  readonly sessionToken?: string | undefined
  readonly signal?: AbortSignal
}

/** Options for reading one record. */
export interface ReadOptions {
  /** The id, if the parts do not contain it. */
  readonly id?: string
  /** Key, headers and metadata of the Kafka record, if the plan reads them. */
  readonly source?: Source
  readonly signal?: AbortSignal
}

/** Finds documents by parts of their records. */
export interface Reader<T = StoredDocument> {
  /**
   * Reads the documents of one record. If key and id are known, this is a point read; if only the key is known, a query
   * of its logical partition. If only the id is known, as with random suffixes, each range is queried once. Throws
   * PARTS_MISSING if the parts determine neither.
   */
  readonly read: (parts: object, options?: ReadOptions) => Promise<readonly T[]>
  /**
   * Reads all documents with these parts and a time in `between`. Each range is queried once for its share of the keys.
   * Throws KEYS_UNBOUNDED if the parts allow more keys than can be listed, and OPTION_INVALID for a part that is not a
   * field of the key or of the id.
   */
  readonly readAll: (parts: object, options?: ReadAllOptions) => AsyncGenerator<T, void, undefined>
  /**
   * Describes the requests of `read`, or of `readAll` if the parts do not determine the key. Does not send these
   * requests.
   */
  readonly explain: (parts: object, options?: ExplainOptions) => Promise<Explanation>
  /** Ends all reads with READER_CLOSED. */
  readonly close: () => void
}

/** Options of a reader. */
export interface ReaderOptions extends AccountOptions {
  /** The plan of the writers. Default: no plan; the parts contain the key itself, at the key paths of the container. */
  readonly plan?: Plan | PlanDefinition
  /** Concurrent requests. Default: 8. */
  readonly parallel?: number
  /** Maximum number of documents in a page. A page also ends at 4 MB. Default: 1,000. */
  readonly pageItems?: number
  /** Timeout of one request. Default: 30,000 ms. */
  readonly requestTimeoutMs?: number
  /** Time for which one request is retried if it is throttled or fails. Default: 60,000 ms. */
  readonly retryForMs?: number
  /** Called after each page. */
  readonly onPage?: (page: PageRead) => void
}

/**
 * Place of a record in Kafka. `topic` is an id that changes when the topic is created again; for `newest.placeIn`, its
 * name.
 */
export interface RecordPlace {
  readonly topic: string
  readonly partition: number
  readonly offset: OrderValue
  /**
   * For `newest.placeIn`: timestamp of the record in milliseconds. Offsets that contradict timestamps are of a topic that was created again,
   * and say nothing.
   */
  readonly timestamp?: number | undefined
}

/** Position of a record in a stream: its line, starting at 1; or its index among the objects, starting at 0. */
export type RecordPosition =
  | {
      readonly line: number
    }
  | {
      readonly index: number
    }

/** Cosmos DB will not accept the operation unless it is changed. */
export interface Rejected {
  readonly kind: 'rejected'
  readonly code: RecordCode | WriteCode
  /** One sentence without values of the record. */
  readonly message: string
  /** HTTP status of Cosmos DB; absent if the record was not sent. */
  readonly status?: number | undefined
  /** Sub-status of Cosmos DB; absent if Cosmos DB sent none. */
  readonly subStatus?: number | undefined
  readonly chargeRu: number
  /** Field of the record, as a JSON pointer; absent if the rejection is not about one field. */
  readonly path?: string | undefined
}

/** Thrown by `upsert` for a record that is not stored. */
export declare class RejectedError extends KeystampError {
  /** Code of the outcome. */
  readonly code: Rejected['code']
  readonly outcome: Rejected
  constructor(outcome: Rejected)
}

export interface SampleOptions {
  /** Whether the documents keep the properties that Cosmos DB adds, such as `_ts`. */
  readonly keepsSystemProperties?: boolean
}

/** Documents of a container. */
export interface SampledDocuments {
  /** `moments`: the first documents from random seconds on, because too many documents were written in one second. */
  readonly method: DrawnDocuments['method'] | 'moments'
  readonly sample: readonly StoredDocument[]
  /** Documents of the container. */
  readonly documents: number
}

/** Share of the provisioned throughput that this writer may use: RU/s for all ranges together, or a percentage. */
export type Share = number | `${number}%`

/** A budget that several processes share. The type must not import `ioredis`, which may not be installed. */
export interface SharedBudget {
  /** Address of Redis, such as redis://localhost:6379. Needs the package `ioredis`, version 5. */
  readonly redis: string
  /** Processes with the same name share the budget. */
  readonly name: string
}

/** A physical partition that was split during a run, and those that it became. */
export interface SplitRange {
  readonly from: string
  readonly to: readonly string[]
}

/** A document as stored in Cosmos DB. */
export type StoredDocument = Readonly<Record<string, unknown>>

/** Names of the JavaScript that is stored in a container. */
export interface StoredScripts {
  readonly storedProcedures: readonly string[]
  readonly triggers: readonly string[]
  readonly functions: readonly string[]
}

/**
 * Why a physical partition is throttled, in the words of `keystamp xray`. `hot-key`: one key takes at least half of its
 * limit. `many-keys-in-one-range`: several keys load it more than the other physical partitions. `container-full`: the
 * load is even, and exceeds the throughput. `other-clients`: this writer uses less than half of its limit.
 */
export type ThrottleReason = 'hot-key' | 'many-keys-in-one-range' | 'container-full' | 'other-clients'

/** A physical partition that throttled the writer, with the reason. All numbers are those of this writer. */
export interface ThrottledRange {
  readonly range: string
  readonly reason: ThrottleReason
  /** RU/s that the writer used of the physical partition. */
  readonly ruPerSecond: number
  /** RU/s that the physical partition can serve; undefined if the provisioned throughput is unknown. */
  readonly limitRuPerSecond: number | undefined
  /** RU/s that the writer used of all physical partitions. */
  readonly containerRuPerSecond: number
  /** Provisioned RU/s of the container; undefined if unknown. */
  readonly provisionedRuPerSecond: number | undefined
  /** The heaviest key of the physical partition: its hash, and its share of the RU; undefined if too few were seen. */
  readonly heaviestKey: HeaviestKey | undefined
  /** A clause that says all this, such as the rest of a log line. */
  readonly explanation: string
}

/** Choice for a change if it is not known whether it is newer than the stored document. */
export type Ties = 'first' | 'last' | 'reject'

/** A credential of Entra, such as those of @azure/identity. */
export type TokenCredential = NonNullable<CosmosClientOptions['aadCredentials']>

/** Number of old twins, by their end. */
export type TwinCounts = Readonly<Record<TwinEnd, number>>

/**
 * End of a document under an old key. `absent`: there was none. `changed`: another client changed it, so it was kept.
 * `newer`: with `newest`, a change that is not older is stored under the old key, and was kept.
 */
export type TwinEnd = 'deleted' | 'absent' | 'changed' | 'newer'

/** Cosmos DB refused the operation with a status that the caller ignores. */
export interface Unchanged {
  readonly kind: 'unchanged'
  readonly status: number
  readonly chargeRu: number
}

/** Something that could not be read, and why. */
export interface Unseen {
  readonly what: 'statistics' | 'offer' | 'quota'
  readonly reason: string
}

/** Options for storing one record. */
export type UpsertOptions = Pick<DocumentOperation, 'ifMatch' | 'source' | 'ttl' | 'before' | 'position'>

/** The change feed of all versions and deletes of a container. */
export interface VersionsFeedFacts {
  readonly isOn: boolean
  /** Minutes that it goes back; null if the definition of the container does not tell. */
  readonly retentionMinutes: number | null
  /** Changes that have the former version of the document; null if the definition of the container does not tell. */
  readonly previousImages: PreviousImages | null
}

/** Reasons why Cosmos DB refused a record, or why it was not sent: sentence, cause and remedy. */
export declare const WRITE_CODES: {
  readonly OPERATION_INVALID: {
    readonly sentence: 'The operation is not complete.'
    readonly cause: 'A record, an id, a key, or the steps of a patch are missing or of the wrong kind.'
    readonly remedy: 'Add the missing part, which the message names.'
  }
  readonly BEFORE_INVALID: {
    readonly sentence: 'The old key is not known: the previous image of the document gives no key and id.'
    readonly cause: 'The plan rejects the image, or the image is not a JSON object. So the document under the old key cannot be found. Nothing was sent.'
    readonly remedy: 'Produce whole images; for Postgres, set REPLICA IDENTITY FULL. A new document has no image, or null.'
  }
  readonly DOCUMENT_TOO_LARGE: {
    readonly sentence: 'The document is larger than Cosmos DB stores.'
    readonly cause: 'A document may have at most 2 MB, and so may a whole atomic batch.'
    readonly remedy: 'Split the record, or keep the large part elsewhere.'
  }
  readonly ALREADY_EXISTS: {
    readonly sentence: 'A document with this key and id exists already.'
    readonly cause: 'The operation is a create, and the document exists.'
    readonly remedy: 'Use upsert, or ignore 409.'
  }
  readonly UNIQUE_KEY_TAKEN: {
    readonly sentence: 'Another document of the logical partition has the same unique key.'
    readonly cause: 'The container has unique keys, and another document has the same values.'
    readonly remedy: 'Change the record, or remove the other document.'
  }
  readonly NOT_FOUND: {
    readonly sentence: 'There is no document with this key and id.'
    readonly cause: 'The operation changes or deletes a document that does not exist.'
    readonly remedy: 'Use upsert, or ignore 404.'
  }
  readonly PRECONDITION_FAILED: {
    readonly sentence: 'The document does not meet the precondition.'
    readonly cause: 'The document was changed after its ETag was read, or the condition of the patch is not met.'
    readonly remedy: 'Read the document again and decide, or ignore 412.'
  }
  readonly ETAG_MISSING: {
    readonly sentence: 'The record has no ETag, so it cannot be known whether its document was modified. Nothing was sent.'
    readonly cause: '`deleteIfNotModified` compares the `_etag` of the record, and the record has no such property with a string as its value; or `ifMatch` is empty.'
    readonly remedy: 'Keep `_etag` in the records, as they were read from Cosmos DB; or use `delete`, which deletes without a check.'
  }
  readonly ORDER_UNKNOWN: {
    readonly sentence: 'It is not known whether the record is newer than the stored document. Nothing was stored.'
    readonly cause: 'Both have the same value of `newerBy`, or one has none, and they do not come from the same partition of the same topic.'
    readonly remedy: 'Order by a field whose values differ; or decide with `ties`: `first` keeps the stored document, `last` replaces it.'
  }
  readonly ORDER_MISSING: {
    readonly sentence: 'The record has no value by which its age can be known. Nothing was sent.'
    readonly cause: 'The field of `newerBy` is missing, or is neither a number within 2^53, nor an integer as text, nor a time in ISO 8601.'
    readonly remedy: 'Produce the field in each record, also in records that delete; or order by the timestamp or the offset.'
  }
  readonly PARTITION_FULL: {
    readonly sentence: 'The logical partition is full.'
    readonly cause: 'All documents with the same key may have at most 20 GB together.'
    readonly remedy: 'Choose a key with more values, or give it a suffix.'
  }
  readonly BATCH_FAILED: {
    readonly sentence: 'Another operation of the same atomic batch failed, so none was applied.'
    readonly cause: 'An atomic batch is applied as a whole or not at all.'
    readonly remedy: 'See the operation of the batch that has another code.'
  }
  readonly OUTCOME_UNKNOWN: {
    readonly sentence: 'The answer was lost, and this operation cannot be repeated safely.'
    readonly cause: 'The operation may have been applied. If it were applied twice, it would change the document again.'
    readonly remedy: 'Read the document and decide. Such operations are safe to repeat with an ETag (`ifMatch`).'
  }
  readonly COSMOS_REJECTED: {
    readonly sentence: 'Cosmos DB refuses the document.'
    readonly cause: 'The document or the operation violates a rule of Cosmos DB.'
    readonly remedy: 'See status and sub-status of the outcome.'
  }
}

/** Seconds since 1970, from `from` up to, but not including, `to`. */
export interface Window {
  readonly from: number
  readonly to: number
}

/** Options of a writable stream. */
export interface WritableOptions {
  /** Strategy for all records. Default: `overwrite`. */
  readonly strategy?: WriteStrategy
  /** Returns the operation for each record; instead of `strategy`. */
  readonly operation?: (record: DocumentSource) => Operation
  /** Called for each rejected record. Default: the first rejected record ends the stream with an error. */
  readonly onRejected?: (rejected: Rejected, record: DocumentSource, position: RecordPosition) => void
  /** Called for each outcome. */
  readonly onOutcome?: (outcome: Outcome, record: DocumentSource, position: RecordPosition) => void
}

/** Reason why a write was rejected. */
export type WriteCode = keyof typeof WRITE_CODES

/** Strategy for the records of a stream. The names are those of other sinks. */
export type WriteStrategy = (typeof STRATEGIES)[number]

/** Writes into one container. Create it once, and use it for all writes. */
export interface Writer {
  /**
   * Resolves with the outcome of the operation. Operations on one document are applied in the order of the calls. A
   * rejected record is an outcome, too, and is not stored: check `outcome.kind`, or use `upsert`. Throws if the writer
   * stops (no permission, no container, no answer for `retryForMs`, or closed). Throws OPERATION_INVALID for an invalid
   * operation, such as a bare record.
   */
  readonly write: (operation: Operation) => Promise<Outcome>
  /**
   * Stores one record, an object or JSON bytes. Throws a RejectedError with the code of the outcome if the record is
   * rejected.
   */
  readonly upsert: (record: object, options?: UpsertOptions) => Promise<Written>
  /**
   * Like `write`, but without a promise, for very many writes. Calls `onOutcome` exactly once, with the outcome of the
   * operation or with the error that stopped the writer; at once if the operation cannot be sent. Throws only if
   * `onOutcome` is not a function. If the fence is raised before the operation is sent, the operation is never sent,
   * and the error has the code WRITE_FENCED.
   */
  readonly submit: (operation: Operation, onOutcome: (outcome: Outcome | Error) => void, fence?: Fence) => void
  /**
   * Applies up to 100 operations on one key as a whole or not at all. Resolves with one outcome for each operation.
   * Throws OPERATION_INVALID if an operation is invalid.
   */
  readonly writeAtomic: (operations: readonly Operation[], fence?: Fence) => Promise<readonly Outcome[]>
  /**
   * Uses only this part of its share from now on: a number above 0 and at most 1. For a process that has a known part
   * of the work.
   */
  readonly usePart: (part: number) => void
  /**
   * Returns false if the byte budget is used up. A caller that does not wait for `room` then needs unlimited memory.
   */
  readonly hasRoom: () => boolean
  /** Resolves when there is room for another operation like the last one. */
  readonly room: () => Promise<void>
  /** Resolves when all operations so far have their outcome. */
  readonly flush: () => Promise<void>
  /**
   * Accepts no more operations, waits for the open ones, and fails those that have no outcome at the deadline. Default:
   * 30,000 ms.
   */
  readonly close: (deadlineMs?: number) => Promise<void>
  readonly stats: () => WriterStats
  /** Creates a stream that writes objects or lines of JSON. */
  readonly writable: (options?: WritableOptions) => Writable
  readonly events: EventEmitter<WriterEvents>
  /**
   * Warnings about the plan, the container and the budget, which can be used, but may behave differently than expected.
   */
  readonly warnings: readonly string[]
}

/**
 * `batchAnswered`: for each request. `lateRequest`: for each request that may have been applied after its permission to
 * send had ended; and for each request without an answer, or with the answer 408 or 5xx, which may be applied after its
 * retry. `throttled`: for each range that is throttled, with the reason, at most once a second. `stopped`: once, when an error has stopped the writer; not when it is closed.
 */
export interface WriterEvents {
  readonly batchAnswered: [BatchEvent]
  readonly lateRequest: [LateRequest]
  readonly throttled: [ThrottledRange]
  readonly stopped: [Error]
}

/** Options of a writer. */
export interface WriterOptions extends AccountOptions, PriorityOptions {
  /**
   * Makes key and id of each record. Default: records already contain them, the key at the key paths of the container.
   */
  readonly plan?: Plan | PlanDefinition
  /**
   * Share of the provisioned throughput that this writer may use: RU/s for all ranges together, or a percentage.
   * Default: `100%`.
   */
  readonly share?: Share
  /** Redis through which other processes share the budget. Default: only this process uses it. */
  readonly sharedThrough?: SharedBudget
  /** Called when Redis cannot be reached for a while. */
  readonly onSharedBudgetError?: (error: Error) => void
  /**
   * Called before each request. While it returns false, nothing is sent, and it is called again soon. Default: always
   * true.
   */
  readonly maySend?: () => boolean
  /**
   * Called if Cosmos DB refuses the credentials, or if there is no token. If it returns true, the writer waits, signs
   * again and sends again; if it returns false, the writer stops. Default: the writer signs again once, and then stops.
   */
  readonly onUnauthorized?: (error: CosmosError) => boolean
  /** Called when refused credentials are accepted again. */
  readonly onAuthorized?: () => void
  /**
   * Maximum bytes of pending records, with an additional kilobyte for each record. Infinity: bytes are not counted, and
   * `hasRoom` and `room` never wait for bytes; for callers with their own limit. Default: 16 MiB.
   */
  readonly maxBytes?: number
  /**
   * Accepts undefined as a value of a key: the operation is on a document that does not have the property. Default:
   * false, because an undefined value is usually a mistake.
   */
  readonly missingKeys?: boolean
  /**
   * Stores a document only if it is newer than the stored one, also if writes are late, repeated or reordered. The writer
   * then accepts the operations upsert and delete. Default: the last write wins.
   */
  readonly newest?: NewestOptions
  /** Time for which an operation is retried if Cosmos DB fails. Throttling is not a failure. Default: 120,000 ms. */
  readonly retryForMs?: number
  /** Timeout of one request. Default: 30,000 ms. */
  readonly requestTimeoutMs?: number
  /**
   * Interval at which throughput and container are read again, to detect changes while the writer runs. Default: 60,000
   * ms.
   */
  readonly followOfferMs?: number
}

/** Counters and current state of a writer. */
export interface WriterStats {
  readonly written: number
  readonly unchanged: number
  readonly rejected: number
  /** RU/s that the writer may spend on all ranges together; undefined if only throttling limits it. */
  readonly budgetRuPerSecond: number | undefined
  /** Reason why no budget is known. */
  readonly budgetUnknown: string | undefined
  /** Bytes of pending operations; 0 if `maxBytes` is Infinity. */
  readonly pendingBytes: number
  readonly maxPendingBytes: number
  /** Number of ranges whose share of the byte budget is used up. Only such a range slows the other ranges down. */
  readonly busyRanges: number
  readonly chargedRu: number
  readonly batches: number
  /** Operations that were sent, including retries. */
  readonly operations: number
  readonly throttledOperations: number
  readonly superseded: number
  /** Number of documents under old keys (`before`), by their end. */
  readonly twins: TwinCounts
  /** Counters of a writer with `newest`. */
  readonly newest?: NewestCounts | undefined
  /** Writes of a writer with `newest` that other writers came before several times; undefined if there are none. */
  readonly contention?: Contention | undefined
  /** Number of retries by status; `lost` for requests without an answer. */
  readonly retries: Readonly<Record<string, number>>
  /** The ranges that were throttled in the last ten seconds, with the reason. */
  readonly throttledRanges: readonly ThrottledRange[]
  /** The current ranges. The totals also include ranges that were split or merged. */
  readonly ranges: readonly RangeStats[]
  /** Counters of the ranges that were split or merged. */
  readonly retiredRanges: readonly RangeCounters[]
}

/** The document, or a later write of the same document, is stored. */
export interface Written {
  readonly kind: 'written'
  readonly status: number
  readonly chargeRu: number
  /** Absent if Cosmos DB sent none, for example for a delete. */
  readonly etag?: string | undefined
  /** True if a later upsert of the same document was sent instead. */
  readonly isSuperseded: boolean
  /** End of the document under the old key; absent if the operation has no `before`, or if it has the same key and id. */
  readonly twin?: TwinEnd
}

/** Reads what the data plane tells about a container, and writes nothing. Its requests are sent one after the other. */
export interface Xray {
  readonly facts: () => Promise<ContainerFacts>
  /** Reads the documents that were written in a period, or an even part of them if there are too many. */
  readonly changes: (options: ReadChangesOptions) => Promise<ReadChanges>
  /** Draws documents at random, by default without the properties that Cosmos DB adds. */
  readonly sample: (count: number, options?: SampleOptions) => Promise<SampledDocuments>
  /** Names of stored procedures, triggers and functions, or why they are unknown. */
  readonly scripts: () => Promise<
    | StoredScripts
    | {
        readonly unknown: string
      }
  >
  /** Whether the container has the change feed of all versions and deletes, or why that is unknown. */
  readonly versionsFeed: () => Promise<
    | VersionsFeedFacts
    | {
        readonly unknown: string
      }
  >
  /** Physical partitions that were split after `facts` had read them. Changes of the children count for the parent. */
  readonly splits: () => readonly SplitRange[]
  /** Physical partitions that were merged after `facts` had read them. Their changes count as those before the merge. */
  readonly merges: () => readonly MergedRange[]
  /** RU of all requests so far. */
  readonly chargeRu: () => number
  readonly requests: () => number
  readonly close: () => void
}

export interface XrayOptions extends AccountOptions {
  /** RU/s that all requests together may take, at least 20. */
  readonly maxRuPerSecond: number
  /** Seeded source of numbers from 0 up to, but not including, 1. */
  readonly random: () => number
  readonly signal?: AbortSignal
  /** Called before a request is repeated, with the milliseconds since its first attempt. */
  readonly onRetry?: (error: CosmosError, waitedMs: number) => void
}

/** Throws CONTAINER_MISMATCH if the plan writes another key than the container's partition key. */
export declare function checkContainer({ partitionKey }: ContainerDefinition, plan: Plan): void

/**
 * Throws OPTION_INVALID if a container cannot keep the order of changes. `field`: JSON pointer, as in `NewestOptions`.
 * `hasMarkers`: false for a writer that refuses deletes.
 */
export declare function checkOrderable(
  { defaultTtl, uniqueKeys, conflictPath }: ContainerDefinition,
  field: string | undefined,
  hasWriteRegions: boolean,
  hasMarkers?: boolean
): void

/**
 * Whether an answer with the first token has all changes that the second one stands for. False for tokens of different
 * physical partitions, which cannot be compared.
 */
export declare function coversToken(answered: string, asked: string): boolean

/**
 * Creates a container in a database that exists. `definition`: the JSON of Cosmos DB, with `partitionKey`. Resolves with
 * false if there is a container with this name. Needs an account key: roles of the data plane cannot create containers.
 */
export declare function createContainer(
  given: AccountOptions,
  definition: Readonly<Record<string, unknown>>,
  throughput?: NewThroughput
): Promise<boolean>

/** Creates a reader of one container. Sends nothing before the first read. */
export declare function createReader<T = StoredDocument>(options: ReaderOptions): Reader<T>

/** Opens a container for writing; resolves when the container exists and matches the plan. */
export declare function createWriter(options: WriterOptions, dependencies?: WriterDependencies): Promise<Writer>

/** Whether a string is probably a connection string. */
export declare function looksLikeConnectionString(text: string): boolean

/** Opens a container. Sends nothing before the first call of a method. Throws OPTION_INVALID for invalid options. */
export declare function openAccount(given: AccountOptions, { now, sleep }?: AccountDependencies): Account

/** Opens the change feed of a container; resolves when the container was found. */
export declare function openChangeFeed(options: ChangeFeedOptions): Promise<ChangeFeed>

/** Opens the documents of a container. Sends nothing before the first call. Throws OPTION_INVALID. */
export declare function openControlDocuments(given: AccountOptions): ControlDocuments

/** Opens a container to look at. Sends nothing before the first call of a method. */
export declare function openXray(given: XrayOptions): Xray

/**
 * Returns the operation that a strategy makes of a record. The two strategies with `IfNotModified` use the record's
 * `_etag`.
 */
export declare function operationFor(strategy: WriteStrategy, document: DocumentSource): Operation

/**
 * Reads a connection string as the portal shows it: `AccountEndpoint=https://...;AccountKey=...;`. The order, spaces,
 * quotes around the whole string and a semicolon at the end do not matter. Throws OPTION_INVALID, with messages that
 * never contain the key.
 */
export declare function parseConnectionString(text: string): ConnectionString

/** The JSON pointer for a container's key path. */
export declare function pointerOfPath(path: string): string

/**
 * Reads a random part of a container, and writes nothing. Each physical partition is divided into windows of `_ts`, and
 * all documents of randomly chosen windows are read, so that each document has the same probability. Reads all
 * documents instead if they are few, or if most were written at the same time. Begins again after a split or merge.
 */
export declare function sampleContainer(given: ContainerSampleOptions): Promise<ContainerSample>

// Not exported; the declarations above refer to it.

/** Dependencies of an account. */
interface AccountDependencies {
  /** Milliseconds since 1970. */
  readonly now: () => number
  readonly sleep: (ms: number) => Promise<void>
}

/** Answer for a request. */
type Answer =
  | {
      readonly kind: 'answered'
      readonly operations: readonly OperationAnswer[]
      /** Only if the transport reads session tokens. */
      readonly sessionToken?: string | undefined
    }
  | {
      readonly kind: 'refused'
      readonly status: number
      readonly subStatus: number
      readonly retryAfterMs: number | undefined
      readonly chargeRu: number
      readonly activityId: string | undefined
    }
  | {
      readonly kind: 'withheld'
    }
  | {
      readonly kind: 'unanswered'
      readonly reason: string
      readonly isSent: boolean
      /** Reason why there is no token. */
      readonly unauthorized?: CosmosError | undefined
    }

interface Conditions {
  /** The document must have this ETag. An empty string is rejected with ETAG_MISSING. */
  readonly ifMatch?: string
  /** Statuses for which the outcome is `unchanged` instead of `rejected`. Default: none. */
  readonly ignore?: readonly (404 | 409 | 412)[]
  /** Position of the change, for a writer with `newest`. */
  readonly position?: ChangePosition
}

/**
 * Detects that the container was deleted and created again under the same name. The new container is empty: if a
 * writer continued, the new container would lack all documents from before; a reader would miss them.
 */
interface ContainerGuard {
  /** Reads the container. Throws CONTAINER_RECREATED, CONTAINER_MISSING, or the failure of the read. */
  readonly check: () => Promise<void>
  /**
   * Called with the resource id of an answer. Returns true if it is the id of the container, and false if it is another
   * id or if reading the container failed. Returns a promise only if it has to read the container.
   */
  readonly confirm: (rid: string) => boolean | Promise<boolean>
  /**
   * Reads the container, and calls `onStop` if it is another container. Returns false in this case, and if the read
   * failed.
   */
  readonly stopIfRecreated: () => Promise<boolean>
  /** Starts to read the container in intervals, because a writer without requests gets no answers. */
  readonly follow: () => void
  readonly stop: () => void
}

/** Facts about a failure, in addition to its message. */
interface CosmosErrorFacts {
  /** Whether the same call can succeed later. */
  readonly retriable?: boolean
  readonly statusCode?: number | undefined
  readonly subStatus?: number | undefined
  readonly retryAfterMs?: number | undefined
  /** Id of the request, which Azure support needs. */
  readonly activityId?: string | undefined
  readonly cause?: unknown
}

/** Documents that were drawn, in random order. */
interface DrawnDocuments {
  /** `uniform`: read in random windows of time; `reservoir`: all were read, and some kept; `whole`: all are here. */
  readonly method: 'whole' | 'reservoir' | 'uniform'
  readonly sample: readonly StoredDocument[]
}

/** Counters of the reads of a container, which only grow. */
interface FeedCounters {
  /** Requests, including repeated ones. */
  requests: number
  chargeRu: number
  /** Answers with the status 429. */
  throttled: number
  /** Requests without a readable answer, and answers with another temporary status. */
  failed: number
  /** Milliseconds for which requests have waited for their share of the throughput, all together. */
  pacedMs: number
}

interface KnownOffer {
  /** RU per second; for autoscale, the maximum. */
  readonly ruPerSecond: number
  readonly autoscaleMax?: number
  /** The offer of a database is shared by its containers. */
  readonly of: 'container' | 'database'
}

/** The options with their defaults. */
interface NewestSettings {
  readonly rule: OrderRule
  readonly markerTtl: number | undefined
  readonly maxKnown: number
}

/** Answer for one operation. */
interface OperationAnswer {
  readonly statusCode: number
  readonly subStatusCode?: number
  readonly requestCharge?: number
  readonly eTag?: string
  readonly retryAfterMilliseconds?: number
  readonly message?: string
  readonly resourceBody?: unknown
}

/** The rule by which changes of a document are ordered. */
interface OrderRule extends PositionSource {
  readonly ties: Ties
}

/** A value that orders the changes of a document: a number, or canonical text of a large integer or of a time. */
type OrderValue = number | string

/** Where documents contain their positions. */
interface PositionSource {
  /** Names on the way to the field whose value orders the changes; undefined: the positions of the changes. */
  readonly field: readonly string[] | undefined
  /** Property of the documents that contains the places of their records; undefined: the one that the writer adds. */
  readonly placeIn?: string | undefined
}

/** One request for operations on one range, or for an atomic batch on one key. */
interface Request {
  readonly rangeId: string
  /** Key of an atomic batch, as the text of a JSON array; undefined for a bulk request. */
  readonly atomicKey: string | undefined
  /** JSON array of operations. A transport must not keep it after the answer. */
  readonly body: Uint8Array
  readonly operations: number
  /** Session token that a replica must have reached to answer; undefined: any replica may answer. */
  readonly sessionToken?: string
  /** Called directly before the bytes are written; false withholds the request. */
  readonly maySend: () => boolean
  /** Called directly after the last byte was written, and again when the operating system has accepted it. */
  readonly wasWritten?: (activityId: string) => void
  /**
   * Called with an answer after which the request may have been applied; also with `unanswered` when the transport
   * stops waiting, because the network may still deliver the request.
   */
  readonly wasAnswered?: (activityId: string, answer: Answer) => void
}

declare const STRATEGIES: readonly ['overwrite', 'append', 'delete', 'deleteIfNotModified', 'overwriteIfNotModified']

/** Returns the headers that authorize a request; a promise only if a token has to be fetched first. */
type Sign = (
  verb: string,
  resourceType: string,
  resourceLink: string
) => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>

/** Sends requests. `send` resolves with an answer even for failures; it rejects only if there is no token. */
interface Transport {
  readonly send: (request: Request) => Promise<Answer>
  /** Ends all requests. */
  readonly close: () => void
}

/** Values of the parameters of a condition, by their names: `{ min: 5 }` for `c.km > @min`. */
type WhereParameters = Readonly<Record<string, unknown>>

/** Dependencies of a writer. */
interface WriterDependencies {
  readonly clock: SystemClock
  /** Returns random numbers from 0 up to, but not including, 1. */
  readonly random: () => number
  readonly openAccount: (options: WriterOptions) => Account
  readonly createTransport: (
    account: Account,
    settings: WriterSettings,
    confirmContainer: ContainerGuard['confirm']
  ) => Transport
}

/** The options with their defaults. */
type WriterSettings = Omit<WriterOptions, 'newest'> & {
  readonly newest?: NewestSettings
} & Required<Pick<WriterOptions, 'share' | 'maxBytes' | 'retryForMs' | 'requestTimeoutMs' | 'followOfferMs'>>

export {}
