// API report of @keystamp/cosmos, made by npm run docs. A change here is a change of the public API.

import type { Agent } from 'node:https'
import type { CosmosClientOptions } from '@azure/cosmos'
import type { ErrorCode } from '@keystamp/core'
import type { EventEmitter } from 'node:events'
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
  readonly database: string
  readonly container: string
  /** Link that is signed for requests to the container: `dbs/d/colls/c`. */
  readonly resourceLink: string
  /** Kept after the first read. */
  readonly definition: () => Promise<ContainerDefinition>
  /** Reads the definition again: the container may have been created again. */
  readonly refresh: () => Promise<ContainerDefinition>
  /** Sorted by `min`, without gaps; kept after the first read. */
  readonly ranges: () => Promise<readonly ContainerRange[]>
  /** Reads the ranges again: one read in flight, shared, at most one a second. */
  readonly refreshRanges: () => Promise<readonly ContainerRange[]>
  /** Read for each call. */
  readonly offer: () => Promise<Offer>
  readonly signer: () => Sign
  /** Forgets signatures and tokens. Called when the service answered 401. */
  readonly renewSignatures: () => void
  /** Endpoint of the region for writes. */
  readonly writeEndpoint: () => Promise<string>
  /** Endpoint of the region for reads. */
  readonly readEndpoint: () => Promise<string>
  /** Reads the regions of the account again. Called after an answer 403/3 or 403/1008. */
  readonly refreshEndpoints: () => void
  readonly agent: AccountOptions['agent']
  readonly close: () => void
}

/**
 * The container, and the identity that is used: `connectionString`, or `endpoint` with either `key` or `credential`.
 */
export interface AccountOptions {
  /** Endpoint and key in one string, as the portal shows it: `AccountEndpoint=https://...;AccountKey=...;`. */
  readonly connectionString?: string
  /** Address of the account, such as https://my-account.documents.azure.com/. */
  readonly endpoint?: string
  /** An account key, base64; or a function that returns it, called again when Cosmos DB has refused a signature. */
  readonly key?: string | (() => string)
  /** Entra: any credential, such as DefaultAzureCredential of @azure/identity. */
  readonly credential?: TokenCredential
  readonly database: string
  readonly container: string
  /** Regions to read from and to write to, nearest first, such as `West Europe`. Default: the order of the account. */
  readonly preferredRegions?: readonly string[]
  /** For https through a proxy or with certificates of your own. Default: connections that are kept alive. */
  readonly agent?: Agent
  /** Timeout of one read of metadata, its retries included. Default: 15,000 ms. */
  readonly metadataTimeoutMs?: number
  /**
   * How account, container, ranges and offers are read: `sdk` by @azure/cosmos, whose loading takes a quarter of a
   * second of processor time; `direct` with one request each, and by the SDK only where that fails in a way that may
   * pass. Default: `sdk`.
   */
  readonly metadataBy?: 'sdk' | 'direct'
}

/** Upper bounds of the histogram `fill`: operations of a batch. */
export declare const BATCH_SIZE_BOUNDS: readonly number[]

/** Reported for each batch when its answer arrived. */
export interface BatchEvent {
  readonly rangeId: string
  readonly operations: number
  readonly bytes: number
  readonly isAtomic: boolean
  readonly latencyMs: number
  readonly chargedRu: number
  /** RU that the writer expected. */
  readonly expectedRu: number
  readonly throttledOperations: number
  /**
   * `answered`; the status of a request of which every operation failed and is tried again; or why there is no answer.
   */
  readonly result: string
}

/** Upper bounds of the histogram `charge`, in request units; one more count holds what cost more. */
export declare const CHARGE_BOUNDS_RU: readonly number[]

/** Endpoint and key of an account. */
export interface ConnectionString {
  readonly endpoint: string
  /** Undefined where the string has none, as for Entra. */
  readonly key: string | undefined
}

