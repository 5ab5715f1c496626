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
import type { Writable } from 'node:stream'

/** One container of an account: who may ask, where, and what the container is. */
export interface Account {
  readonly database: string
  readonly container: string
  /** What is signed for requests to the container: `dbs/d/colls/c`. */
  readonly resourceLink: string
  /** Kept after the first read. */
  readonly definition: () => Promise<ContainerDefinition>
  /** Reads the definition anew: the container may have been created again. */
  readonly refresh: () => Promise<ContainerDefinition>
  /** Sorted by `min`, without gaps; kept after the first read. */
  readonly ranges: () => Promise<readonly ContainerRange[]>
  /** Reads the ranges anew: one read in flight, shared, at most one a second. */
  readonly refreshRanges: () => Promise<readonly ContainerRange[]>
  /** Read at each call. */
  readonly offer: () => Promise<Offer>
  readonly signer: () => Sign
  /** Forgets signatures and tokens, for when the service answered 401. */
  readonly renewSignatures: () => void
  /** Address of the region that takes writes. */
  readonly writeEndpoint: () => Promise<string>
  /** Address of the region that is read from. */
  readonly readEndpoint: () => Promise<string>
  /** Asks the account anew where its regions are, for when one answered 403/3 or 403/1008. */
  readonly refreshEndpoints: () => void
  readonly agent: AccountOptions['agent']
  readonly close: () => void
}

/** Which container, and the identity that is used: `connectionString`, or `endpoint` with either `key` or `credential`. */
export interface AccountOptions {
  /** Endpoint and key in one text, as the portal shows it: `AccountEndpoint=https://...;AccountKey=...;`. */
  readonly connectionString?: string
  /** Address of the account, such as https://my-account.documents.azure.com/. */
  readonly endpoint?: string
  /** An account key, base64; or a function that gives it, which is called again when Cosmos DB has refused a signature. */
  readonly key?: string | (() => string)
  /** Entra: any credential, such as DefaultAzureCredential of @azure/identity. */
  readonly credential?: TokenCredential
  readonly database: string
  readonly container: string
  /** Regions to read from and to write to, nearest first, such as `West Europe`. Default: the order of the account. */
  readonly preferredRegions?: readonly string[]
  /** For https through a proxy or with certificates of your own. Default: connections that are kept alive. */
  readonly agent?: Agent
  /** How long one read of metadata may take, its retries included. Default: 15,000 ms. */
  readonly metadataTimeoutMs?: number
  /**
   * How account, container, ranges and offers are read: `sdk` by @azure/cosmos, whose loading takes a quarter of a second of processor time;
   * `direct` with one request each, and by the SDK only where that fails in a way that may pass. Default: `sdk`.
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
  /** `answered`; the status of a request of which every operation failed and is tried again; or why there is no answer. */
  readonly result: string
}

/** Upper bounds of the histogram `charge`, in request units; one more count holds what cost more. */
export declare const CHARGE_BOUNDS_RU: readonly number[]

/** Endpoint and key of an account. */
export interface ConnectionString {
  readonly endpoint: string
  /** Undefined where the text has none, as for Entra. */
  readonly key: string | undefined
}

/** What a container says of itself, as far as writing and reading depend on it. */
export interface ContainerDefinition {
  /** Changes when a container is deleted and created anew under the same name. */
  readonly rid: string
  readonly partitionKey: Required<KeyDefinition>
  /** Seconds; -1 where only items that say so expire; undefined where nothing does. */
  readonly defaultTtl: number | undefined
  /** The paths of each unique key. */
  readonly uniqueKeys: readonly (readonly string[])[]
}

/** A physical partition as the container lists it. */
export interface ContainerRange extends KeyRange {
  /** The ranges that it came from by splits and merges. */
  readonly parents: readonly string[]
}

/** Thrown when Cosmos DB does not answer, or answers what the work cannot go on with. */
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
  /** One value a level of the key; a value alone for a key of one level. */
  readonly key?: KeyValue | readonly KeyValue[]
}

/** Stores a document. */
export interface DocumentOperation extends DocumentSource, Conditions {
  readonly kind: 'upsert' | 'create' | 'replace'
  /** Seconds until the document expires; -1 for never. */
  readonly ttl?: number
}

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

/** What is known, for an explanation. */
export interface ExplainOptions extends KeysForOptions {
  readonly id?: string
}

