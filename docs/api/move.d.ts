// API report of @keystamp/move, made by npm run docs. A change here is a change of the public API.

import type { AccountOptions } from '@keystamp/cosmos'
import type { ChangeFeedStats } from '@keystamp/cosmos'
import type { ChangesPage } from '@keystamp/cosmos'
import type { ChangesRequest } from '@keystamp/cosmos'
import type { Clock } from '@keystamp/core/internal'
import type { ContainerDefinition } from '@keystamp/cosmos'
import type { DocumentVersion } from '@keystamp/cosmos'
import type { FeedMode } from '@keystamp/cosmos'
import type { FeedRange } from '@keystamp/cosmos'
import type { Fence } from '@keystamp/cosmos'
import type { KeyComponent } from '@keystamp/core'
import type { PlanDefinition } from '@keystamp/core'
import type { Pointer } from '@keystamp/core/internal'
import type { PriorityOptions } from '@keystamp/cosmos'
import type { RangeSplit } from '@keystamp/cosmos'
import type { RangeToken } from '@keystamp/cosmos'
import type { ReadDocumentOptions } from '@keystamp/cosmos'
import type { Share } from '@keystamp/cosmos'
import type { StampedBytes } from '@keystamp/core'
import type { StopSignal } from '@keystamp/core/internal'
import type { WriterStats } from '@keystamp/cosmos'

/** The way back: from the target to the source under the old key. */
export interface BackPromise {
  readonly basis: 'identity' | 'fields'
  readonly sentence: string
  /** How deletes in the target reach the source after the switch. */
  readonly deletes: DeletePromise
  /** Needs of `keystamp rekey back`. */
  readonly needs: readonly string[]
}

export type ChangesAnswer = ChangesPage | RangeSplit

export interface CheckFinding {
  readonly code: FindingCode
  readonly severity: Severity
  /** One sentence. */
  readonly sentence: string
  /** Remedy, in the imperative. */
  readonly remedy: string
}

export interface CheckVerdict {
  readonly kind: 'stops' | 'needs confirmation' | 'ready'
  /** One plain sentence. */
  readonly sentence: string
}

/** Mean RU of one document. */
export interface CheckedCharges {
  /** To read it from a change feed. */
  readonly readRu: number
  /** To create it in the target. */
  readonly writeRu: number
}

/** A container of the move, as far as its answers tell. */
export interface CheckedContainer {
  /** `database/container at host`. */
  readonly name: string
  readonly definition: ContainerDefinition
  /** Settings of the container other than name and partition key, such as `indexingPolicy`, as JSON has them. */
  readonly settings: Readonly<Record<string, unknown>>
  readonly versionsFeed: Fact<VersionsFeed>
  readonly scripts: Fact<Scripts>
  readonly throughput: Fact<CheckedThroughput>
  readonly partitions: number
  /** Whether several regions of the account accept writes. */
  readonly hasWriteRegions: boolean
  readonly documents: Fact<number>
  readonly bytes: Fact<number>
  /** Bytes of the largest logical partition; the service may leave out keys below about 1 GB. */
  readonly largestKeyBytes: Fact<number>
}

export interface CheckedOptions {
  /** Whether the move creates the target. */
  readonly creates: boolean
  /** Share of the source's throughput for reads: RU/s, or a percentage; null: only throttling limits them. */
  readonly readShare: Share | null
  /** Share of the target's throughput for writes. */
  readonly writeShare: Share
  /** `remaining`: a copy expires when its original would. `restart`: the time begins with the copy. */
  readonly ttl: 'remaining' | 'restart'
  /** Whether the change feed of all versions and deletes is read where there is one. */
  readonly readsVersions: boolean
  /** Whether deleted copies leave markers. */
  readonly isFenced: boolean
  /** Whether the containers are compared, and copies without an original deleted. */
  readonly sweeps: boolean
  /** Whether a plan that depends on other fields may keep an index of identities on the disk. */
  readonly keepsIndex: boolean
}