/** Definition of a container, as far as writing and reading depend on it. */
export interface ContainerDefinition {
  /** Resource id: changes when a container is deleted and created again under the same name. */
  readonly rid: string
  readonly partitionKey: Required<KeyDefinition>
  /** Seconds; -1 where only items with a `ttl` expire; undefined where nothing expires. */
  readonly defaultTtl: number | undefined
  /** The paths of each unique key. */
  readonly uniqueKeys: readonly (readonly string[])[]
}

/** A physical partition, as the container lists it. */
export interface ContainerRange extends KeyRange {
  /** Ids of the ranges that were split or merged into this one. */
  readonly parents: readonly string[]
}

/** Thrown when Cosmos DB does not answer, or when its answer ends the work. */
export declare class CosmosError extends KeystampError {
  readonly retriable: boolean
  readonly statusCode?: number
  readonly subStatus?: number
  readonly retryAfterMs?: number
  readonly activityId?: string
  constructor(code: ErrorCode, message: string, facts?: CosmosErrorFacts)
}

/** Removes a document. */
export interface DeleteOperation extends DocumentName, Conditions {
  readonly kind: 'delete'
}

/** Names a document by its key and id, or by a record that they are taken from. */
export interface DocumentName extends DocumentSource {
  readonly id?: string
  /** One value for each level of the key; a single value for a key of one level. */
  readonly key?: KeyValue | readonly KeyValue[]
}

/** Stores a document. */
export interface DocumentOperation extends DocumentSource, Conditions {
  readonly kind: 'upsert' | 'create' | 'replace'
  /** Seconds until the document expires; -1 for never. */
  readonly ttl?: number
}

/** Source of the document: exactly one of the three. */
export interface DocumentSource {
  /** An object; the plan writes the key into it. It is serialized at once. */
  readonly record?: object
  /** JSON bytes, which are never parsed and must not change before the outcome. */
  readonly bytes?: Uint8Array
  /** JSON bytes that a plan has stamped. */
  readonly stamped?: StampedBytes
  /** Kafka's key, headers and metadata of the record, where the plan reads them. */
  readonly source?: Source
}

/** Facts for an explanation. */
export interface ExplainOptions extends KeysForOptions {
  readonly id?: string
}

/** The requests of a read, before they are sent. */
export interface Explanation {
  /** A point read by key and id, one logical partition, or each range for its share of the keys. */
  readonly kind: 'point' | 'partition' | 'ranges'
  /** Number of keys that documents with these parts can have. */
  readonly keys: number
  /** Versions of the plan for those keys: 0 for the newest. */
  readonly versions: readonly number[]
  readonly ranges: readonly {
    readonly id: string
    readonly keys: number
  }[]
  /** Requests; each further page is one more. Upper bound for a point read: one for each version of the plan. */
  readonly requests: number
  readonly ru: {
    /** Minimum cost of those requests; the documents that are found are added. */
    readonly least: number
    /** Source of the price of a request: pages that this reader has read, or public figures. */
    readonly from: 'measured' | 'assumed'
  }
}

/** Whether the operations that it belongs to may still be sent. */
export interface Fence {
  readonly isLost: boolean
}

/** Upper bounds of the histogram `latency`, in milliseconds; one more count holds what took longer. */
export declare const LATENCY_BOUNDS_MS: readonly number[]

/** A request that may have been applied after a partition of it had moved, or that may be applied after its retry. */
export interface LateRequest {
  readonly rangeId: string
  /** The `x-ms-activity-id` of the request. */
  readonly activityId: string
  /**
   * `written`: the permission to send had ended when the bytes had left.
   * `answered`: the bytes had left in time; the permission had ended when the answer arrived.
   * `unanswered`: the bytes had left, and no answer is awaited any more. The network may still deliver the request, and
   * Cosmos DB may apply it later, also after its retry. Reported whether or not the permission has ended, also after
   * the stage `written`. `unknown`: the answer for the request, or for operations in it, was 408 or 5xx. Cosmos DB may
   * have applied them, and may apply them later, also after their retry. Reported as `unanswered` is.
   */
  readonly stage: 'written' | 'answered' | 'unanswered' | 'unknown'
  /** Milliseconds from the last check that gave the permission until this was noticed. */
  readonly lateMs: number
  /**
   * Fences of the operations whose partition has moved; for `unknown`, of the operations with an unknown outcome. All
   * fences for `unanswered`, and where the process itself may not send and it is not known yet which partitions have
   * moved.
   */
  readonly fences: readonly Fence[]
}