/** What reading would requestItem, before it is asked. */
export interface Explanation {
  /** A point read by key and id, one logical partition, or each range for its share of the keys. */
  readonly kind: 'point' | 'partition' | 'ranges'
  /** In how many keys documents with these parts can lie. */
  readonly keys: number
  /** Which versions of the plan those keys come from: 0 for the newest. */
  readonly versions: readonly number[]
  readonly ranges: readonly {
    readonly id: string
    readonly keys: number
  }[]
  /** Requests; each further page is one more. Of a point read the most: one for each version of the plan. */
  readonly requests: number
  readonly ru: {
    /** The least that those requests cost; documents that are found come on top. */
    readonly least: number
    /** Where the price of a request comes from: pages that this reader has read, or public figures. */
    readonly from: 'measured' | 'assumed'
  }
}

/** Whether what belongs to it may still be sent. */
export interface Fence {
  readonly isLost: boolean
}

/** Upper bounds of the histogram `latency`, in milliseconds; one more count holds what took longer. */
export declare const LATENCY_BOUNDS_MS: readonly number[]

/** A request that may have been applied after a partition of it had moved, or that may be applied after its retry. */
export interface LateRequest {
  readonly rangeId: string
  /** The `x-ms-activity-id` that the request carried. */
  readonly activityId: string
  /**
   * `written`: the permission to send had ended when the bytes were known to have left.
   * `answered`: the bytes had left in time; it had ended when the answer came.
   * `unanswered`: the bytes had left, and no answer is waited for any more. The network may still hold the request, and Cosmos DB may apply
   * it later, also after its retry. Told whether or not the permission has ended, and also of a request that was told of as `written`.
   * `unknown`: the answer for the request, or for operations in it, was 408 or 5xx. Cosmos DB may have applied them, and may apply them later,
   * also after their retry. Told as `unanswered` is.
   */
  readonly stage: 'written' | 'answered' | 'unanswered' | 'unknown'
  /** Milliseconds from the last moment at which the permission was asked and given until this was noticed. */
  readonly lateMs: number
  /**
   * Fences of the operations whose partition has moved; all of them where the process itself may not send and that is not known yet, and of
   * an unanswered request; those of the operations whose outcome is unknown.
   */
  readonly fences: readonly Fence[]
}

/** The throughput that was bought, or why it is not known. */
export type Offer =
  | KnownOffer
  | {
      readonly unknown: string
    }

/** What can be done to a document. */
export type Operation = DocumentOperation | DeleteOperation | PatchOperation

/** By what documents are sorted: a JSON pointer, upwards unless it says otherwise. */
export type OrderBy =
  | string
  | {
      readonly field: string
      readonly isDescending?: boolean
    }

/** What became of an operation. */
export type Outcome = Written | Unchanged | Rejected