/** The plan of the move, without its details. */
export interface CheckedPlan {
  /** `identity`: key and id of a new document follow from those of the old one. `fields`: from other fields, too. */
  readonly basis: 'identity' | 'fields'
  /** JSON pointers of these other fields. */
  readonly fields: readonly string[]
  /** The same for the way back. */
  readonly reverseBasis: 'identity' | 'fields'
  /** JSON pointers of the paths to which the plan writes the key. */
  readonly keyPaths: readonly string[]
  readonly hashVersion: 1 | 2
  /** Whether documents get other ids. */
  readonly makesIds: boolean
  /**
   * Whether the old key follows from the new key and id, so that two documents never get the same. `as-text`: only if
   * no field of the old key is a number or boolean in one document, and the same text in another.
   */
  readonly oldKey: 'kept' | 'as-text' | 'lost'
}

/** Prices of the account of the target. */
export interface CheckedPrices {
  readonly manualPer100RuHour: number
  readonly autoscalePer100RuHour: number
  readonly serverlessPerMillionRu: number
  readonly regions: number
  readonly currency: string
  /** Date of the price list. */
  readonly listDate: string
}

/** Documents of the source that were looked at. */
export type CheckedSample = Omit<SampleFacts, 'secondsLeft'>

/** A container in the answer. Null: unknown. */
export interface CheckedSide {
  readonly name: string
  readonly keyPaths: readonly string[]
  readonly hashVersion: number
  readonly partitions: number | null
  readonly documents: number | null
  readonly bytes: number | null
  readonly largestKeyBytes: number | null
  readonly throughput: CheckedThroughput | null
}