/** The provisioned throughput, or why it is not known. */
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

/** Reported for each page that was read. */
export interface PageRead {
  readonly rangeId: string
  readonly documents: number
  /** RU of the page, refused attempts included. */
  readonly chargeRu: number
  /** Number of requests: more than one where it was throttled or lost. */
  readonly requests: number
  readonly isFirst: boolean
}

/** Changes parts of a document. More than ten steps are sent as one atomic batch. */
export interface PatchOperation extends DocumentName, Conditions {
  readonly kind: 'patch'
  readonly steps: readonly PatchStep[]
  /** A predicate such as `from c where c.version = 3`; 412 where the document does not meet it. */
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

/** Counters of one range since the writer was opened; they never fall. */
export interface RangeCounters {
  readonly id: string
  readonly chargedRu: number
  readonly batches: number
  /** Operations that were sent, retries included. */
  readonly operations: number
  readonly throttledOperations: number
  readonly throttledBatches: number
  readonly superseded: number
  readonly settled: number
  /** Batches by their number of operations: one count for each of `BATCH_SIZE_BOUNDS`. */
  readonly fill: readonly number[]
  /** Requests by the time of their answer: one count for each of `LATENCY_BOUNDS_MS`, and one for what took longer. */
  readonly latency: readonly number[]
  /** Time of all requests, from sending to the answer, in milliseconds. */
  readonly latencySumMs: number
  /**
   * Answers by their charge: one count for each of `CHARGE_BOUNDS_RU`, and one for what cost more. Their sum is
   * `chargedRu`.
   */
  readonly charge: readonly number[]
  /** Retries by status; `lost` for requests without an answer. */
  readonly retries: Readonly<Record<string, number>>
}

/** Counters and current state of one range. */
export interface RangeStats extends RangeCounters {
  /** Operations without an outcome. */
  readonly pending: number
  /** Operations in the queue, one for each document. */
  readonly queued: number
  /** Requests in flight, and their limit. */
  readonly inFlight: number
  readonly concurrency: number
  /** Bytes of the pending operations; 0 where bytes are not counted. */
  readonly bytes: number
}

/** Options for reading all documents with some parts. */
export interface ReadAllOptions extends KeysForOptions {
  /** The field to sort by, as a JSON pointer. */
  readonly orderBy?: OrderBy
  /** An SQL condition on the document `c`, such as `c.km > @min`: only documents that meet it are returned. */
  readonly where?: string
  /** The values of the parameters in `where`, by name: `{ min: 5 }`. */
  readonly parameters?: WhereParameters
  /** The fields that are returned, as JSON pointers. Default: whole documents. */
  readonly select?: readonly string[]
  /** Maximum number of documents. Default: all. */
  readonly limit?: number
  readonly signal?: AbortSignal
}

/** Facts about one record, in addition to its parts. */
export interface ReadOptions {
  /** The id, where the parts do not contain it. */
  readonly id?: string
  /** Kafka's key, headers and metadata of the record, where the plan reads them. */
  readonly source?: Source
  readonly signal?: AbortSignal
}

/** Finds documents by parts of their records. */
export interface Reader<T = StoredDocument> {
  /**
   * The documents of one record: a point read when the id is known, otherwise a query inside its logical partition.
   * With the id known but not the key, as with random suffixes, each range is queried once. Throws PARTS_MISSING when
   * the parts determine neither.
   */
  readonly read: (parts: object, options?: ReadOptions) => Promise<readonly T[]>
  /**
   * All documents with these parts, and a time in `between`: each range is queried once for its share of the keys.
   * Throws KEYS_UNBOUNDED when the parts leave more keys open than can be listed, and OPTION_INVALID for a part that is
   * no field of the key or the id.
   */
  readonly readAll: (parts: object, options?: ReadAllOptions) => AsyncGenerator<T, void, undefined>
  /** The requests of `read`, or of `readAll` where the parts leave the key open, without sending them. */
  readonly explain: (parts: object, options?: ExplainOptions) => Promise<Explanation>
  /** Ends all reads, with READER_CLOSED. */
  readonly close: () => void
}

/** Options of a reader. */
export interface ReaderOptions extends AccountOptions {
  /** The plan of the writers. Default: the parts contain the container's key as is. */
  readonly plan?: Plan | PlanDefinition
  /** Concurrent requests. Default: 8. */
  readonly parallel?: number
  /** Maximum number of documents of a page; a page also ends at 4 MB. Default: 1,000. */
  readonly pageItems?: number
  /** Timeout of one request. Default: 30,000 ms. */
  readonly requestTimeoutMs?: number
  /** How long one request is retried while it is throttled or fails. Default: 60,000 ms. */
  readonly retryForMs?: number
  /** Called for each page that was read. */
  readonly onPage?: (page: PageRead) => void
}

/** Position of a record in a stream: its line, from 1 on, or its number among the objects, from 0 on. */
export type RecordPosition =
  | {
      readonly line: number
    }
  | {
      readonly index: number
    }

/** Cosmos DB will not accept it unchanged. */
export interface Rejected {
  readonly kind: 'rejected'
  readonly code: RecordCode | WriteCode
  /** One sentence without values of the record. */
  readonly message: string
  /** HTTP status of Cosmos DB; absent where the record was not sent. */
  readonly status?: number | undefined
  /** Sub-status of Cosmos DB; absent where it sent none. */
  readonly subStatus?: number | undefined
  readonly chargeRu: number
  /** The field of the record, as a JSON pointer; absent where the rejection is not about one field. */
  readonly path?: string | undefined
}

/** Thrown by `upsert` for a record that is not stored. */
export declare class RejectedError extends KeystampError {
  /** Reason: the code of the outcome. */
  readonly code: Rejected['code']
  readonly outcome: Rejected
  constructor(outcome: Rejected)
}

/** Share of the provisioned throughput that this writer may use: RU/s over all ranges, or a percentage. */
export type Share = number | `${number}%`

/** A budget that several processes share. The type must not import `ioredis`, which may not be installed. */
export interface SharedBudget {
  /** Address of Redis, such as redis://localhost:6379. Needs the package `ioredis`, version 5. */
  readonly redis: string
  /** Processes with the same name share the budget. */
  readonly name: string
}

/** A document as stored in Cosmos DB. */
export type StoredDocument = Readonly<Record<string, unknown>>

/** A credential of Entra, such as those of @azure/identity. */
export type TokenCredential = NonNullable<CosmosClientOptions['aadCredentials']>

/** Cosmos DB refused it with a status that the caller ignores. */
export interface Unchanged {
  readonly kind: 'unchanged'
  readonly status: number
  readonly chargeRu: number
}

/** Options for storing one record. */
export type UpsertOptions = Pick<DocumentOperation, 'ifMatch' | 'source' | 'ttl'>

/** Reasons why Cosmos DB refused a record, or why it was not sent: sentence, cause and remedy. */
export declare const WRITE_CODES: {
  readonly OPERATION_INVALID: {
    readonly sentence: 'The operation is not complete.'
    readonly cause: 'A record, an id, a key, or the steps of a patch are missing or of the wrong kind.'
    readonly remedy: 'Give what the kind of operation needs; the message names it.'
  }
  readonly DOCUMENT_TOO_LARGE: {
    readonly sentence: 'The document is larger than Cosmos DB stores.'
    readonly cause: 'A document, and an atomic batch as a whole, may have 2 MB.'
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
    readonly sentence: 'The document is not the one that the precondition names.'
    readonly cause: 'The document was changed after its ETag was read, or the condition of the patch is not met.'
    readonly remedy: 'Read it again and decide, or ignore 412.'
  }
  readonly ETAG_MISSING: {
    readonly sentence: 'The record has no ETag, so it cannot be known whether its document was modified. Nothing was sent.'
    readonly cause: '`deleteIfNotModified` compares the `_etag` of the record, and the record has none that is a string; or `ifMatch` is empty.'
    readonly remedy: 'Keep `_etag` in the records, as they were read from Cosmos DB; or use `delete`, which deletes without a check.'
  }
  readonly PARTITION_FULL: {
    readonly sentence: 'The logical partition is full.'
    readonly cause: 'All documents of one key may take 20 GB together.'
    readonly remedy: 'Choose a key with more values, or give it a suffix.'
  }
  readonly BATCH_FAILED: {
    readonly sentence: 'Another operation of the same atomic batch failed, so none was applied.'
    readonly cause: 'An atomic batch is applied as a whole or not at all.'
    readonly remedy: 'See the operation of the batch that has a reason of its own.'
  }
  readonly OUTCOME_UNKNOWN: {
    readonly sentence: 'The answer was lost, and this operation cannot be repeated safely.'
    readonly cause: 'It may have been applied; applied twice it would change the document again.'
    readonly remedy: 'Read the document and decide; give such operations an ETag, which makes them safe.'
  }
  readonly COSMOS_REJECTED: {
    readonly sentence: 'Cosmos DB refuses the document.'
    readonly cause: 'The document or the operation breaks one of its rules.'
    readonly remedy: 'See status and sub-status of the outcome.'
  }
}

/** Options of a writable stream. */
export interface WritableOptions {
  /** Strategy for each record. Default: `overwrite`. */
  readonly strategy?: WriteStrategy
  /** Returns the operation for each record, where no strategy is given. */
  readonly operation?: (record: DocumentSource) => Operation
  /** Called for each rejected record. Default: the stream ends with the first one as its error. */
  readonly onRejected?: (rejected: Rejected, record: DocumentSource, position: RecordPosition) => void
  /** Called for each outcome. */
  readonly onOutcome?: (outcome: Outcome, record: DocumentSource, position: RecordPosition) => void
}

/** Reason why a write was rejected. */
export type WriteCode = keyof typeof WRITE_CODES

/** Strategy for each record of a stream, with the names of other sinks. */
export type WriteStrategy = (typeof STRATEGIES)[number]

/** Writes into one container; created once and used as long as there is something to write. */
export interface Writer {
  /**
   * Resolves with the outcome of the operation. Operations on one document are applied in the order of the calls.
   * A rejected record is an outcome, too, and is not stored: check `outcome.kind`, or use `upsert`.
   * Throws when the writer stops (no permission, no container, no answer for `retryForMs`, or closed), and
   * OPERATION_INVALID for an invalid operation, such as a bare record.
   */
  readonly write: (operation: Operation) => Promise<Outcome>
  /**
   * Stores one record, an object or JSON bytes. Throws a RejectedError, with the code of the outcome, when the record
   * is rejected.
   */
  readonly upsert: (record: object, options?: UpsertOptions) => Promise<Written>
  /**
   * The same without a promise for each operation, for very many writes: `onOutcome` is called exactly once, with the
   * outcome of the operation or with the error that stopped the writer; at once where the operation cannot be sent.
   * Throws only where `onOutcome` is no function. An operation that was not sent when its fence is raised is not sent
   * any more: the error then has the code WRITE_FENCED.
   */
  readonly submit: (operation: Operation, onOutcome: (outcome: Outcome | Error) => void, fence?: Fence) => void
  /**
   * Up to 100 operations on one key, all applied or none: one outcome each. Throws OPERATION_INVALID where one is
   * invalid.
   */
  readonly writeAtomic: (operations: readonly Operation[], fence?: Fence) => Promise<readonly Outcome[]>
  /**
   * Uses only this part of its share from now on; above 0, at most 1. For a process that has a known part of the work.
   */
  readonly usePart: (part: number) => void
  /** False when the byte budget is used up: a caller that does not wait for `room` grows without bound. */
  readonly hasRoom: () => boolean
  /** Resolves when there is room for another operation like the last. */
  readonly room: () => Promise<void>
  /** Resolves when everything written so far has its outcome. */
  readonly flush: () => Promise<void>
  /**
   * Accepts nothing more, waits for open operations, and fails those without an outcome at the deadline. Default:
   * 30,000 ms.
   */
  readonly close: (deadlineMs?: number) => Promise<void>
  readonly stats: () => WriterStats
  /** A stream that writes objects, or lines of JSON as they are. */
  readonly writable: (options?: WritableOptions) => Writable
  readonly events: EventEmitter<WriterEvents>
  /** Warnings about the plan, the container, and the budget: they work, but perhaps not as expected. */
  readonly warnings: readonly string[]
}

/**
 * `batchAnswered` for each request; `lateRequest` for each that may have been applied after its permission to send had
 * ended, and for each without an answer or with 408 or 5xx as the answer, which may be applied after its retry;
 * `stopped` once, when the writer stops by itself.
 */
export interface WriterEvents {
  readonly batchAnswered: [BatchEvent]
  readonly lateRequest: [LateRequest]
  readonly stopped: [Error]
}

/** Options of a writer. */
export interface WriterOptions extends AccountOptions {
  /** Makes key and id of each record. Default: records carry them at the container's key paths. */
  readonly plan?: Plan | PlanDefinition
  /**
   * Share of the provisioned throughput that this writer may use: RU/s over all ranges, or a percentage. Default:
   * `100%`.
   */
  readonly share?: Share
  /** Shares the budget with other processes through Redis. Default: this process has it alone. */
  readonly sharedThrough?: SharedBudget
  /** Called when Redis cannot be reached for a while. */
  readonly onSharedBudgetError?: (error: Error) => void
  /**
   * Called before each request: while it returns false nothing is sent, and it is called again soon. Default: always
   * true.
   */
  readonly maySend?: () => boolean
  /**
   * Called when Cosmos DB refuses the credentials, or when there is no token. True: the writer waits, signs again and
   * sends again. False: it stops. Default: it signs again once, then it stops.
   */
  readonly onUnauthorized?: (error: CosmosError) => boolean
  /** Called when refused credentials are accepted again. */
  readonly onAuthorized?: () => void
  /**
   * Bytes of pending records, with a kilobyte for the memory of each. Infinity: bytes are not counted, for a caller
   * with a limit of its own; `hasRoom` and `room` then never wait for bytes. Default: 16 MiB.
   */
  readonly maxBytes?: number
  /** How long an operation is retried when Cosmos DB fails; throttling is no failure. Default: 120,000 ms. */
  readonly retryForMs?: number
  /** Timeout of one request. Default: 30,000 ms. */
  readonly requestTimeoutMs?: number
  /**
   * Interval at which throughput and container are read again, to notice changes while the writer runs. Default: 60,000
   * ms.
   */
  readonly followOfferMs?: number
}

/** Counters and current state of a writer. */
export interface WriterStats {
  readonly written: number
  readonly unchanged: number
  readonly rejected: number
  /** RU/s that may be spent over all ranges; undefined where only throttling limits them. */
  readonly budgetRuPerSecond: number | undefined
  /** Why no budget is known. */
  readonly budgetUnknown: string | undefined
  /** 0 where `maxBytes` is Infinity, as `bytes` of each range. */
  readonly pendingBytes: number
  readonly maxPendingBytes: number
  /**
   * Number of ranges whose share of the byte budget is used up. Such a range slows the others down; any other range
   * does not.
   */
  readonly busyRanges: number
  readonly chargedRu: number
  readonly batches: number
  /** Operations that were sent, retries included. */
  readonly operations: number
  readonly throttledOperations: number
  readonly superseded: number
  /** Retries by status; `lost` for requests without an answer. */
  readonly retries: Readonly<Record<string, number>>
  /** The current ranges; the totals include those that were split or merged. */
  readonly ranges: readonly RangeStats[]
  /** Counters of the ranges that were split or merged. */
  readonly retiredRanges: readonly RangeCounters[]
}

/** The document is stored, or a later write of the same document is. */
export interface Written {
  readonly kind: 'written'
  readonly status: number
  readonly chargeRu: number
  /** Absent where Cosmos DB sent none, for example for a delete. */
  readonly etag?: string | undefined
  /** A later upsert of the same document was sent instead. */
  readonly isSuperseded: boolean
}

/** Throws CONTAINER_MISMATCH when the plan writes another key than the container's partition key. */
export declare function checkContainer({ partitionKey }: ContainerDefinition, plan: Plan): void

/** Creates a reader of one container. Sends nothing before the first read. */
export declare function createReader<T = StoredDocument>(options: ReaderOptions): Reader<T>

/** Opens a container for writing; resolves when the container exists and matches the plan. */
export declare function createWriter(options: WriterOptions, dependencies?: WriterDependencies): Promise<Writer>

/** Whether a string is meant to be a connection string. */
export declare function looksLikeConnectionString(text: string): boolean

/** Opens a container; sends nothing before the first call. Throws OPTION_INVALID for invalid options. */
export declare function openAccount(given: AccountOptions, { now, sleep }?: AccountDependencies): Account

/**
 * The operation that a strategy makes of a record. The two strategies with `IfNotModified` read the record's `_etag`.
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
      /** Why there is no token. */
      readonly unauthorized?: CosmosError | undefined
    }