/** A page that was read, for those who listen. */
export interface PageRead {
  readonly rangeId: string
  readonly documents: number
  /** What it cost, refused attempts included. */
  readonly chargeRu: number
  /** How many requests it took: more than one where it was throttled or lost. */
  readonly requests: number
  readonly isFirst: boolean
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

/** Counters of one range since the writer knows it; none of them ever falls. */
export interface RangeCounters {
  readonly id: string
  readonly chargedRu: number
  readonly batches: number
  /** Operations that were sent, repeated ones included. */
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
  /** Answers by their charge: one count for each of `CHARGE_BOUNDS_RU`, and one for what cost more. Their sum is `chargedRu`. */
  readonly charge: readonly number[]
  /** By status; `lost` for answers that did not come. */
  readonly retries: Readonly<Record<string, number>>
}

/** Counters of one range, and its state at this moment. */
export interface RangeStats extends RangeCounters {
  /** Operations that stand in the queue, one a document. */
  readonly queued: number
  /** Requests that are out, and how many may be. */
  readonly inFlight: number
  readonly concurrency: number
  /** Bytes of all that is on its way to this range. */
  readonly bytes: number
}

/** How all documents of some parts are read. */
export interface ReadAllOptions extends KeysForOptions {
  /** The field to sort by, as a JSON pointer. */
  readonly orderBy?: OrderBy
  /** An SQL condition on the document `c`, such as `c.km > @min`: documents that do not meet it are not given. */
  readonly where?: string
  /** The values of the parameters in `where`, by name: `{ min: 5 }`. */
  readonly parameters?: WhereParameters
  /** The fields that are given, as JSON pointers. Default: whole documents. */
  readonly select?: readonly string[]
  /** How many documents are given, at most. Default: all. */
  readonly limit?: number
  readonly signal?: AbortSignal
}

/** What is known of one record beside its parts. */
export interface ReadOptions {
  /** The id, where it is known and the parts do not hold it. */
  readonly id?: string
  /** What surrounded the record in Kafka, where the plan reads that. */
  readonly source?: Source
  readonly signal?: AbortSignal
}

/** Finds documents again by what is known of them. */
export interface Reader<T = StoredDocument> {
  /**
   * The documents of one record: a point read when the id is known, else a query inside its logical partition. With the id known but not
   * the key, as under random suffixes, each range is asked once. Throws PARTS_MISSING when the parts tell neither.
   */
  readonly read: (parts: object, options?: ReadOptions) => Promise<readonly T[]>
  /**
   * All documents that have these parts, and a time in `between`: each range is asked once for its share of the keys. Throws KEYS_UNBOUNDED
   * when the parts leave more keys open than can be listed, and OPTION_INVALID for a part that is no field of the key or the id.
   */
  readonly readAll: (parts: object, options?: ReadAllOptions) => AsyncGenerator<T, void, undefined>
  /** What `read`, and where the parts leave the key open `readAll`, would requestItem, without asking. */
  readonly explain: (parts: object, options?: ExplainOptions) => Promise<Explanation>
  /** Ends what is being read, with READER_CLOSED. */
  readonly close: () => void
}

/** How a reader is made. */
export interface ReaderOptions extends AccountOptions {
  /** The plan that the writers use. Default: parts hold the container's key as it is. */
  readonly plan?: Plan | PlanDefinition
  /** Requests at a time. Default: 8. */
  readonly parallel?: number
  /** Documents a page, at most; a page also ends at 4 MB. Default: 1,000. */
  readonly pageItems?: number
  /** How long one answer may take. Default: 30,000 ms. */
  readonly requestTimeoutMs?: number
  /** How long one request may be throttled or fail before reading ends with an error. Default: 60,000 ms. */
  readonly retryForMs?: number
  /** Told of each page that was read. Default: nobody. */
  readonly onPage?: (page: PageRead) => void
}

/** Where a record stood in what was written into a stream: its line, from 1 on, or its number among the objects, from 0 on. */
export type RecordPosition =
  | {
      readonly line: number
    }
  | {
      readonly index: number
    }

/** It will never be taken as it is. */
export interface Rejected {
  readonly kind: 'rejected'
  readonly code: RecordCode | WriteCode
  /** One sentence without values of the record. */
  readonly message: string
  /** The HTTP status of Cosmos DB; absent where the record was not sent. */
  readonly status?: number | undefined
  /** The sub-status of Cosmos DB; absent where it sent none. */
  readonly subStatus?: number | undefined
  readonly chargeRu: number
  /** The field of the record, as a JSON pointer; absent where the rejection is not about one field. */
  readonly path?: string | undefined
}

/** Thrown by `upsert` for a record that is not stored. */
export declare class RejectedError extends KeystampError {
  /** Why: the code of the outcome. */
  readonly code: Rejected['code']
  readonly outcome: Rejected
  constructor(outcome: Rejected)
}

/** What this writer may use of what was bought: RU/s over all ranges, or a per cent of the offer. */
export type Share = number | `${number}%`

/** A budget that several processes spend together. In a file of its own, whose type needs nothing that may not be installed. */
export interface SharedBudget {
  /** Where Redis is, such as redis://localhost:6379. Needs the package `ioredis`, version 5. */
  readonly redis: string
  /** All who name the same budget share it. */
  readonly name: string
}

/** A document as Cosmos DB keeps it. */
export type StoredDocument = Readonly<Record<string, unknown>>

/** A credential of Entra, such as those of @azure/identity. */
export type TokenCredential = NonNullable<CosmosClientOptions['aadCredentials']>

/** The service refused it in a way that the caller said to ignore. */
export interface Unchanged {
  readonly kind: 'unchanged'
  readonly status: number
  readonly chargeRu: number
}

/** How one record is stored. */
export type UpsertOptions = Pick<DocumentOperation, 'ifMatch' | 'source' | 'ttl'>

/** Why Cosmos DB did not take a record, or why it was not sent: the sentence, its cause and the remedy. */
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
    readonly cause: 'The operation creates, and the document is there.'
    readonly remedy: 'Use upsert, or ignore 409.'
  }
  readonly UNIQUE_KEY_TAKEN: {
    readonly sentence: 'Another document of the logical partition has the same unique key.'
    readonly cause: 'The container has unique keys, and the values are taken.'
    readonly remedy: 'Mend the record, or remove the other document.'
  }
  readonly NOT_FOUND: {
    readonly sentence: 'There is no document with this key and id.'
    readonly cause: 'The operation changes or deletes what does not exist.'
    readonly remedy: 'Use upsert, or ignore 404.'
  }
  readonly PRECONDITION_FAILED: {
    readonly sentence: 'The document is not the one that the precondition names.'
    readonly cause: 'Somebody changed it since its ETag was read, or the condition of the patch is not met.'
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

/** How a stream writes. */
export interface WritableOptions {
  /** What to do with each record. Default: `overwrite`. */
  readonly strategy?: WriteStrategy
  /** The operation for each record, where no strategy says it. */
  readonly operation?: (record: DocumentSource) => Operation
  /** Told of each record that was rejected. Default: the stream ends with the first one as its error. */
  readonly onRejected?: (rejected: Rejected, record: DocumentSource, place: RecordPosition) => void
  /** Told of each outcome. */
  readonly onOutcome?: (outcome: Outcome, record: DocumentSource, place: RecordPosition) => void
}

/** Why a write was rejected. */
export type WriteCode = keyof typeof WRITE_CODES

/** What to do with each record of a stream, named as other sinks name it. */
export type WriteStrategy = (typeof STRATEGIES)[number]

/** Writes into one container; made once and used for as long as there is something to write. */
export interface Writer {
  /**
   * Resolves with what became of the operation. Operations on one document are applied in the order of the calls.
   * A record that is rejected is an outcome, too, and is not stored: check `outcome.kind`, or use `upsert`.
   * Throws when the work stops (no permission, no container, no answer for `retryForMs`, or closed), and OPERATION_INVALID for what is no
   * operation, such as a bare record.
   */
  readonly write: (operation: Operation) => Promise<Outcome>
  /** Stores one record, an object or JSON bytes. Throws a RejectedError, with the code of the outcome, when the record is rejected. */
  readonly upsert: (record: object, options?: UpsertOptions) => Promise<Written>
  /**
   * The same without a promise for each operation, for whoever writes very many: `onOutcome` is called exactly once, with what became of
   * the operation or with the error that stopped the work; at once where the operation cannot be sent. Throws only where `onOutcome` is no function.
   * What was not sent when its fence goes up is not sent any more: the error then has the code WRITE_FENCED.
   */
  readonly submit: (operation: Operation, onOutcome: (outcome: Outcome | Error) => void, fence?: Fence) => void
  /** Up to 100 operations on one key, applied all or none: one outcome each. Throws OPERATION_INVALID where one is no operation. */
  readonly writeAtomic: (operations: readonly Operation[], fence?: Fence) => Promise<readonly Outcome[]>
  /** Uses only this part of its share from now on, above 0 and up to 1: processes that divide their work divide the budget with it. */
  readonly usePart: (part: number) => void
  /** False when the last operation found no room: who goes on without waiting for `room` grows without bound. */
  readonly hasRoom: () => boolean
  /** Resolves when there is room for another operation like the last. */
  readonly room: () => Promise<void>
  /** Resolves when everything written so far has its outcome. */
  readonly flush: () => Promise<void>
  /** Takes nothing more, waits for what is open, and gives up at the deadline: what has no outcome then rejects. Default: 30,000 ms. */
  readonly close: (deadlineMs?: number) => Promise<void>
  readonly stats: () => WriterStats
  /** A stream that writes objects, or lines of JSON as they are. */
  readonly writable: (options?: WritableOptions) => Writable
  readonly events: EventEmitter<WriterEvents>
  /** What works, but not as somebody may expect: of the plan, of the container, and of the budget. */
  readonly warnings: readonly string[]
}

/**
 * `batchAnswered` for each request; `lateRequest` for each that may have been applied after its permission to send had ended, and for each
 * without an answer or with 408 or 5xx as the answer, which may be applied after its retry; `stopped` once, when the work cannot go on.
 */
export interface WriterEvents {
  readonly batchAnswered: [BatchEvent]
  readonly lateRequest: [LateRequest]
  readonly stopped: [Error]
}

/** How a writer is made. */
export interface WriterOptions extends AccountOptions {
  /** Makes key and id of each record. Default: records carry them where the container looks for them. */
  readonly plan?: Plan | PlanDefinition
  /** What this writer may use: RU/s over all ranges, or a per cent of what was bought. Default: `100%`. */
  readonly share?: Share
  /** Other processes spend the same share: it is leased through Redis. Default: this process has it alone. */
  readonly sharedThrough?: SharedBudget
  /** Told when Redis cannot be reached for a while. Default: nobody. */
  readonly onSharedBudgetError?: (error: Error) => void
  /** Asked before each request: while it answers false nothing is sent, and it is asked again soon. Default: it never does. */
  readonly maySend?: () => boolean
  /**
   * Called when Cosmos DB refuses the credentials, or when there is no token. True: the writer waits, signs again and sends again. False: it stops.
   * Default: it signs again once, then it stops.
   */
  readonly onUnauthorized?: (error: CosmosError) => boolean
  /** Called when credentials are accepted again that were refused. */
  readonly onAuthorized?: () => void
  /** Bytes of records on their way, with a kilobyte for what is held beside each. Default: 16 MiB. */
  readonly maxBytes?: number
  /** How long an operation is sent again when Cosmos DB fails; being throttled is no failure. Default: 120,000 ms. */
  readonly retryForMs?: number
  /** How long one answer may take. Default: 30,000 ms. */
  readonly requestTimeoutMs?: number
  /** How often offer and container are read again, to notice what is changed while the writer runs. Default: 60,000 ms. */
  readonly followOfferMs?: number
}

/** What a writer did so far, and what it is at. */
export interface WriterStats {
  readonly written: number
  readonly unchanged: number
  readonly rejected: number
  /** RU/s that may be spent over all ranges; undefined where only what the service refuses tells. */
  readonly budgetRuPerSecond: number | undefined
  /** Why no budget is known. */
  readonly budgetUnknown: string | undefined
  readonly pendingBytes: number
  readonly maxPendingBytes: number
  /** Ranges that have more to write than they may hold: others are not slowed by them until their share of the room is full. */
  readonly busyRanges: number
  readonly chargedRu: number
  readonly batches: number
  /** Operations that were sent, repeated ones included. */
  readonly operations: number
  readonly throttledOperations: number
  readonly superseded: number
  /** Repetitions by status; `lost` for answers that did not come. */
  readonly retries: Readonly<Record<string, number>>
  /** The ranges as they are now; the totals include those that were split or merged. */
  readonly ranges: readonly RangeStats[]
  /** Counters of the ranges that were split or merged. */
  readonly retiredRanges: readonly RangeCounters[]
}

/** It stands in the container, or a later write of the same document does. */
export interface Written {
  readonly kind: 'written'
  readonly status: number
  readonly chargeRu: number
  /** Absent where Cosmos DB sent none, as for a delete. */
  readonly etag?: string | undefined
  /** A later upsert of the same document was sent in its place. */
  readonly isSuperseded: boolean
}

/** Throws CONTAINER_MISMATCH when what the plan stamps is not what the container is split by. */
export declare function checkContainer({ partitionKey }: ContainerDefinition, plan: Plan): void

/** A reader of one container. Nothing is sent before the first question. */
export declare function createReader<T = StoredDocument>(options: ReaderOptions): Reader<T>

/** Opens a container for writing; it is there, and is what the plan stamps for, when the promise resolves. */
export declare function createWriter(options: WriterOptions, dependencies?: WriterDependencies): Promise<Writer>

/** Whether a text is meant to be a connection string. */
export declare function looksLikeConnectionString(text: string): boolean

/** Opens a container; nothing is sent before the first question. Throws OPTION_INVALID for what cannot work. */
export declare function openAccount(given: AccountOptions, { now, sleep: pause }?: AccountDependencies): Account

/** The operation that a strategy makes of a record. The two that ask whether a document was modified read the record's `_etag`. */
export declare function operationFor(strategy: WriteStrategy, document: DocumentSource): Operation

/**
 * Reads a connection string as the portal shows it: `AccountEndpoint=https://...;AccountKey=...;`. The order, spaces, quotes around the
 * whole text and a semicolon at the end do not matter. Throws OPTION_INVALID, with sentences that never hold the key.
 */
export declare function parseConnectionString(text: string): ConnectionString

/** The JSON pointer to what a container's key path names. */
export declare function pointerOfPath(path: string): string

// Not exported; the declarations above refer to it.

/** What an account touches of the machine it runs on. */
interface AccountDependencies {
  /** Milliseconds since 1970. */
  readonly now: () => number
  readonly sleep: (ms: number) => Promise<void>
}

/** What became of a request. */
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
      /** There is no token to show, and why. */
      readonly unauthorized?: CosmosError | undefined
    }