export interface CheckedThroughput {
  readonly kind: 'manual' | 'autoscale' | 'serverless'
  /** RU/s; for autoscale, the maximum; null for serverless. */
  readonly ruPerSecond: number | null
  /** Whether the containers of the database share the throughput. */
  readonly isShared: boolean
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
  /** Maximum number of different and unsettled documents: a comparison that has found them ends. */
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

/** A comparison of the two containers. */
export interface ComparedEntry {
  readonly type: 'compared'
  readonly at: string
  readonly isEqual: boolean
  /** Number of differences; if `isEqual`, of those that were copied again, and are equal now. */
  readonly differences: number
  /** Number of differences of documents that others have written in the container that is not in charge. Default: 0. */
  readonly ofOthers?: number
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

/** Answer to a request. */
export interface ControlResult {
  readonly isDone: boolean
  /** Sentence for the user. */
  readonly message: string
}

export interface CopyLimits {
  /** Bytes of pages in memory, with 2,000 more for the objects of each change. */
  readonly maxBytes: number
  /** Requests for pages at the same time. */
  readonly maxRequests: number
  readonly maxItems: number
  /** Wait at the end of a feed. */
  readonly pollMs: number
  /** Interval at which positions are saved. */
  readonly saveEveryMs: number
}

/** Progress of a copy. */
export interface CopyStatus {
  readonly ranges: readonly RangePosition[]
  /** Whether every range was read to its end once. */
  readonly isCopied: boolean
  /** All changes before this time are in the target, in milliseconds since 1970; 0 if it is unknown. */
  readonly caughtUpMs: number
  /** The same by the process's own clock, and only after reads to the end of the feeds; -Infinity if it is unknown. */
  readonly readToEndMs: number
  readonly counts: QueueCounts
  readonly pausedFor: string | undefined
}

/** A move, and the containers as far as they decide what its plan does to documents. */
export interface CountSampleOptions {
  readonly copy: CopyOptions
  /** Target; if there is none yet, with the unique keys of the source. */
  readonly target: Pick<ContainerDefinition, 'partitionKey' | 'uniqueKeys'>
  /** `indexingPolicy` of the target. */
  readonly indexingPolicy: IndexingPolicy
  readonly nowMs: number
}

/** How deletes in the source reach the target. */
export interface DeletePromise {
  /** `versions`: the change feed of all versions and deletes. `sweep`: by comparing the containers. */
  readonly seenBy: 'versions' | 'sweep' | 'none'
  readonly sentence: string
  /** Consequence where this does not hold. */
  readonly otherwise: string
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

/** One write. It is sent again after temporary failures, so it may be applied more than once. */
export type DocumentWrite = StoreWrite | DeleteWrite

export declare const FINDING_CODES: readonly [
  'same-container',
  'target-missing',
  'target-key-differs',
  'hash-version-differs',
  'target-not-empty',
  'target-never-expires',
  'target-settings-differ',
  'target-partitions-few',
  'documents-rejected',
  'collisions',
  'collisions-possible',
  'key-near-20-gb',
  'transactions-torn',
  'unique-keys',
  'new-ids',
  'deletes-unseen',
  'key-changes-unseen',
  'deletes-by-sweep',
  'index-large',
  'retention-short',
  'back-loses-documents',
  'ttl-written',
  'ttl-restarts',
  'ttl-expires-first',
  'let-data-expire',
  'scripts-not-copied',
  'throughput-shared',
  'write-regions',
  'hash-version-changes',
  'system-properties-change'
]

/** A fact; or the sentence that says why it is unknown. */
export type Fact<T> =
  | {
      readonly value: T
    }
  | {
      readonly unknown: string
    }

export interface FileTargetIndexOptions {
  /** Bytes of a file of the log. */
  readonly segmentBytes?: number
  /** If true, an index without files is refused, because documents were copied already. Default: false. */
  readonly mustExist?: boolean
}

export type FindingCode = (typeof FINDING_CODES)[number]

/** A condition of the switch, or of the way back. */
export interface Gate {
  readonly name: 'copied' | 'lag' | 'compared' | 'rejected'
  readonly isMet: boolean
  /** Sentence with the figures. */
  readonly reason: string
}

export interface GateLimits {
  /** Maximum lag of the copy. */
  readonly maxLagSeconds: number
  /** Age of the last comparison. */
  readonly maxComparisonSeconds: number
}

/** Facts that a hook gets. */
export interface HookFacts {
  /** The container that is in charge before the switch. */
  readonly from: string
  readonly to: string
  readonly direction: 'forward' | 'back'
}

/**
 * Commands of the user at moments of a switch. `before`: the application must stop its writes, or send them to nowhere.
 * `after`: the application must use the other container from now on. `canceled`: the switch was called off after
 * `before`, and the application must write as before.
 */
export type HookName = 'before' | 'after' | 'canceled'

export type HookResult =
  | {
      readonly isDone: true
    }
  | {
      readonly isDone: false
      readonly reason: string
    }

/** Names one document of a container: the values of its partition key, and its id. */
export interface Identity {
  /** One value for each key path; undefined where the document has none. */
  readonly key: readonly KeyComponent[]
  readonly id: string
}

/** The part of a container's `indexingPolicy` that decides which values are indexed. */
export interface IndexingPolicy {
  readonly indexingMode?: string
  readonly includedPaths?: readonly {
    readonly path: string
  }[]
  readonly excludedPaths?: readonly {
    readonly path: string
  }[]
}

/** How changes of the fields from which the key follows reach the target. */
export interface KeyChangePromise {
  /** `identity`: there are none, because key and id of a document never change. */
  readonly seenBy: 'identity' | 'previous-images' | 'identity-index' | 'sweep' | 'none'
  readonly sentence: string
  readonly otherwise: string
  /** Size of the index of identities on the disk and in memory; null without an index, or if it is unknown. */
  readonly indexDiskBytes: number | null
  readonly indexMemoryBytes: number | null
}

/** Options of a move that several processes share. */
export interface LeaseOptions {
  /** A container with the partition key `/id`. */
  readonly container: MoveContainerOptions
  /** A range of a process that is silent for this time moves to another one. Default: 60,000. */
  readonly leaseMs?: number
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

/** Promises of a move, its needs and its costs: text and JSON of `keystamp rekey --dry-run` are made from it alone. */
export interface MoveCheck {
  readonly schemaVersion: 1
  readonly verdict: CheckVerdict
  /** The most severe first. */
  readonly findings: readonly CheckFinding[]
  readonly source: CheckedSide
  readonly target: CheckedSide & {
    readonly exists: boolean
  }
  readonly plan: PlanPromise
  readonly deletes: DeletePromise
  readonly keyChanges: KeyChangePromise
  readonly back: BackPromise
  readonly ttl: TtlPromise
  readonly estimate: MoveEstimate
  readonly recipe: TargetRecipe
  /** Counts of the documents that were looked at; null without a sample. */
  readonly sample: CheckedSample | null
  readonly unknown: readonly UnknownFact[]
}

/**
 * A step that a user asks for. `switch`: the target becomes the container in charge. `back`: the source does again.
 * `finish`: ends the move with the target in charge. `abort`: ends it with the source in charge. `compare`: compares now.
 */
export type MoveCommand = 'switch' | 'back' | 'finish' | 'abort' | 'compare'

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

/** Null: unknown, with the reason in `unknown` of the answer. */
export interface MoveEstimate {
  readonly readRu: number | null
  readonly writeRu: number | null
  /** RU in each container to compare both once. */
  readonly compareRu: number | null
  readonly readRuPerSecond: number | null
  readonly writeRuPerSecond: number | null
  readonly seconds: number | null
  /** The side that decides the time. */
  readonly limitedBy: 'source' | 'target' | null
  readonly cost: number | null
  readonly currency: string | null
  /** Assumptions of the numbers. */
  readonly assumes: readonly string[]
}

/** Everything from which `checkMove` computes its answer. */
export interface MoveFacts {
  readonly source: CheckedContainer
  /** Null if there is no such container. */
  readonly target: CheckedContainer | null
  /** `database/container at host` of the target, also if it does not exist. */
  readonly targetName: string
  readonly plan: CheckedPlan
  readonly sample: Fact<SampleFacts>
  /** RU of one document of mean size. */
  readonly charges: Fact<CheckedCharges>
  readonly recipe: TargetRecipe
  readonly prices: Fact<CheckedPrices>
  readonly options: CheckedOptions
}

export interface MoveLimits extends TurnLimits {
  /** Time between two comparisons while changes are followed. */
  readonly compareEveryMs: number
}

/** How far a move is, and how fast. */
export interface MoveProgress {
  /** Documents of the first copy that are in the target, by all processes. A document that changed meanwhile counts again. */
  readonly copied: number
  /** Documents of the source when the process started; null if Cosmos DB did not tell. */
  readonly documents: number | null
  /** Writes in the container that is not in charge, by this process, on average over the last seconds. */
  readonly documentsPerSecond: number
  /** Time until all documents are copied; null if it is not known, and in other phases than `copy`. */
  readonly secondsLeft: number | null
  /** RU/s that this process uses, on average over the last seconds. */
  readonly ruPerSecond: Sides<number>
  /** RU/s that it may use: its share, or less after throttling; null if only throttling limits it, or before the first write. */
  readonly shareRuPerSecond: Sides<number | null>
  /** The comparison that runs; null if none does. */
  readonly comparison: Pick<CompareProgress, 'phase' | 'documents' | 'waiting'> | null
}

/** The state of a move at one moment. */
export interface MoveStatus {
  readonly phase: Phase
  readonly phaseAt: string | undefined
  readonly step: string
  /** When the step began. */
  readonly stepAt: string
  readonly copy: CopyStatus | undefined
  readonly lagSeconds: number | undefined
  readonly rejected: number
  readonly compared: JournalState['compared']
  /** Conditions of the switch, or of the way back. */
  readonly gates: readonly Gate[]
  /** Changes of others in the container that is not in charge any more. */
  readonly stragglers: number
}

/** A wait that lasts. */
export interface MoveWait {
  readonly reason: WaitReason
  /** Sentence with the details. */
  readonly detail: string
  /** Time at which the wait began. */
  readonly since: string
}

/** A move that this process runs. */
export interface OpenMove {
  /** Runs until the move has ended, or the signal aborts. Continues a move that another process has begun. */
  readonly run: (signal: AbortSignal) => Promise<void>
  readonly status: () => OpenMoveStatus
  readonly request: (command: MoveCommand) => Promise<{
    readonly isDone: boolean
    readonly message: string
  }>
  readonly close: () => Promise<void>
}

/** A container of a move that is open. */
export interface OpenMoveContainer extends MoveContainer {
  readonly stats: () => MoveContainerStats
  /** The wait for an answer of the container, which may have begun just now; undefined if there is none. */
  readonly waiting: () => ContainerWait | undefined
  /** Warnings about shares and, after the first write, about the container. */
  readonly warnings: () => readonly string[]
  /**
   * Uses only this part of both shares from now on, a number above 0 and at most 1, so that the move can make room for
   * other clients. Reads without a share are not limited.
   */
  readonly usePart: (part: number) => void
  /** Ends all reads, and waits for the answers of the writes for some time. */
  readonly close: () => Promise<void>
}

export interface OpenMoveOptions {
  readonly from: MoveContainerOptions
  readonly to: MoveContainerOptions
  readonly plan: PlanDefinition
  /** Folder of the journal. */
  readonly journal: string
  /** Container in which processes on several machines divide the ranges. Default: this process copies all of them. */
  readonly leases?: LeaseOptions
  /** `remaining`: a copy expires when its original would. `restart`: the time begins with the copy. */
  readonly ttl?: 'remaining' | 'restart'
  /** JSON pointer of the member that keeps the old id, for a plan that makes new ids. */
  readonly keepIdIn?: string
  /** `auto`: by the feed of all versions and deletes if the source has it, else by comparisons. */
  readonly deletes?: 'auto' | 'compare'
  /** Whether a deleted copy leaves a marker until the next step, so that a create that arrives late cannot bring it back. */
  readonly fence?: boolean
  readonly runHook?: RunHook
  readonly limits?: Partial<MoveLimits>
  readonly copyLimits?: Partial<CopyLimits>
  readonly onStep?: (sentence: string) => void
  readonly onRejected?: (source: Identity, code: string, message: string) => void
  /** Called with an error that does not end the move. */
  readonly onError?: (error: unknown) => void
}

export interface OpenMoveStatus extends MoveStatus, WatchedStatus {
  readonly at: string
  readonly from: string
  readonly to: string
  /** Number of ranges that this process copies; null if it copies all. */
  readonly ownRanges: number | null
  /** Part of the shares that is used, since the application is throttled; 1: all. */
  readonly part: number
  readonly chargedRu: {
    readonly from: number
    readonly to: number
  }
  readonly throttled: {
    readonly from: number
    readonly to: number
  }
  /** The error that has ended the process; null while it runs. */
  readonly failure: string | null
}

/**
 * Phases of a move. `copy` and `follow`: the source is in charge. `switch`: on the way to the target. `reverse`: the
 * target is in charge, and its changes are copied back. `back`: on the way back to the source, and then `follow` again.
 */
export type Phase = 'copy' | 'follow' | 'switch' | 'reverse' | 'back' | 'finished' | 'aborted'

export interface PlanPromise {
  readonly basis: 'identity' | 'fields'
  /** JSON pointers of the fields, other than old key and id, from which key and id follow. */
  readonly fields: readonly string[]
  readonly sentence: string
}

export interface QueueCounts {
  readonly stored: number
  readonly deleted: number
  /** Versions that were not written, because a newer one came before their turn. */
  readonly superseded: number
  readonly expiring: number
}

/** Position of a feed range: all changes before it are in the other container. */
export interface RangePosition {
  readonly range: FeedRange
  /** Position in the feed of latest versions; null: nothing is copied yet. */
  readonly latest: string | null
  /** Position in the feed of all versions and deletes; null: it is not read. */
  readonly versions: string | null
  /** Millisecond since 1970 at which `versions` was received: it must be younger than the retention of the feed. */
  readonly versionsAt: number | null
  /**
   * Session token of the newest answer: without it, a replica that is behind could return a document whose delete was
   * already followed.
   */
  readonly sessionToken: string | null
  /** Whether the reader has been at the end of the feed of latest versions. */
  readonly isCopied: boolean
  /** Documents that were copied from this range, and its parents. */
  readonly documents: number
}

/**
 * `repaired`: the difference is gone. `changed`: a document is another one than was shown, so nothing was written, or
 * the copy that was written may be old. `impossible`: no copy can be made.
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

export interface RequestOptions {
  /** An abort takes the request back if the running process has not answered it. */
  readonly signal?: StopSignal
  /**
   * Called at each poll without an answer, with the number of the running process. Undefined: no process runs the move,
   * and the request waits for one.
   */
  readonly onWait?: (pid: string | undefined) => void
}

/**
 * Runs a hook to its end; done at once if there is none. Never rejects. `signal`, of `before` only: the switch is called
 * off, so the hook may be ended.
 */
export type RunHook = (hook: HookName, facts: HookFacts, signal?: AbortSignal) => Promise<HookResult>

/** Counts of sampled documents, without values of them. */
export interface SampleFacts {
  /** Documents that were looked at. */
  readonly documents: number
  readonly meanBytes: number
  /** Mean number of values that enter the index. */
  readonly meanIndexedValues: number
  /** Mean bytes of an entry of the identity index, on the disk. */
  readonly meanEntryBytes: number
  /** Rejections of the plan, the most frequent first. */
  readonly rejected: readonly {
    readonly code: string
    readonly message: string
    readonly documents: number
  }[]
  /** Documents that are not copied, because they expire at once. */
  readonly expiring: number
  /** Documents whose new key and id another document of the sample has, too. */
  readonly collisions: number
  /** Documents that a unique key of the target refuses after another document of the sample. */
  readonly uniqueConflicts: number
  /** The new key with most bytes; null if no document was mapped. */
  readonly largestKey: {
    readonly hash: string
    readonly documents: number
    readonly share: number
  } | null
  /** Old keys with several documents in the sample, and those of them whose documents get several new keys. */
  readonly sharedKeys: number
  readonly tornKeys: number
  /** Documents whose life has an end; `inherited`: without a member `ttl`, so that their container decides. */
  readonly mortal: number
  readonly inherited: number
  /** Longest life of a document, in seconds; null if one never expires. */
  readonly longestLife: number | null
  /** Seconds that are left to the mortal documents, in ascending order. */
  readonly secondsLeft: readonly number[]
}

/** Names of the JavaScript that is stored in a container. */
export interface Scripts {
  readonly storedProcedures: readonly string[]
  readonly triggers: readonly string[]
  readonly functions: readonly string[]
}

/** A version of a document that was read. */
export interface SeenVersion {
  readonly place: Identity
  readonly etag: string
}

/** `stops`: the move does not begin. `needs confirmation`: it begins after a yes. `note`: it is good to know. */
export type Severity = 'stops' | 'needs confirmation' | 'note'

export interface StoreWrite {
  /** `create` gets the answer `exists` if there is a document with this identity. */
  readonly kind: 'upsert' | 'create' | 'replace'
  readonly document: MappedDocument
  readonly ifMatch?: string
}

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

/**
 * The identities in the target under which copies of a source document may be, for a mapper whose `basis` is `fields`.
 * An entry exists from before the write of the copy until after the acknowledged delete of it. It survives the end of
 * the process (not a power failure before `sync`).
 */
export interface TargetIndex {
  /** All identities under which copies of the document may be; empty if there is none. */
  readonly find: (source: Identity) => Promise<readonly Identity[]>
  /** Resolves when the entry survives the end of the process. Adding an entry twice has no effect. */
  readonly add: (source: Identity, target: Identity) => Promise<void>
  readonly remove: (source: Identity, target: Identity) => Promise<void>
  /** Resolves when the disk has all entries. Called before the position of a range is written to the journal. */
  readonly sync: () => Promise<void>
  readonly close: () => Promise<void>
}

/** How to create the target. */
export interface TargetRecipe {
  readonly partitions: number
  /** RU/s with which the target has these partitions; null for serverless. */
  readonly createRuPerSecond: number | null
  /** RU/s after the move; null for serverless, or if the throughput of the source is unknown. */
  readonly runRuPerSecond: number | null
  /** Definition of the container, as JSON. */
  readonly json: string
  /** Command of the Azure CLI. */
  readonly az: string
  /** Steps in the imperative, in their order. */
  readonly steps: readonly string[]
}

export interface TtlPromise {
  readonly sentence: string
  /** Documents of the sample whose copy gets a shorter `ttl`. */
  readonly shortened: number | null
  /** Days after which all documents of today are expired; null if letting them expire is no alternative. */
  readonly daysUntilExpired: number | null
}

/** A fact that could not be read. */
export interface UnknownFact {
  readonly what: string
  readonly reason: string
  /** Findings that it leaves open. */
  readonly leavesOpen: readonly FindingCode[]
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
  /**
   * Reads the documents of differences again, after they were copied again. Returns those that remain although the
   * container in charge has not changed since.
   */
  readonly recheck: (
    differences: readonly Difference[],
    inCharge: 'source' | 'target'
  ) => Promise<readonly Difference[]>
  /** Repairs one difference in the second container, if both documents are still the versions that were compared. */
  readonly repair: (difference: Difference) => Promise<RepairOutcome>
}

export interface VerificationOptions extends Pick<
  CompareOptions,
  'source' | 'target' | 'settleMs' | 'tries' | 'signal' | 'onProgress' | 'limits'
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

/** How far a move has read the change feed of all versions and deletes. */
export interface VersionsAge {
  /** All deletes before this time are known. */
  readonly readTo: string
  /** Minutes for which Cosmos DB keeps them. */
  readonly retentionMinutes: number
  /** Whether the container tells the retention. Otherwise it is the shortest one of a continuous backup, 7 days. */
  readonly isRetentionTold: boolean
}

/** The change feed of all versions and deletes. */
export interface VersionsFeed {
  readonly isOn: boolean
  /** Minutes that the feed goes back; null if the answers do not tell. */
  readonly retentionMinutes: number | null
  /** Kinds of changes that have the former version of the document; null if the answers do not tell. */
  readonly previousImages: 'none' | 'replaces' | 'deletes' | 'all' | null
}

/**
 * Reasons why a move waits. `source`, `target`: a container that does not answer. `source_share`, `target_share`: its
 * throughput is used up while the lag grows. `pause`, `postpone`: a file that an operator has created. `processes`: the
 * other processes of the move.
 */
export declare const WAIT_REASONS: readonly [
  'source',
  'target',
  'source_share',
  'target_share',
  'pause',
  'postpone',
  'processes'
]

export type WaitReason = (typeof WAIT_REASONS)[number]

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

/** Computes what a move can promise, what stops it, and what it costs. Pure. */
export declare function checkMove(facts: MoveFacts): MoveCheck

/** Counts what a plan does to documents, which must have their system properties. */
export declare function countSample(documents: Iterable<object>, options: CountSampleOptions): SampleFacts

/**
 * Prepares the comparison of two containers. Throws OPTION_INVALID, PLAN_INVALID or CONTAINER_MISMATCH before anything
 * is read.
 */
export declare function createVerification(options: VerificationOptions): Verification

/** The hash of an identity as 32 hexadecimal digits, for reports: ids and keys are often personal data. */
export declare function hashOfIdentity(identity: Identity): string

/** Whether the folder has the journal of a move that has begun, or whether another process has begun it. */
export declare function isMoveBegun(journal: string, leases?: LeaseOptions): Promise<boolean>

/**
 * Opens the identity index in a folder, which it creates. The folder belongs to a journal, whose lock protects it.
 * Throws JOURNAL_INVALID for damage. The entries are in a log on disk; a table in memory has their places.
 */
export declare function openFileTargetIndex(folder: string, options?: FileTargetIndexOptions): TargetIndex

/** Opens a move: its containers, its journal, and the folder through which other commands talk to it. */
export declare function openMove(options: OpenMoveOptions): Promise<OpenMove>

/** Opens a container of a move; resolves when it was found. It sends with low priority by default. */
export declare function openMoveContainer(options: MoveContainerOptions): Promise<OpenMoveContainer>

/** Reads what `checkMove` needs to know of a plan. Throws a PlanError for a plan that a move cannot use. */
export declare function readCheckedPlan(options: CopyOptions): CheckedPlan

/** The last status of the move of a journal, and the number of the process that runs it, if there is one. */
export declare function readMoveStatus(journal: string): Promise<{
  readonly status: OpenMoveStatus | undefined
  readonly pid: string | undefined
}>

/** Asks the process that runs the move of a journal for a step, and waits for the result. */
export declare function requestStep(
  journal: string,
  command: MoveCommand,
  options?: RequestOptions
): Promise<ControlResult>

/**
 * The warning that deletes will soon be known by comparisons only; undefined if there is none. `phase`: an ended move
 * needs no deletes.
 */
export declare function versionsWarning(
  age: VersionsAge | undefined,
  phase: JournalState['phase'],
  nowMs: number
): string | undefined

// Not exported; the declarations above refer to it.

/** First entry: the containers and the plan of the move. Another move cannot use the journal. */
interface BeginEntry {
  readonly type: 'begin'
  readonly at: string
  readonly from: MovedContainer
  readonly to: MovedContainer
  /** Fingerprint of the plan. */
  readonly plan: string
  /** Whether deleted copies leave markers. Default: false. */
  readonly fence?: boolean
  /** Directions without an index of identities, because previous images tell the former places. Default: none. */
  readonly images?: readonly Direction[]
}

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

/** A container that has not answered since a moment. */
interface ContainerWait {
  /** Moment of the clock. */
  readonly sinceMs: number
  /** Sentence with the last failure. */
  readonly detail: string
}

/** A move, as far as it decides how documents change. Both directions need the same options. */
interface CopyOptions {
  readonly plan: PlanDefinition
  /** Key paths of the source. */
  readonly sourceKeyPaths: readonly Pointer[]
  /**
   * `DefaultTimeToLive` of the source: seconds, or -1 if only documents with a member `ttl` expire; undefined if none
   * expires.
   */
  readonly sourceDefaultTtl: number | undefined
  /** `remaining`: a copy expires when its original would. `restart`: the time begins with the copy. */
  readonly ttl: 'remaining' | 'restart'
  /** JSON pointer of the member of the document that keeps the old id. Required if the plan makes new ids. */
  readonly keepIdIn?: string | undefined
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

/** `forward`: from the source to the target. `back`: from the target to the source, after the switch. */
type Direction = 'forward' | 'back'

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

/** Tells whether pages of changes have everything that was written before a moment. */
interface Freshness {
  /**
   * Session tokens that are at least as new as every write that was answered before the call, one for each physical
   * partition; undefined if they cannot be known.
   */
  readonly newestTokens: (signal?: AbortSignal) => Promise<readonly RangeToken[] | undefined>
  /** Whether an answer with the first token has all changes of the second; false for different physical partitions. */
  readonly covers: (answered: string, newest: string) => boolean
}

/** The sum of the entries. */
interface JournalState {
  /** Undefined for a new journal. */
  readonly begin: BeginEntry | undefined
  readonly phase: Phase
  /** When the phase began. */
  readonly phaseAt: string | undefined
  /** Whether the hook that moves the application has begun in this phase, and the turn was not called off since. */
  readonly isHookBegun: boolean
  /** Positions by direction, sorted by `min`, without overlap. */
  readonly ranges: Readonly<Record<Direction, readonly RangePosition[]>>
  /** Codes of the documents that cannot be copied, by the hash of their identity. */
  readonly rejected: Readonly<Record<Direction, ReadonlyMap<string, string>>>
  /** The last comparison. */
  readonly compared: ComparedEntry | undefined
}

interface LastChangesLimits {
  /**
   * Time for which a replica may be behind. The last changes are read for this time after the writes have ended, if the
   * source cannot tell what its last changes are.
   */
  readonly replicaLagMs: number
  /** Time for the last changes. */
  readonly drainMs: number
}

interface MovedContainer {
  /** Endpoint, database and container, without credentials. */
  readonly name: string
  /** Resource id: a container that was created again is another one. */
  readonly rid: string
}

interface Sides<T> {
  readonly from: T
  readonly to: T
}

interface TurnLimits extends GateLimits, LastChangesLimits {
  /** Comparisons after the writes have ended. */
  readonly maxComparisons: number
}

/** The part of the status of a move that is noticed from outside, in addition to its phases. */
interface WatchedStatus {
  /**
   * How deletes in the container in charge are seen; `expired`: by comparisons, since the feed was not on when the copy
   * began, or the move stood still for longer than its retention.
   */
  readonly deletes: 'feed' | 'compare' | 'expired'
  /** How far the feed of all versions and deletes was read; null if it is not read. */
  readonly versions: VersionsAge | null
  /** Current waits of the move. */
  readonly waits: readonly MoveWait[]
  /** Sentences about what will need a decision of a person. */
  readonly warnings: readonly string[]
  readonly progress: MoveProgress
}

export {}