interface Conditions {
  /** The document must have this ETag; an empty one is rejected with ETAG_MISSING. */
  readonly ifMatch?: string
  /** Statuses that mean `unchanged` instead of `rejected`. Default: none. */
  readonly ignore?: readonly (404 | 409 | 412)[]
}

/**
 * Detects that the container was deleted and created again under the same name: the new one is empty, and a writer that
 * continues would leave out everything that was stored before.
 */
interface ContainerGuard {
  /** Reads the container; throws CONTAINER_RECREATED, CONTAINER_MISSING, or the failure of the read. */
  readonly check: () => Promise<void>
  /**
   * Called with the resource id of an answer. True when it is the container's, synchronously where that is known; false
   * when it is another one or the read failed.
   */
  readonly confirm: (rid: string) => boolean | Promise<boolean>
  /** Reads the container, and stops the writer where it is another one. False also where the read failed. */
  readonly stopIfRecreated: () => Promise<boolean>
  /** Reads the container in intervals, since a writer without requests gets no answers. */
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
  /** The id that Azure support needs. */
  readonly activityId?: string | undefined
  readonly cause?: unknown
}

interface KnownOffer {
  /** RU per second; for autoscale its maximum. */
  readonly ruPerSecond: number
  readonly autoscaleMax?: number
  /** The offer of a database is shared by its containers. */
  readonly of: 'container' | 'database'
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

/** One request for operations on one range, or for an atomic batch on one key. */
interface Request {
  readonly rangeId: string
  /** The key, as JSON array text, of an atomic batch; undefined for bulk. */
  readonly atomicKey: string | undefined
  /** A JSON array of operations; must not be kept after the answer. */
  readonly body: Uint8Array
  readonly operations: number
  /** Called directly before the bytes are written; false withholds the request. */
  readonly maySend: () => boolean
  /** Called directly after the last byte was written, and again when the operating system has taken it. */
  readonly wasWritten?: (activityId: string) => void
  /**
   * Called with an answer after which the request may have been applied, or when none is awaited any more: the network
   * may still deliver an `unanswered` request.
   */
  readonly wasAnswered?: (activityId: string, answer: Answer) => void
}

declare const STRATEGIES: readonly ['overwrite', 'append', 'delete', 'deleteIfNotModified', 'overwriteIfNotModified']

/** Headers that authorize a request; a promise only where a token has to be fetched first. */
type Sign = (
  verb: string,
  resourceType: string,
  resourceLink: string
) => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>

/** Sends requests. `send` resolves with an answer also for failures; it rejects only where there is no token. */
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
  /** From 0 up to, but not including, 1. */
  readonly random: () => number
  readonly openAccount: (options: WriterOptions) => Account
  readonly createTransport: (
    account: Account,
    settings: WriterSettings,
    confirmContainer: ContainerGuard['confirm']
  ) => Transport
}

/** The options with their defaults. */
type WriterSettings = WriterOptions &
  Required<Pick<WriterOptions, 'share' | 'maxBytes' | 'retryForMs' | 'requestTimeoutMs' | 'followOfferMs'>>

export {}