/** Time as the writer sees it: it never goes back, whatever happens to the clock on the wall. */
interface Clock {
  /** Milliseconds since some moment. */
  readonly now: () => number
  /** Calls back after `ms`; the answer takes the call back. */
  readonly schedule: (ms: number, call: () => void) => () => void
  /** The same for what nobody waits for: it does not keep a process alive. */
  readonly scheduleIdly: (ms: number, call: () => void) => () => void
}

interface Conditions {
  /** The document must have this ETag; an empty one is rejected with ETAG_MISSING. */
  readonly ifMatch?: string
  /** Statuses that mean `unchanged` instead of `rejected`. Default: none. */
  readonly ignore?: readonly (404 | 409 | 412)[]
}

/**
 * Notices that the container was deleted and created again under the same name: the new one is empty, and whoever writes into it
 * without knowing misses everything that was stored before.
 */
interface ContainerGuard {
  /** Reads the container; throws CONTAINER_RECREATED, CONTAINER_MISSING, or what kept it from being read. */
  readonly check: () => Promise<void>
  /**
   * Called with the resource id that an answer carries. True when it is that of the container, at once where it is known; false when
   * that could not be found out.
   */
  readonly confirm: (rid: string) => boolean | Promise<boolean>
  /** Reads the container, and stops the work where it is another one. False where that could not be found out. */
  readonly look: () => Promise<boolean>
  /** Looks now and then, since a writer without requests gets no answers. */
  readonly follow: () => void
  readonly stop: () => void
}

/** What is known of a failure beside its sentence. */
interface CosmosErrorFacts {
  /** Whether the same call can succeed later. */
  readonly retriable?: boolean
  readonly statusCode?: number | undefined
  readonly subStatus?: number | undefined
  readonly retryAfterMs?: number | undefined
  /** The id that support asks for. */
  readonly activityId?: string | undefined
  readonly cause?: unknown
}

interface KnownOffer {
  /** What may be spent in a second: of an autoscaling offer its maximum. */
  readonly ruPerSecond: number
  readonly autoscaleMax?: number
  /** A database's offer is shared by its containers. */
  readonly of: 'container' | 'database'
}

/** What became of one operation, as the service says it. */
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
  /** A JSON array of operations; only to be read until the answer is there. */
  readonly body: Uint8Array
  readonly operations: number
  /** Asked directly before the bytes are written: where it answers false, the request is withheld. */
  readonly maySend: () => boolean
  /** Called directly after the last byte was written, and again when the operating system has taken it. */
  readonly wasWritten?: (activityId: string) => void
  /**
   * Called with an answer after which the request may have been applied, or when none is waited for any more: the network may still hold an
   * `unanswered` request.
   */
  readonly wasAnswered?: (activityId: string, answer: Answer) => void
}

declare const STRATEGIES: readonly ['overwrite', 'append', 'delete', 'deleteIfNotModified', 'overwriteIfNotModified']

/** The headers that prove who asks; a promise only where a token has to be fetched first. */
type Sign = (
  verb: string,
  resourceType: string,
  resourceLink: string
) => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>

/** Sends requests. `send` never rejects: what can happen is an answer; only a missing permission to ask is thrown. */
interface Transport {
  readonly send: (request: Request) => Promise<Answer>
  /** Ends what is under way. */
  readonly close: () => void
}

/** Values of the parameters of a condition, by their names: `{ min: 5 }` for `c.km > @min`. */
type WhereParameters = Readonly<Record<string, unknown>>

/** What a writer touches of the machine and of the network. */
interface WriterDependencies {
  readonly clock: Clock
  /** From 0 up to, but not including, 1. */
  readonly random: () => number
  readonly openAccount: (options: WriterOptions) => Account
  readonly createTransport: (account: Account, settings: WriterSettings, confirmContainer: ContainerGuard['confirm']) => Transport
}

/** The options with their defaults. */
type WriterSettings = WriterOptions &
  Required<Pick<WriterOptions, 'share' | 'maxBytes' | 'retryForMs' | 'requestTimeoutMs' | 'followOfferMs'>>

export {}
