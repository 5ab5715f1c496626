// API report of @keystamp/planner, made by npm run docs. A change here is a change of the public API.

import type { KeyComponent } from '@keystamp/core'
import type { KeyDefinition } from '@keystamp/core'
import type { KeyRange } from '@keystamp/core'
import type { KeystampError } from '@keystamp/core'
import type { PlanDefinition } from '@keystamp/core'
import type { Source } from '@keystamp/core'

/** Properties of the answer of a query on which its charge depends. */
export interface AnswerSize {
  /** Physical partitions of the container. */
  readonly partitions: number
  /** Bytes of the answer. */
  readonly bytes: number
}

export interface AutoscaleLoad extends LoadShape {
  /** Rate that the peak needs: load of the busiest partition x partitions. Default: the maximum. */
  readonly neededRuPerSecond?: number | undefined
}

/** Container to create with the Azure CLI. Names that are missing become placeholders. */
export interface AzContainer {
  readonly account?: string | undefined
  readonly database?: string | undefined
  readonly container?: string | undefined
  readonly paths: readonly string[]
  /** Default: 2. */
  readonly hashVersion?: 1 | 2 | undefined
  readonly ttl: number | undefined
  /** RU/s, or autoscale maximum; null without. */
  readonly ruPerSecond: number | null
  /** Default: `manual`. */
  readonly mode?: ThroughputMode | undefined
  /** Further options, such as `--idx @indexing.json`. */
  readonly options?: readonly string[]
}

/** Memory of a block, which threads can share. */
export interface BlockMemory {
  /** Bytes of the records, one after the other. */
  readonly bytes: Uint8Array
  /** Where each record ends in `bytes`, and the next one begins. */
  readonly ends: Int32Array
  readonly rows: Int32Array
}

/** Burst capacity of a physical partition; null at 3,000 RU/s and above. It is optional, and not guaranteed. */
export interface Burst {
  readonly ruPerSecond: number
  /** Seconds at that rate, after five minutes without load. */
  readonly seconds: number
}

/** A key that the planner considers. */
export interface Candidate extends KeyCandidate {
  readonly kind: CandidateKind
  /** Levels of the key, each with its fields. A key that is not hierarchical has one level. */
  readonly levels: readonly CandidateLevel[]
  /** Work for the users of the key, 0 for none. Of two keys with nearly the same price, the one with less work wins. */
  readonly effort: number
}

export interface CandidateReport {
  /** 1 for the verdict. */
  readonly rank: number
  /** Such as `/deviceId + day of /at`. */
  readonly name: string
  /** Key plan; null if the container uses a field of the documents without a change. */
  readonly plan: PlanDefinition | null
  readonly partitionKeyPaths: readonly string[]
  readonly usableShare: Interval | null
  readonly worstMinute: {
    readonly at: string
    readonly usableShare: number
    readonly neededRuPerSecond: number | null
  } | null
  readonly effectiveKeys: {
    readonly second: WindowFigure | null
    readonly minute: WindowFigure | null
    readonly hour: WindowFigure | null
  } | null
  readonly distinctKeys: {
    readonly low: number
    readonly mid: number | null
    readonly high: number | null
  }
  readonly neededRuPerSecond: number | null
  readonly physicalPartitions: number | null
  /** Lowest price in `price` without reserved capacity, in its currency, including storage and index containers. */
  readonly monthlyPrice: number | null
  /** Prices of the container without its index containers. */
  readonly price: Price | null
  /** Index containers, in which queries that do not contain the key find it. `monthlyPrice` includes their prices. */
  readonly indexContainers: readonly IndexContainer[]
  readonly largestKey: {
    readonly share: Interval
    readonly gb: number | null
    /** Date on which the logical partition reaches 20 GB; null if it does not, or if the growth is unknown. */
    readonly fullOn: string | null
  } | null
  /** Share of the load by range, in the order of the hash space, for `physicalPartitions` ranges. */
  readonly loadByRange: readonly number[]
  /** Most frequent keys. */
  readonly heavy: readonly {
    readonly hash: string
    /** The key itself, only with `--show-values`. */
    readonly value?: string
    readonly share: Interval
    readonly gb: number | null
  }[]
  readonly queries: readonly QueryReport[]
  /** Share of the transactions whose records would have different keys; null if no transactions were given. */
  readonly tornTransactions: number | null
  readonly hardLimits: readonly string[]
  readonly warnings: readonly string[]
  /** Reason why the candidate is not the verdict; null for the verdict. */
  readonly whyNot: string | null
  /** Sentences that say where queries go under this key. */
  readonly readers: string
  /** Reasons for the figures that are null, by their path in this object, such as `worstMinute`. */
  readonly unknown: Readonly<Record<string, string>>
}

/** Properties of a query on which its charge depends. */
export interface ChargedQuery {
  /** Number of physical partitions to which the query goes. */
  readonly ranges: number
  /** Total size of the documents in the answer. */
  readonly resultBytes: number
  readonly consistency: Workload['consistency']
}

/** Properties of a write on which its charge depends. */
export interface ChargedWrite {
  readonly operation: WriteLoad['operation']
  readonly itemBytes: number
  /** Indexed values of a document. */
  readonly indexedValues: number
  /** Indexed values that an update changes; all of them if missing, which is the most expensive case. */
  readonly changedValues?: number | undefined
  /** Operations of a patch; `changedValues` if missing. */
  readonly patchOperations?: number | undefined
  /** Share of the upserts that find a document, 0 to 1; 0 if missing. */
  readonly existingShare?: number | undefined
}

export interface Check {
  readonly name: CheckName
  readonly title: string
  readonly state: 'found' | 'clear' | 'unseen'
  /** Null if it was not seen, or if there is nothing to measure. */
  readonly value: number | null
  readonly unit: CheckUnit
  /** Number from which on the check finds something. */
  readonly threshold: number
  /** Meaning of the number and of the threshold. */
  readonly measures: string
}

export type CheckName =
  | 'hot-key'
  | 'many-keys-in-one-range'
  | 'uneven-splits'
  | 'moving-hot-spot'
  | 'key-near-20-gb'
  | 'range-near-50-gb'
  | 'unusable-throughput'
  | 'merge-possible'
  | 'wide-queries'

/** Unit of a number: a share from 0 to 1, gigabytes, or a count of physical partitions. */
export type CheckUnit = 'share' | 'GB' | 'partitions'

export interface Compared {
  readonly predicted: number
  readonly measured: number
}

export interface Comparison {
  readonly candidate: string
  /** `present`: the key of the present container. `worst`: the least even of the fields that queries filter by. */
  readonly why: 'present' | 'worst'
  readonly heat: HeatMap | null
}

/** A candidate, and the counts of its keys in the first records. */
export interface Counted {
  readonly candidate: Candidate
  readonly profile: KeyProfile
  /** Difference between the share of the busiest range at one time and over all records. Default: 0. */
  readonly concentration?: number
}

/** Load by key, range and window. */
export interface CountedLoad {
  readonly total: number
  /** Number of writes or rows. */
  readonly events: number
  /** In the order of the ranges. */
  readonly byRange: Float64Array
  /** For each window: the weight by range. */
  readonly windows: readonly Float64Array[]
  /** Number of events in each window. */
  readonly windowEvents: Float64Array
  readonly distinctKeys: number
  /** Heaviest keys first. */
  readonly keys: readonly LoadedKey[]
  /** Weight by which a key may be heavier than it was counted. */
  readonly error: number
}

/** Mean utilization above which one pricing model is cheaper than another; null if it never is, or is not available. */
export interface Crossovers {
  /** Manual is cheaper than autoscale above it. */
  readonly manualOverAutoscale: number | null
  /** Manual is cheaper than serverless above it. */
  readonly manualOverServerless: number | null
  /** Autoscale is cheaper than serverless above it. */
  readonly autoscaleOverServerless: number | null
}

/** A field of generated records, which replace a sample. */
export interface DescribedField {
  /** Name, or JSON pointer. */
  readonly name: string
  /** Number of distinct values. */
  readonly values: number
  /** Exponent of a Zipf distribution; 0: all values are equally frequent. */
  readonly zipf: number
  /** Share of the records that always have the first value; 0 for none. */
  readonly top: number
}

/** Limits of `discoverFields`. */
export interface DiscoverOptions {
  /** JSON pointers of fields that are always returned, for example those that queries filter by, and the time field. */
  readonly keep?: readonly string[]
  /** Maximum rank of the returned paths; paths in `keep` are returned at any rank. Default: 30. */
  readonly most?: number
}

/** Distinct keys of the population: `mid` and `high` are null if its size is unknown. */
export interface DistinctKeys {
  readonly low: number
  readonly mid: number | null
  readonly high: number | null
}

/** Candidate that is no longer counted, because another one is better. */
export interface Dominated {
  readonly candidate: Candidate
  readonly why: string
}

/** A container under even load, after a rate is set and the splits are complete. */
export interface EvenUse {
  readonly ruPerSecond: number
  readonly partitions: number
  /** Share of the hash space of the widest range. */
  readonly widestShare: number
  /** RU/s that a load can use if it is spread evenly over the hash space. */
  readonly usableRuPerSecond: number
  readonly usableShare: number
}

/** GB of the documents, and the number of physical partitions that an even key needs. */
export interface ExpectedSize {
  readonly gb: number | null
  readonly partitions: number
}

/** Figures for other rates and numbers of partitions, and the inputs from which the page computes them. */
export interface Explore {
  readonly gb: number | null
  readonly regions: number
  readonly multiRegionWrites: boolean
  readonly meanUtilization: number | null
  readonly prices: PriceList
  /** The first candidate, and then the key in `comparison`. */
  readonly candidates: readonly ExploredKey[]
}

export interface ExploredKey {
  readonly candidate: string
  /** Price of the index containers per month, which does not depend on the rate; 0 without them. */
  readonly indexMonthlyPrice: number
  /** RU/s of all operations that go to the physical partition of their key; null if unknown. */
  readonly loadRuPerSecond: number | null
  readonly at: readonly ExploredPartitions[]
}

export interface ExploredPartitions {
  readonly partitions: number
  readonly usableShare: Interval | null
  /** Share of the busiest range in the load, from which the needed rate is computed; null if unknown. */
  readonly busiestShare: number | null
  /** Additional RU/s of each range, from queries that go to several ranges. */
  readonly everyRangeRuPerSecond: number
  readonly loadByRange: readonly number[]
}

/** Figures of a key for a rate and a number of physical partitions that the user chooses. */
export interface ExploredRate {
  readonly partitions: number
  readonly ruPerSecond: number
  /** RU/s that each physical partition provides. */
  readonly limitRuPerSecond: number
  /** RU/s that the load can use; null if the usable share is unknown. */
  readonly usableRuPerSecond: number | null
  /** RU/s that must be provisioned for the load; null if no rate is enough, or the load is unknown. */
  readonly neededRuPerSecond: number | null
  /** Load of the busiest physical partition; null if unknown. */
  readonly busiestRangeRuPerSecond: number | null
  /** Whether the chosen rate is enough for the load; null if unknown. */
  readonly isEnough: boolean | null
  /** Reason why no rate is enough for the load. */
  readonly reason: string | null
  readonly price: Price
  /** Cheapest pricing model without a contract, with storage. */
  readonly monthlyPrice: number | null
}

/** Counts of the values of one path in the records of a sample. */
export interface FieldSummary {
  /** JSON pointer. */
  readonly path: string
  /** Number of records. */
  readonly records: number
  /** Number of records that have the field, with any value. */
  readonly present: number
  readonly types: FieldTypes
  /** Number of empty strings. */
  readonly empty: number
  /** In the first records: number of distinct values, and number of records that have a value. */
  readonly distinct: number
  readonly discovered: number
  /** Length of the strings and numbers in bytes, as in the JSON, where escapes make a string longer; 0 without any. */
  readonly minBytes: number
  readonly maxBytes: number
  /** Number of strings of more than 101 bytes: a container with hash version 1 hashes only their beginning. */
  readonly over101: number
  /** Number of strings of more than 2,048 bytes, the maximum length of a key. */
  readonly over2048: number
  /** Number of strings that contain the separator `-`. */
  readonly withSeparator: number
  /** Form of time of the values in the first records; null if they are not times. */
  readonly time: TimeForm | null
  /** Whether all values of the first records are different. */
  readonly isId: boolean
  /** Kind of personal data that the name or the values suggest. */
  readonly personal: PersonalData | null
  /** For each half of the sample: number of records without the field, with null, and with another value. */
  readonly halves: Halves | null
}

/** Number of records by the type of the value. `number` includes `integer`. */
export interface FieldTypes {
  readonly string: number
  readonly number: number
  readonly integer: number
  readonly boolean: number
  readonly null: number
  readonly object: number
  readonly array: number
}

/** A figure, or the reason why it is not known. */
export type Figure<T> =
  | {
      readonly value: T
      readonly reason: null
    }
  | {
      readonly value: null
      readonly reason: string
    }

export interface Finding {
  readonly name: CheckName
  readonly title: string
  readonly value: number
  readonly unit: CheckUnit
  readonly reason: string
  readonly remedy: string
  /** Physical partition; null if the finding is about the whole container. */
  readonly range: string | null
  /** Hash of the key; null if the finding is not about one key. */
  readonly key: string | null
}

/** Candidates, and their counts in the first records. */
export interface FirstCounts {
  readonly candidates: readonly Candidate[]
  readonly sample: Pick<SampleProfile, 'records' | 'keys' | 'transactions'>
  /** Difference between the share of the busiest range at one time and over all records. `candidate`: its number. */
  readonly concentrationOf: (candidate: number) => number
  readonly queries: readonly QueryLoad[]
  /** Number of physical partitions that the load and the data will need. */
  readonly partitions: number
}

export interface Frequency {
  /** Records of a key. */
  readonly records: number
  /** Keys that have this number of records. */
  readonly keys: number
}

/** Counts in the two halves of a sample, for the same cells, such as large slices of the hash space. */
export interface Halves {
  readonly first: Float64Array
  readonly second: Float64Array
}

export interface HeatMap {
  readonly candidate: string
  /** Start of each window, ISO 8601. */
  readonly minutes: readonly string[]
  readonly ranges: number
  /** For each window: the share of its load by range. */
  readonly values: readonly (readonly number[])[]
}

export interface HygieneFinding {
  /** JSON pointer of the property. */
  readonly path: string
  readonly finding: string
  readonly records: number
}

/** A container of small entries: the fields that a query filters by, and the key and the id of a document. */
export interface IndexContainer {
  /** Such as `/email`. */
  readonly name: string
  /** Key plan of the entries; null if one field of the documents is the key. */
  readonly plan: PlanDefinition | null
  readonly partitionKeyPaths: readonly string[]
  /** Names of the queries that read the index container. */
  readonly queries: readonly string[]
  readonly neededRuPerSecond: number
  readonly physicalPartitions: number
  readonly gb: number | null
  readonly monthlyPrice: number
}

/** An estimate: the middle, and bounds between which the true value lies with 95 % confidence. */
export interface Interval {
  readonly low: number
  readonly mid: number
  readonly high: number
}

/** A key to be measured. */
export interface KeyCandidate {
  readonly name: string
  /** Key plan; null if the values at the paths are the key. */
  readonly plan: PlanDefinition | null
  readonly partitionKeyPaths: readonly string[]
  /** Hash version of a container without a plan. Default: 2. */
  readonly hashVersion?: 1 | 2
}

export interface KeyCount {
  /** First 16 digits of the partition hash, as `keystamp locate` shows it; all levels of a hierarchical key. */
  readonly hash: string
  /** Values of the key, one for each level. They are kept only for frequent keys; otherwise null. */
  readonly values: readonly (string | number | boolean | null | undefined)[] | null
  /** Position of the hash in the hash space: 0 up to 1. */
  readonly position: number
  readonly records: number
  readonly bytes: number
  /** Upper bound of the records that `records` counts in excess; 0 if `records` is exact. */
  readonly error: number
}

/** Keys of a sample, and their frequencies. */
export interface KeyCounts {
  /** Number of distinct keys, and of keys that occur once. Estimates if `isExact` is false. */
  readonly distinct: number
  readonly once: number
  /** Lower bound of the number of distinct keys in the sample; equal to `distinct` if `isExact` is true. */
  readonly atLeast: number
  /** Whether all keys were counted. */
  readonly isExact: boolean
  /** Most frequent keys first, at most 1,000 of them (all keys, if there are fewer). */
  readonly heavy: readonly KeyCount[]
  /** Number of keys for each number of records, in ascending order of records. Estimates if `isExact` is false. */
  readonly frequencies: readonly Frequency[]
  /** Every key, in no particular order; null if `isExact` is false. */
  readonly all: AllKeys | null
}

/**
 * Counts of a sample for one candidate key. A key is identified by the hash that Cosmos DB computes, and never by its
 * text. The inherited properties of KeyCounts count whole keys, which are logical partitions.
 */
export interface KeyProfile extends KeyCounts {
  /** Records that have the key, and records that the key rejects. */
  readonly records: number
  readonly rejected: number
  /** Codes of rejections, each with its number of records. */
  readonly rejections: readonly {
    readonly code: string
    readonly records: number
  }[]
  /** Number of records without a value at one of the paths: Cosmos DB stores them under the key `None`. */
  readonly missing: number
  readonly bytes: number
  /**
   * Counts of the values that determine the range of a record. In a new container, a range is an interval of the hash
   * of the first level. So these are the counts of the first level of a hierarchical key, or else of the key.
   */
  readonly placed: KeyCounts
  /** Records by slice of the hash space: equal slices in the order of the hash, a power of two, at least 4,096. */
  readonly slices: Float64Array
  readonly sliceBytes: Float64Array
  /** Counts of the two halves of the sample, for a comparison; null if there are no two halves. */
  readonly halves: Halves | null
}

/** Microsoft's list prices in the United States, read in May 2026. The planner never reads prices from the network. */
export declare const LIST_PRICES: PriceList

/** Counts a load, such as writes or request units, in constant memory. */
export interface LoadCounter {
  /** Adds to the load of a key. Returns false for a key that cannot be hashed. */
  readonly add: (values: readonly KeyComponent[], window: number, weight: number) => boolean
  readonly finish: (isRead?: (window: number) => boolean) => CountedLoad
}

export interface LoadCounterOptions {
  readonly definition: KeyDefinition
  /** Sorted by `min`. */
  readonly ranges: readonly KeyRange[]
  readonly windows: number
}

/** A load that was counted, and the time it was counted in. */
export interface LoadInput {
  readonly source: XrayedLoad['source']
  readonly counted: CountedLoad
  /** Seconds whose load was counted. */
  readonly seconds: number
  /** Begin of each window, ISO 8601. */
  readonly windowStarts: readonly string[]
}

/** Changes of the load over time. */
export interface LoadShape {
  /** Load of each hour as a share of the peak, 0 to 1. Any number of hours, which repeat. */
  readonly hourlyShares?: readonly number[] | undefined
  /** Mean load of a month as a share of the peak, 0 to 1, if the hours are unknown. Default: 1. */
  readonly meanUtilization?: number | undefined
}

/** Load of one key. `weight` is at most `error` too low. */
export interface LoadedKey {
  readonly hash: string
  readonly values: readonly KeyComponent[]
  /** Number of the range. */
  readonly range: number
  readonly weight: number
  /** Weight in each window. */
  readonly windows: Float64Array
}

/** Rows of one container in an export of Log Analytics. */
export interface LogExport {
  readonly uses: readonly LoggedUse[]
  readonly queries: readonly LoggedQuery[]
  /** Seconds from the first to the last row. */
  readonly seconds: number
  /** Rows that have no usable time, number or key. */
  readonly skipped: number
}

export type LogRow = Readonly<Record<string, unknown>>

/** Names of the container whose rows are wanted; rows of other containers are left out. */
export interface LoggedContainer {
  readonly database: string
  readonly container: string
}

/** All executions of one query text, from rows of CDBQueryRuntimeStatistics. */
export interface LoggedQuery {
  readonly text: string
  readonly perSecond: number
  /** Physical partitions that an execution asked on average. */
  readonly ranges: number
}

/** Request units of one key, from a row of CDBPartitionKeyRUConsumption. */
export interface LoggedUse {
  /** Values of the partition key, one for each level; undefined for a missing one. */
  readonly values: readonly KeyComponent[]
  readonly ru: number
  /** Milliseconds since 1970. */
  readonly atMs: number
}

export interface Looked {
  /** ISO 8601. */
  readonly at: string
  /** Begin of the period in which writes were read, ISO 8601. */
  readonly since: string
  /** Seconds of the period whose writes were read. */
  readonly readSeconds: number
  readonly requests: number
  readonly chargeRu: number
  readonly maxRuPerSecond: number
}

/** Maximum RU/s of a container without a support request to Microsoft. */
export declare const MAX_CONTAINER_RU = 1000000

/** Maximum size of a logical partition (all documents of one key) in GB. */
export declare const MAX_LOGICAL_PARTITION_GB = 20

/** Maximum size of a physical partition in GB, with index. */
export declare const MAX_PARTITION_GB = 50

/** Maximum RU/s of a physical partition. */
export declare const MAX_PARTITION_RU = 10000

/** Maximum number of physical partitions that the planner considers. */
export declare const MAX_PLANNED_PARTITIONS = 1000

/** Measured figures of one key in the local emulator, and the predictions for the same records and partitions. */
export interface MeasuredKey {
  readonly candidate: string
  /** Physical partitions of the container, and its provisioned RU/s. */
  readonly partitions: number
  readonly ruPerSecond: number
  /** Length of the measurement, without the warm-up. */
  readonly seconds: number
  /** Number of writes that were accepted during the measurement. */
  readonly writes: number
  /** Share of the provisioned RU/s that the writes used. The records were sent in their order, as fast as possible. */
  readonly usableShare: Compared
  /** Share of its RU/s that the busiest physical partition used. Below 0.9, the machine was the limit, not the key. */
  readonly busiestPartitionUse: number
  /** Mean milliseconds from a request to its answer. Above 100, the machine limited the writes, too. */
  readonly requestMs: number
  /** Mean RU of one write. */
  readonly writeRu: Compared
  readonly queries: readonly MeasuredQuery[]
  /** Limits of this measurement, one sentence each. */
  readonly notes: readonly string[]
}

/** Means of a query that was run with the values of several records. */
export interface MeasuredQuery {
  readonly name: string
  readonly kind: 'point' | 'key' | 'ranges' | 'all'
  /** Number of physical partitions to which the query goes. */
  readonly ranges: Compared
  /** RU of one query. The prediction is for answers of the measured size. */
  readonly ru: Compared
}

/** A measurement: records of a sample are written as fast as possible, in the order of the sample. */
export interface MeasuredWrites {
  /** Physical partitions. */
  readonly ranges: number
  /** Operations that the writer sends before it waits for an answer. */
  readonly inFlight: number
  /** Makes a seeded source of random numbers; equal calls give equal numbers. */
  readonly random: () => () => number
}

/** Prices per month. Null: not possible, or unknown. */
export interface MonthlyPrices {
  readonly manual: number | null
  readonly autoscale: number | null
  readonly serverless: number | null
  /** Prices of manual throughput with capacity that is reserved for one or three years. */
  readonly reservedOneYear: number | null
  readonly reservedThreeYears: number | null
  /** Price of the storage, in addition to each of the other prices. */
  readonly storage: number | null
  readonly currency: string
  readonly listDate: string
  /** Reasons for the prices that are null. */
  readonly unknown: Readonly<Record<string, string>>
}

export interface NeededThroughput {
  readonly partitions: number
  /** `present`: the container has more partitions than the data and the load need, and cannot have fewer. */
  readonly decidedBy: 'storage' | 'throughput' | 'one' | 'present'
  /** Rate for the load, or autoscale maximum. */
  readonly ruPerSecond: number
  /** Rate of the first step of the path of a new container; null for a present one. */
  readonly createRuPerSecond: number | null
  /** Minimum rate that can be set after the rates of `path`. */
  readonly leastRuPerSecond: number
  /** Load of the busiest range. */
  readonly busiestRangeRuPerSecond: number
  /** Load, divided by the rate of the whole container that its busiest range requires. */
  readonly usableShare: number
  /** Price of the throughput per month, without storage. */
  readonly monthlyPrice: number
  /** Rates to set one after the other. Partitions of an existing container also split when its data grows. */
  readonly path: readonly RateStep[]
  /** Whether a rate of the path is above 1,000,000 RU/s, which needs a support request. */
  readonly isAboveQuota: boolean
}

/** Days until the first physical partition is full and splits. */
export interface NextSplit {
  /** If the data is spread as unevenly as is usual: the first split is at a mean of 30 GB per partition. */
  readonly earliestDays: number
  /** If all partitions are equally full. */
  readonly latestDays: number
}

/** GB of data per physical partition that the planner assumes. The limit is 50, and 30 to 45 are usual. */
export declare const PLANNED_PARTITION_GB = 40

export interface PageOptions {
  /** Computes the SHA-256 of a string in UTF-8, as base64. The content policy allows scripts and styles by this hash. */
  readonly sha256: (text: string) => string
}

export interface PartitionsNeeded {
  readonly count: number
  readonly decidedBy: 'storage' | 'throughput' | 'one'
  readonly gb: number | null
  readonly ruPerSecond: number | null
}

export type PersonalData = 'e-mail' | 'phone' | 'name' | 'identity number' | 'address'

/** Result of the planner. The text and the page are made from this object alone. It has a published JSON Schema. */
export interface PlanReport {
  readonly schemaVersion: 1
  readonly sample: SampleSummary
  readonly verdict: Verdict
  /** Physical partitions that the verdict needs; null if no candidate is possible. */
  readonly partitions: PartitionsNeeded | null
  /** Best first. */
  readonly candidates: readonly CandidateReport[]
  /** The verdict for other times to live; empty if the workload contains the time to live. */
  readonly retention: readonly RetentionRow[]
  /** Load by range and minute under the first candidate; null without candidates, or without a time field. */
  readonly heat: HeatMap | null
  /** Key that the page shows next to the first candidate; null if there is no other. */
  readonly comparison: Comparison | null
  /** Figures of these two keys for other numbers of physical partitions; null without candidates. */
  readonly explore: Explore | null
  readonly recipe: Recipe | null
  /** The best keys in the local emulator (`--measure`); null without a measurement. */
  readonly measured: readonly MeasuredKey[] | null
  readonly hygiene: readonly HygieneFinding[]
  /** For each group of figures: the inputs that they are based on. */
  readonly basis: Readonly<Record<string, string>>
  /** For each group of figures: true if all records were counted, false if the figures are estimates. */
  readonly exact: Readonly<Record<string, boolean>>
  /** Fields and candidates that were dropped, each with the reason. */
  readonly dropped: readonly {
    readonly name: string
    readonly why: string
  }[]
  /** Inputs that were not given, the most important first, and the figures that they could change. */
  readonly assumptions: readonly {
    readonly what: string
    readonly couldChange: string
  }[]
  /** The workload as strings, for the page. */
  readonly workload: readonly {
    readonly name: string
    readonly value: string
  }[]
  /** Reasons for the figures outside `candidates` that are null, by their path in this object, such as `heat`. */
  readonly unknown: Readonly<Record<string, string>>
}

/** An existing container whose ranges are equally wide, as in a new container. */
export interface PresentContainer {
  readonly partitions: number
  readonly ruPerSecond: number
  /** Highest rate, or autoscale maximum, that the container ever had. Default: `ruPerSecond`. */
  readonly highestRuPerSecond?: number | undefined
}

export interface Price {
  readonly manual: number | null
  readonly autoscale: number | null
  readonly serverless: number | null
  readonly reserved: number | null
  readonly storage: number | null
  readonly currency: string
  /** Date of the price list, such as `2026-05-01`. */
  readonly listDate: string
}

/** List prices of one currency and region. */
export interface PriceList {
  /** Date on which the prices were read, such as `2026-05-01`. */
  readonly listDate: string
  readonly currency: string
  readonly region: string
  readonly hoursPerMonth: number
  /** Price of 100 RU/s per hour, in each region of an account with one write region. */
  readonly manualPer100RuHour: number
  readonly autoscalePer100RuHour: number
  /** Price of 100 RU/s per hour, in each region of an account that writes in several regions. */
  readonly multiWriteManualPer100RuHour: number
  readonly multiWriteAutoscalePer100RuHour: number
  readonly serverlessPerMillionRu: number
  /** Price of a GB (data and index) per month, in each region. */
  readonly storagePerGbMonth: number
  /** Discounts of reserved capacity on the manual price, 0 to 1. */
  readonly reservedOneYear: number
  readonly reservedThreeYears: number
}

/** Regions of an account. The price is multiplied by their number. */
export interface PricedAccount {
  readonly regions: number
  readonly multiRegionWrites: boolean
}

/** Throughput, load and storage of one container. */
export interface PricedThroughput extends LoadShape, PricedAccount {
  /** Manual rate that the load needs; null if none is possible. */
  readonly manualRuPerSecond: number | null
  /** Autoscale maximum that the load needs; null if none is possible. */
  readonly autoscaleMaxRuPerSecond: number | null
  /** Load in RU/s at its peak; null if unknown. */
  readonly peakRuPerSecond: number | null
  /** Rate that the peak needs: load of the busiest partition x partitions. Default: `peakRuPerSecond`. */
  readonly neededRuPerSecond?: number | undefined
  /** Share of the busiest of `ranges` ranges in the load, for the limit of serverless. Default: 1 / ranges. */
  readonly busiestShareOf?: ((ranges: number) => number) | undefined
  /** GB of data without index; null if unknown. */
  readonly gb: number | null
  /** Size of the index as a share of the data, 0 to 1; 10 to 20 % is usual. Default: 0.15. */
  readonly indexShare?: number | undefined
}

/** Counts the keys of candidates in one pass over the records of a sample. */
export interface Profiler {
  /** Counts the JSON record in `bytes[start, end)`. Plans with Kafka components need its source. */
  readonly add: (bytes: Uint8Array, start?: number, end?: number, source?: Source) => void
  /** Reads records into rows. A reader with the same options can do it in another thread. */
  readonly rowReader: RowReader
  /** Counts the records of a block by its rows. */
  readonly addBlock: (block: RecordBlock) => void
  /** Stops counting a candidate, by its number. */
  readonly drop: (candidate: number) => void
  /** Counts of a candidate so far, by its number; null if it was dropped. */
  readonly peek: (candidate: number) => KeyProfile | null
  readonly finish: () => SampleProfile
}

export interface ProfilerOptions extends RowOptions {
  /** Seeded source of numbers from 0 up to, but not including, 1. */
  readonly random: () => number
  /** Distinct keys of all candidates together that are counted exactly. Default: 2,000,000. */
  readonly maxKeys?: number
  /** Records that are kept for figures about time. Default: 262,144. */
  readonly reservoirSize?: number
}

/** Candidates, and the fields that no candidate uses, each with the reason. */
export interface Proposal {
  readonly candidates: readonly Candidate[]
  /** Keys of index containers: the other fields that queries filter by. They must be counted, too. */
  readonly lookups: readonly Candidate[]
  readonly dropped: readonly {
    readonly name: string
    readonly why: string
  }[]
}

/** Filters that determine to which physical partitions a query goes. */
export type QueryFilters = Pick<QueryLoad, 'equal' | 'several' | 'between' | 'byId'>

export interface QueryLoad {
  /** The query as the user wrote it. */
  readonly name: string
  readonly perSecond: number
  /** Fields with an equality filter, as JSON pointers. */
  readonly equal: readonly string[]
  /** Fields of `equal` for which the query has several values, for example with IN, and the number of these values. */
  readonly several?:
    | readonly {
        readonly field: string
        readonly values: number
      }[]
    | undefined
  /** Fields with a range filter, and for a time the length of the range if it is known. */
  readonly between: readonly {
    readonly field: string
    readonly seconds?: number | undefined
  }[]
  /** Whether there is a filter on the id. `equal` then contains the id. With the whole key, this is a point read. */
  readonly byId: boolean
  /** Number of documents in an answer. */
  readonly rows: number
  /** Notes on ignored parts of the query, and on assumptions. Each completes a sentence that begins with its name. */
  readonly notes?: readonly string[] | undefined
}

export interface QueryReport {
  readonly name: string
  /** A point read, one logical partition, some ranges, or all ranges. */
  readonly kind: 'point' | 'key' | 'ranges' | 'all'
  readonly ranges: number | null
  readonly ruPerSecond: number | null
}

export interface Raise {
  readonly before: EvenUse
  /** After the new rate is set in one step. */
  readonly direct: EvenUse
  /** After the rates of `path`; equal to `direct` if an even load can then use all of the rate. */
  readonly better: EvenUse
  readonly path: readonly RateStep[]
  /** Minimum rate that can be set after the path. */
  readonly leastRuPerSecond: number
}

export interface RaiseOptions {
  /** Default: `manual`. */
  readonly mode?: ThroughputMode | undefined
  readonly gb?: number | null | undefined
}

/** A physical partition as it was read. */
export interface RangeInput {
  readonly id: string
  readonly min: string
  readonly max: string
  readonly throughputFraction: number
  /** Null without statistics. */
  readonly bytes: number | null
  readonly documents: number | null
  readonly largestKeys: readonly (XrayedKey & {
    readonly bytes: number
  })[]
}

/** Facts that raise the minimum rate of a container. */
export interface RateHistory {
  readonly gb?: number | null | undefined
  /** Highest rate, or autoscale maximum, that the container ever had. */
  readonly highestRuPerSecond?: number | undefined
}

/** Rate to set, and the physical partitions that the container then has. */
export interface RateStep {
  readonly kind: 'create' | 'raise' | 'lower'
  readonly ruPerSecond: number
  /** Number of physical partitions after the splits. */
  readonly partitions: number
  /** Whether the rate needs splits, which take hours. */
  readonly splits: boolean
}

/** A quantity, or the reason why it cannot be read. The reason continues a sentence that begins with a name. */
export type Reading<T = number> =
  | {
      readonly ok: true
      readonly value: T
    }
  | {
      readonly ok: false
      readonly reason: string
    }

export interface Recipe {
  /** Content of the plan file; null if the verdict needs no plan. */
  readonly plan: PlanDefinition | null
  readonly container: {
    readonly json: string
    readonly az: string
    readonly bicep: string
    readonly terraform: string
  }
  readonly createRuPerSecond: number | null
  readonly runRuPerSecond: number | null
  /** Steps in their order. */
  readonly steps: readonly string[]
}

/** Records, and their rows. One thread can fill a block and count its rows, and another one can read the rows. */
export declare class RecordBlock {
  readonly memory: BlockMemory
  /** Number of records. */
  records: number
  /** Whether the rows are complete. */
  isRead: boolean
  /** `size`: bytes of its records. `rowLength`: that of the reader. */
  constructor(size: number, maxRecords: number, rowLength: number)
  get size(): number
  /** Copies a record to the end of the block. Returns false if it has no room for it. */
  add(record: Uint8Array): boolean
  /** Reads the rows. */
  read(reader: RowReader): void
  clear(): this
}

export interface RefineOptions {
  readonly fields: readonly FieldSummary[]
  readonly queries: Workload['queries']
  /** Fields that change during the life of a document: a suffix must not depend on them. */
  readonly changingFields: readonly string[]
  /** Physical partitions that the load and the data will need. */
  readonly partitions: number
  /** GB of all documents; null if unknown. */
  readonly gb: number | null
}

/** Inputs of a report. */
export interface ReportInput {
  /** Candidates in the order in which the sample counted them. */
  readonly candidates: readonly Candidate[]
  readonly dropped: PlanReport['dropped']
  readonly sample: SampleProfile
  readonly basis: SampleBasis
  readonly workload: Workload
  /** Time field that was found in the sample, because the workload names none. */
  readonly foundTimeField?: string | undefined
  /** Indexed values of a document of the sample. */
  readonly indexedValues: number
  /** Fields of the workload that the sample does not have. */
  readonly absent?: PlanReport['assumptions'] | undefined
  readonly seed: number
  /** Milliseconds since 1970. */
  readonly nowMs: number
  readonly prices?: PriceList | undefined
  readonly showValues?: boolean | undefined
}

/** A uniform sample of the records, in no particular order. */
export interface Reservoir {
  /** Number of records in the reservoir, and number of records from which they were chosen. */
  readonly size: number
  readonly records: number
  /** Times in milliseconds since 1970; NaN for a record without a time. Null without a time field. */
  readonly times: Float64Array | null
  readonly bytes: Uint32Array
  /** Keys of each candidate; null for a dropped candidate. */
  readonly keys: readonly (ReservoirKeys | null)[]
}

export interface ReservoirKeys {
  /** 32 bits of the hash of the whole key: equal for equal keys. The positions themselves if they are such bits. */
  readonly ids: Uint32Array
  /** Positions in the hash space, in units of 2^-32; `NO_KEY` for a record without a key. */
  readonly positions: Uint32Array
}

export interface RetentionRow {
  readonly days: number
  readonly partitions: number | null
  readonly gb: number | null
  readonly monthlyPrice: number | null
  readonly candidate: string | null
}

/** Fields to read from each record of a sample. */
export interface RowOptions {
  readonly candidates: readonly KeyCandidate[]
  /** Fields to count in all records, from `discoverFields`. */
  readonly fields: readonly FieldSummary[]
  /** JSON pointer of the field with the time of a record. */
  readonly timeField?: string | undefined
  /** JSON pointers of fields whose equal values make a transaction. */
  readonly transactions?: readonly string[] | undefined
}

/**
 * Reads records into rows: the numbers of a record that are needed to count it. Rows are in an array of numbers, so that
 * one thread can read records into them, and another thread can count them.
 */
export declare class RowReader {
  #private
  /** Numbers of a row. */
  readonly length: number
  /** Where the facts about fields, the groups and the keys begin in a row. */
  readonly fieldsAt: number
  readonly groupsAt: number
  readonly keysAt: number
  /** Partition key definition of each candidate. */
  readonly definitions: readonly KeyDefinition[]
  /** `random`: for plans with random suffixes. Throws a PlanError if the plan of a candidate is invalid. */
  constructor({ candidates, fields, timeField, transactions }: RowOptions, random?: () => number)
  /** Reads the JSON record in `bytes[start, end)` into the row at `rows[at]`. Plans with Kafka components need its source. */
  read(bytes: Uint8Array, start: number, end: number, source: Source | undefined, rows: Int32Array, at: number): void
  /** Finds the fields of the record in `bytes[start, end)`, for `valuesOf`, without hashing its keys. */
  scan(bytes: Uint8Array, start: number, end: number): void
  /** Values of a key of the record that was read or scanned last. */
  valuesOf(candidate: number): readonly KeyComponent[]
}

/** How the records of a sample were taken, which decides what may be concluded from them. */
export interface SampleBasis {
  readonly method: 'whole' | 'uniform' | 'reservoir' | 'head' | 'described'
  /** Documents in all; null if unknown. With `population <= records` all figures are exact. */
  readonly population: number | null
}

/** Counts of a sample. */
export interface SampleProfile {
  /** Valid records. */
  readonly records: number
  readonly bytes: number
  /** Records that are not valid JSON objects. */
  readonly invalid: number
  readonly fields: readonly FieldSummary[]
  /** One for each candidate, in their order; null for dropped ones. */
  readonly keys: readonly (KeyProfile | null)[]
  readonly reservoir: Reservoir
  /** One for each transaction field. */
  readonly transactions: readonly TransactionCounts[]
}

export interface SampleSummary {
  readonly records: number
  readonly bytes: number
  /** Total number of documents, from the workload; null if unknown. */
  readonly population: number | null
  readonly method: 'whole' | 'uniform' | 'reservoir' | 'head' | 'described'
  readonly seed: number
  /** Whether the two halves of the sample differ more than two random halves would; null if they were not compared. */
  readonly halvesDiffer: boolean | null
}

/** Filters that were found in SQL. */
export interface SqlFilters extends QueryFilters {
  /** Number of documents in an answer, if the query limits it. */
  readonly rows?: number | undefined
  /** Fields with a range between two parameters. If a field is a time, the length of the range is unknown. */
  readonly openRanges?: readonly string[] | undefined
  /** Whether an answer has one row for many documents. */
  readonly isAggregate?: boolean | undefined
  /** Parts of the query that are not used. */
  readonly notes?: readonly string[] | undefined
}

/** Reads the filters of a query in SQL. Returns a reason without a final period if the query cannot be read. */
export type SqlReader = (sql: string) => SqlFilters | string

export interface StorageForecast {
  /** GB for planning: the steady state if there is a time to live, otherwise the present data; null if unknown. */
  readonly gb: number | null
  /** `steady`: documents expire; `growing`: documents are kept; `constant`: there are no new documents, or unknown. */
  readonly kind: 'steady' | 'growing' | 'constant'
  /** Bytes of new documents a day; null if unknown. */
  readonly growthBytesPerDay: number | null
}

/** Amount of data in a container, and its growth. Every property may be unknown. */
export interface StorageLoad {
  /** GB of data today. */
  readonly gb?: number | null | undefined
  /** Bytes of new documents a day. */
  readonly growthBytesPerDay?: number | undefined
  /** New documents per second and their size. They are used if `growthBytesPerDay` is missing. */
  readonly createsPerSecond?: number | undefined
  readonly itemBytes?: number | undefined
  /** Time to live. Default: `never`. */
  readonly ttlSeconds?: number | 'never' | undefined
}

/** Numbers of physical partitions for an amount of data. */
export interface StoragePartitions {
  /** If every partition is full: 50 GB. */
  readonly best: number
  /** In practice: with 45 GB, and with 30 GB per partition. */
  readonly low: number
  readonly high: number
  /** For planning: with 40 GB per partition. */
  readonly planned: number
}

export type ThroughputAnswer =
  | {
      readonly needed: NeededThroughput
      readonly reason: null
    }
  | {
      readonly needed: null
      readonly reason: string
    }

/** Load of a candidate key. */
export interface ThroughputDemand extends LoadShape, Partial<PricedAccount> {
  /** Share of `loadRuPerSecond` that the busiest of `ranges` equally wide ranges gets: 1 / ranges up to 1. */
  readonly busiestShareOf: (ranges: number) => number
  /** RU/s of all operations that go to the partition of their key, at the peak. */
  readonly loadRuPerSecond: number
  /** Additional RU/s of each of `ranges` ranges, from queries that go to several of them. Default: 0. */
  readonly everyRangeRuPerSecond?: ((ranges: number) => number) | undefined
  /** GB of data; null if unknown. An unknown amount counts as one partition. */
  readonly gb: number | null
  /** GB of data in a physical partition. Default: PLANNED_PARTITION_GB. */
  readonly gbPerPartition?: number | undefined
  /** RU/s of the busiest key at the peak. It is in the reason if no throughput is enough. */
  readonly busiestKeyRuPerSecond?: number | undefined
  /** Default: `manual`. */
  readonly mode?: ThroughputMode | undefined
  /** Existing container. If given, only doublings of its number of partitions are possible. */
  readonly present?: PresentContainer | undefined
  readonly prices?: PriceList | undefined
}

/** Kind of provisioned throughput: a fixed rate (`manual`), or a rate that follows the load up to a maximum. */
export type ThroughputMode = 'manual' | 'autoscale'

/**
 * By how much the share of the busiest range is larger within a window of time than within as many records of any time.
 * A key that contains the date has few values at a time: all records of a day go to one range, although the days of a
 * year spread over all ranges. 0 where keys do not depend on time, and where no time is known.
 */
export type TimeConcentration = (ranges: number) => number

export type TimeForm = 'iso' | 'seconds' | 'milliseconds' | 'microseconds'

/** Load by window of time and range: at most 240 windows and 100 ranges; fewer ranges for a small sample. */
export interface TimeHeat {
  /** Start of each window, ISO 8601. */
  readonly minutes: readonly string[]
  readonly ranges: number
  /** For each window: the share of its load by range. */
  readonly values: readonly (readonly number[])[]
}

/** Counts of the groups of records with the same value of a transaction field, or of a uniform sample of the groups. */
export interface TransactionCounts {
  /** JSON pointer of the field. */
  readonly field: string
  /** Number of groups with at least two records. */
  readonly groups: number
  /** For each candidate: number of groups whose records have different keys. */
  readonly torn: readonly number[]
}

export interface UnseenPart {
  readonly what: string
  readonly why: string
  /** Checks that it leaves open; empty if it only makes numbers less sure. */
  readonly checks: readonly CheckName[]
}

export interface UsableShareOptions extends SampleBasis {
  /** Physical partitions: equal ranges of the hash space. */
  readonly ranges: number
  /** Seeded source of numbers from 0 up to, but not including, 1. */
  readonly random: () => number
}

export interface Verdict {
  /** The verdict as text. */
  readonly sentence: string
  /** Name of the candidate; null if none is possible. */
  readonly candidate: string | null
  readonly kind: 'keep' | 'adopt' | 'index' | 'either' | 'expire' | 'unknown'
}

/** Number of keys that take load at the same time, over windows of one length. */
export interface WindowFigure {
  readonly p01: number
  readonly median: number
  readonly windows: number
}

export interface WindowOptions extends SampleBasis {
  /** Number of the candidate. */
  readonly candidate: number
  readonly ranges: number
  readonly random: () => number
}

/** Facts about the system that the sample does not contain. The report lists missing facts under `assumptions`. */
export interface Workload {
  /** Total number of documents. */
  readonly items?: number | undefined
  /** Total size of the documents in bytes. */
  readonly totalBytes?: number | undefined
  /** Mean size of a document in bytes. Default: the mean of the sample. */
  readonly itemBytes?: number | undefined
  /** Growth in bytes per day. */
  readonly growthBytesPerDay?: number | undefined
  /** Time to live in seconds; `'never'` if documents are kept. */
  readonly ttlSeconds?: number | 'never' | undefined
  readonly writes?: WriteLoad | undefined
  /** Field with the time of a record, a JSON pointer. */
  readonly timeField?: string | undefined
  readonly queries: readonly QueryLoad[]
  /** Point reads (by partition key and id) per second. */
  readonly pointReadsPerSecond?: number | undefined
  /** Fields that identify a transaction, as JSON pointers: records with the same value are in one transaction. */
  readonly transactions: readonly string[]
  /** Fields whose value changes during the life of a document, as JSON pointers. */
  readonly changingFields: readonly string[]
  readonly consistency: 'eventual' | 'consistentPrefix' | 'session' | 'boundedStaleness' | 'strong'
  readonly regions: number
  readonly multiRegionWrites: boolean
  /** Mean load over a month as a share of the peak, 0 to 1, for autoscale and serverless. Default: 1. */
  readonly meanUtilization?: number | undefined
  /** Partition key paths of the existing container. */
  readonly presentKey?: readonly string[] | undefined
  /** Physical partitions and RU/s of the existing container. */
  readonly presentContainer?: PresentContainer | undefined
}

/** Error for an invalid workload, with all its mistakes. */
export declare class WorkloadError extends KeystampError {
  readonly mistakes: readonly WorkloadMistake[]
  constructor(mistakes: readonly WorkloadMistake[])
}

/** Mistake of a workload. */
export interface WorkloadMistake {
  /** JSON pointer into the workload, or the name of the option; empty for the workload itself. */
  readonly path: string
  readonly message: string
}

export interface WorkloadOptions {
  /** Reads queries in SQL. Without it, a query in SQL is a mistake. */
  readonly readSql?: SqlReader | undefined
  /** Returns the name of a property for messages, such as `--writes` for `/writes/rate`. Default: the JSON pointer. */
  readonly nameOf?: ((pointer: string) => string) | undefined
}

/** The minute that needs the most throughput: that with the highest load of its busiest range. */
export interface WorstMinute {
  /** Start of the minute, ISO 8601. */
  readonly at: string
  readonly usableShare: number
  /** Load of the minute, divided by the mean load of the minutes that have records. */
  readonly relativeLoad: number
}

export interface WriteLoad {
  readonly perSecond: number
  readonly operation: 'create' | 'upsert' | 'replace' | 'patch' | 'delete'
  /** Number of indexed values of a document. Default: counted in the sample. */
  readonly indexedValues?: number | undefined
  /** Number of indexed values that an update changes. Default: all of them. */
  readonly changedValues?: number | undefined
  /** Share of the upserts that find a document, 0 to 1. Default: 0. */
  readonly existingShare?: number | undefined
}

export interface XrayInput {
  readonly name: string
  readonly definition: Required<KeyDefinition>
  /** Sorted by `min`. */
  readonly ranges: readonly RangeInput[]
  readonly ruPerSecond: number | null
  readonly throughput: XrayReport['container']['throughput']
  readonly isShared: boolean
  readonly documents: number | null
  readonly bytes: number | null
  readonly looked: Looked
  readonly load: LoadInput | null
  readonly queries: readonly XrayedQuery[]
  readonly unseen: readonly UnseenPart[]
  readonly plan: PlanReport | null
  readonly showValues: boolean
}

/** Result of looking at a live container: text and page are rendered from this object alone. Published as a JSON Schema. */
export interface XrayReport {
  readonly schemaVersion: 1
  readonly container: XrayedContainer
  /** How the container was read. */
  readonly looked: Looked
  readonly verdict: XrayVerdict
  /** Troubles that were found, the most severe first. */
  readonly findings: readonly Finding[]
  /** Every check with its number and its threshold. */
  readonly checks: readonly Check[]
  /** Physical partitions in the order of the hash space. */
  readonly ranges: readonly XrayedRange[]
  /** Load by key, range and time; null if none was seen. */
  readonly load: XrayedLoad | null
  /** Queries of the workload or of the log export, with the physical partitions that they ask. */
  readonly queries: readonly XrayedQuery[]
  /** Parts that could not be seen, each with the reason and with the checks that it leaves open. */
  readonly unseen: readonly UnseenPart[]
  /** Answer of the planner for the sampled documents; null without a sample. */
  readonly plan: PlanReport | null
}

export interface XrayVerdict {
  readonly kind: 'healthy' | 'findings' | 'unknown'
  /** One plain sentence. */
  readonly sentence: string
}

export interface XrayedContainer {
  readonly name: string
  readonly partitionKey: {
    readonly paths: readonly string[]
    readonly kind: string
    readonly version: number
  }
  readonly physicalPartitions: number
  /** Provisioned RU/s; for autoscale, the maximum; null if unknown. */
  readonly ruPerSecond: number | null
  readonly throughput: 'manual' | 'autoscale' | 'unknown'
  /** Whether the containers of the database share the throughput. */
  readonly isShared: boolean
  readonly documents: number | null
  readonly gb: number | null
}

export interface XrayedKey {
  readonly hash: string
  /** The key itself, only with `--show-values`. */
  readonly value?: string
}

export interface XrayedLoad {
  /** Writes of the change feed, or request units of a log export. */
  readonly source: 'changes' | 'log'
  /** Documents written, or RU. */
  readonly total: number
  readonly perSecond: number
  /** Share of the provisioned RU/s that this load can use. */
  readonly usableShare: number
  readonly distinctKeys: number
  /** Largest first. */
  readonly keys: readonly (XrayedKey & {
    readonly range: string
    readonly share: number
  })[]
  /** Load of each part of the period: its share by range, in the order of `ranges`. */
  readonly windows: readonly {
    readonly at: string
    readonly total: number
    readonly shares: readonly number[]
  }[]
}

export interface XrayedQuery {
  readonly name: string
  readonly perSecond: number
  /** Physical partitions that an execution asks on average. */
  readonly ranges: number
  readonly source: 'workload' | 'log'
}

export interface XrayedRange {
  readonly id: string
  readonly min: string
  readonly max: string
  /** Share of the hash space; null for version 1 of the hash. */
  readonly hashShare: number | null
  /** Share of the provisioned throughput. */
  readonly throughputFraction: number
  readonly ruPerSecond: number | null
  readonly gb: number | null
  readonly documents: number | null
  /** Share of the load that was seen; null without any. */
  readonly loadShare: number | null
  readonly largestKeys: readonly (XrayedKey & {
    readonly gb: number
  })[]
}

/**
 * Price of an autoscale maximum per month. The highest rate of each hour is billed, and at least 10 % of the maximum.
 * If only `meanUtilization` is known, every hour counts with the mean, and the result is a lower bound.
 */
export declare function autoscalePrice(
  maxRuPerSecond: number,
  load: AutoscaleLoad,
  account: PricedAccount,
  list?: PriceList
): number

/** Returns the command that creates a container. */
export declare function azCommand(az: AzContainer): string

export declare function burstOf(ruPerSecond: number, partitions: number): Burst | null

/**
 * Numbers of the first records of the busiest range, at most as many as fit into the queue. After some time, such
 * records fill the queue. With a slightly uneven key this takes long, so a measurement can begin with these records.
 */
export declare function busiestRecords(
  { reservoir }: SampleProfile,
  candidate: number,
  { ranges, inFlight }: Omit<MeasuredWrites, 'random'>
): readonly number[]

/** Counts the request units of a log export by key, range and window. */
export declare function countLoggedUses(
  uses: readonly LoggedUse[],
  {
    definition,
    ranges
  }: {
    readonly definition: Required<KeyDefinition>
    readonly ranges: readonly KeyRange[]
  }
): LoadInput | null

/**
 * Creates a generator of records as JSON. The fields are independent of each other. If `id` is not described, each
 * record gets a unique `id`.
 */
export declare function createDescribedRecords(
  fields: readonly DescribedField[],
  random: () => number
): () => Uint8Array

/** Creates a counter of keys by the SpaceSaving method: keys with a large share are never lost. */
export declare function createLoadCounter({ definition, ranges, windows }: LoadCounterOptions): LoadCounter

/** Creates the profiler of a sample. Throws a PlanError if the plan of a candidate is invalid. */
export declare function createProfiler(options: ProfilerOptions): Profiler

/** Creates a seeded generator of numbers from 0 to below 1. Equal seeds give equal numbers. */
export declare function createRandom(seed: number): () => number

/** Computes the figures of all candidates, compares them, and decides the verdict. */
export declare function createReport(input: ReportInput): PlanReport

/** Runs all checks, and says what follows. */
export declare function createXrayReport(input: XrayInput): XrayReport

/** Rate with which a container must be created to have this number of physical partitions. */
export declare function creationRuPerSecond(partitions: number, mode: ThroughputMode): number

export declare function crossovers(account: PricedAccount, list?: PriceList): Crossovers

/** Days until growing data reaches a limit; 0 if the data is already above the limit; null if it never reaches it. */
export declare function daysUntil(limitGb: number, gb: number, growthBytesPerDay: number): number | null

/**
 * Says for how many physical partitions the planner gave its answer: for those that the measured load needs, which can
 * be fewer than the container has.
 */
export declare function describePlanned({ plan, ranges }: XrayReport): string

/** Steps as sentences in the imperative. */
export declare function describeSteps(steps: readonly RateStep[], mode?: ThroughputMode): readonly string[]

/**
 * Finds the scalar paths of parsed records, at most five levels deep, and not in arrays. Returns the most useful paths
 * first: present in most records, with many distinct values that are not too long.
 */
export declare function discoverFields(records: readonly unknown[], options?: DiscoverOptions): FieldSummary[]

/**
 * Distinct keys of all documents. Where the order of the records matters, a sample has more records of a key than a
 * random one would have: then only those that were seen are certain.
 */
export declare function distinctKeys(profile: KeyProfile, basis: SampleBasis): DistinctKeys

/**
 * Effective number of keys that are active at once, over windows of `seconds`: 1 / the probability that two records of
 * a window have the same key.
 */
export declare function effectiveKeys(
  reservoir: Reservoir,
  options: WindowOptions & {
    readonly seconds: 1 | 60 | 3600
  }
): Figure<WindowFigure>

/**
 * Computes the use of a container under even load, after a rate is set in one step. Cosmos DB splits only as many
 * partitions as needed, and all partitions get the same RU/s, so the widest range limits the load.
 */
export declare function evenUseAfter(partitions: number, ruPerSecond: number): EvenUse

/** Computes the expected size before keys are counted. The number of suffixes of candidates depends on it. */
export declare function expectedSize(workload: Workload, shape: DocumentShape, candidate: Candidate): ExpectedSize

/** Computes the figures of a key for another rate, by the same functions as the report. */
export declare function exploreRate(
  explore: Explore,
  key: ExploredKey,
  {
    partitions,
    ruPerSecond
  }: {
    readonly partitions: number
    readonly ruPerSecond: number
  }
): ExploredRate

/**
 * Finds candidates that need not be counted in all records. For each of them, another candidate is no more work,
 * spreads the load clearly better, has smaller keys, and is no worse for any query or transaction. The present key is
 * always kept.
 */
export declare function findDominated(counts: FirstCounts): readonly Dominated[]

/**
 * Finds the field with the time of a record if the workload does not name it: a field for which queries have ranges, or
 * else the only field with times that are more exact than dates. Undefined if there are several such fields.
 */
export declare function findTimeField(
  fields: readonly FieldSummary[],
  { queries, changingFields }: Pick<Workload, 'queries' | 'changingFields'>
): string | undefined

/** Whether enough of a load was seen to compare its keys and physical partitions. */
export declare function fitsLoad({ events }: { readonly events: number }): boolean

/** Computes the storage for planning: rate x bytes x time to live, or the present data. */
export declare function forecastStorage(load: StorageLoad): StorageForecast

/** `1 KB`, `500 GB`, `3.02 TB`: three significant digits; a KB has 1,000 bytes. */
export declare function formatBytes(bytes: number): string

/** `5,000`, `2.5`: whole numbers unchanged, others with three significant digits. */
export declare function formatCount(count: number): string

/** `7 days`, `36 hours`: a multiple of the largest possible unit, otherwise three significant digits. */
export declare function formatDuration(seconds: number): string

/** `1 document`, `5,000 documents`: a number and its noun, whose plural ends in "s". */
export declare function formatMany(count: number, noun: string): string

/** `67 %`, `8.9 %`: two significant digits below 10 %. */
export declare function formatPercent(share: number): string

/** `$1,168`, `EUR 1,168`; with cents below 10. */
export declare function formatPrice(amount: number, currency: string): string

/** `5,000/s`, `30/min`, `8.64/day`: per second if that is at least 1, otherwise per minute, hour or day. */
export declare function formatRate(perSecond: number): string

/** Whether the first and the second part of the sample differ by more than chance; null if they cannot be compared. */
export declare function halvesDiffer(sample: SampleProfile): boolean | null

/** Maximum rate that takes effect immediately, without a split. */
export declare function instantRuPerSecond(partitions: number): number

/** The same for one key: its distribution over the hash space. */
export declare function keyHalvesDiffer({ halves }: KeyProfile): boolean | null

/** A key as JSON: its value, or the list of its levels. A missing value is `{}`, as in the requests of Cosmos DB. */
export declare function keyText(values: readonly (KeyComponent | object)[]): string

/** Values of a partition key in a document; undefined for a missing value, an object or an array, as Cosmos DB does. */
export declare function keyValuesOf(
  document: unknown,
  pointers: readonly (readonly string[])[]
): readonly KeyComponent[]

/** Share of the records that the most frequent key has. */
export declare function largestKeyShare(profile: KeyProfile, basis: SampleBasis): Figure<Interval>

/** Minimum rate, or minimum autoscale maximum, that can be set. */
export declare function leastRuPerSecond(mode: ThroughputMode, { gb, highestRuPerSecond }: RateHistory): number

/**
 * Share of the sample's records in each range, in the order of the hash space. It describes the sample only, and does not
 * estimate the load of all data.
 */
export declare function loadByRange(profile: KeyProfile, ranges: number): number[]

/** Maximum RU/s of one logical partition: the RU/s of its physical partition. */
export declare function logicalPartitionRuPerSecond(ruPerSecond: number, partitions: number): number

/** Price of a manual rate per month. */
export declare function manualPrice(ruPerSecond: number, account: PricedAccount, list?: PriceList): number

export declare function monthlyPrices(throughput: PricedThroughput, list?: PriceList): MonthlyPrices

/** Finds the number of physical partitions and the rate that are enough for the load at the lowest monthly price. */
export declare function neededThroughput(demand: ThroughputDemand): ThroughputAnswer

/** Days until growing data splits a physical partition; null if the data does not grow. */
export declare function nextSplit(partitions: number, gb: number, growthBytesPerDay: number): NextSplit | null

/** Reads a size such as `1KB`, `500GB` or `1.5 TiB`. Returns bytes. A KB has 1,000 bytes, a KiB 1,024. */
export declare function parseBytes(value: unknown): Reading

/** Reads a whole number such as `10M` or `2,500,000`. */
export declare function parseCount(value: unknown): Reading

/** Reads `deviceId:50000`, `fleetId:200:zipf1.0` or `tenantId:100:top40%`. Throws an error that names the mistake. */
export declare function parseDescribedField(text: string): DescribedField

/** Reads a time such as `7d`, `24h` or `90 days`. Returns seconds. A month has 730 hours, a year 365 days. */
export declare function parseDuration(value: unknown): Reading

/** Reads a growth such as `2GB/day` or `500 GB/month`. Returns bytes per day. */
export declare function parseGrowth(value: unknown): Reading

/**
 * Reads the rows of an export of CDBPartitionKeyRUConsumption or CDBQueryRuntimeStatistics. The reason for a failure
 * completes a sentence that begins with the name of the file.
 */
export declare function parseLogRows(rows: readonly LogRow[], wanted?: LoggedContainer): Reading<LogExport>

/** Reads a percentage such as `40%`. Returns a share such as 0.4. */
export declare function parsePercent(value: unknown): Reading

/**
 * Reads `deviceId, at=day, rows=10 @ 20/s`: fields with an equality filter, ranges of time, the number of documents in
 * an answer, and the rate. `id` means a filter on the id, `price=*` a range of any length, `*` no filter.
 * If `readSql` is passed, the fields can be written as SQL. Facts that SQL does not contain then follow the rate:
 * `@ 20/s rows=10, at=day`.
 */
export declare function parseQuery(text: string, readSql?: SqlReader): Reading<QueryLoad>

/** Reads a rate such as `5000/s`, `300k/min` or `10M/day`. Returns the rate per second. */
export declare function parseRate(value: unknown): Reading

/** Reads RU/s such as `20k` or `20,000 RU/s`. */
export declare function parseRu(value: unknown): Reading

/** Reads a workload from an object with strings such as `5000/s`. Throws a WorkloadError that names every mistake. */
export declare function parseWorkload(value: unknown, { readSql, nameOf }?: WorkloadOptions): Workload

/** Number of physical partitions of a container that is created with this rate, or autoscale maximum. */
export declare function partitionsAtCreation(ruPerSecond: number, mode: ThroughputMode): number

export declare function partitionsForStorage(gb: number): StoragePartitions

/** A key plan of the user. Components that are not fields are left out, because no query can filter by them. */
export declare function planCandidate(name: string, plan: PlanDefinition): Candidate

/** Computes the usable part of another rate, and the path of rates after which all of it is usable. */
export declare function planRaise(container: PresentContainer, toRuPerSecond: number, options?: RaiseOptions): Raise

/** RU of a point read. */
export declare function pointReadCharge(itemBytes: number, consistency: Workload['consistency']): number

/** Predicts the number of physical partitions to which a query goes, and its RU for an answer of this size. */
export declare function predictQuery(
  query: QueryLoad,
  candidate: Candidate,
  { partitions, bytes }: AnswerSize
): Route & {
  readonly ru: number
}

/**
 * Predicts the share of the RU/s that a measurement can use under one candidate. `candidate`: its number. The result is
 * the usable share of these records, as in a report. But instead of the time, the order of the sample counts, because
 * adjacent records are written at the same time. Null if no record has the key.
 */
export declare function predictUsableShare(
  sample: SampleProfile,
  candidate: number,
  { ranges, inFlight, random }: MeasuredWrites
): number | null

/** Proposes keys from the fields of the first records and from the queries. `refineCandidates` adds suffixes. */
export declare function proposeCandidates(
  fields: readonly FieldSummary[],
  workload: Pick<Workload, 'queries' | 'presentKey' | 'timeField' | 'changingFields'>
): Proposal

/** RU of one query with simple filters on indexed fields, summed over its physical partitions. */
export declare function queryCharge({ ranges, resultBytes, consistency }: ChargedQuery): number

/** Factor of reads and queries: strong consistency and bounded staleness read from two replicas. */
export declare function readFactor(consistency: Workload['consistency']): number

/** Reads the first records of a block into its rows. */
export declare function readRows(reader: RowReader, { bytes, ends, rows }: BlockMemory, records: number): void

/** Returns candidates with suffixes for those whose largest keys are too large for a physical or logical partition. */
export declare function refineCandidates(counted: readonly Counted[], options: RefineOptions): readonly Candidate[]

/** Renders a report as one HTML file, from the report alone. */
export declare function renderPage(report: PlanReport, options: PageOptions): string

/** Renders a report on a live container as one HTML file, from the report alone. The page has no script. */
export declare function renderXrayPage(report: XrayReport, options: PageOptions): string

/** Rounds up to a rate that can be set: a multiple of 100 RU/s for manual, of 1,000 RU/s for autoscale. */
export declare function roundUpRu(ruPerSecond: number, mode: ThroughputMode): number

/** Physical partitions that a query asks on average in a container with these partition key paths (JSON pointers). */
export declare function routePresentKey(query: QueryLoad, paths: readonly string[], partitions: number): number

/**
 * Usable share for the records of the sample alone. It is also known for an ordered sample, which allows no conclusion
 * about other records.
 */
export declare function sampledUsableShare(profile: KeyProfile, ranges: number): number | null

/** Maximum RU/s of a serverless container, without a guarantee. */
export declare function serverlessRuPerSecond(partitions: number): number

/**
 * Share of a key that was chosen because it is frequent. The lower bounds hold for all keys of a sample together; an
 * upper bound holds for each key on its own. `error`: what the count is too high at most.
 */
export declare function shareOf(count: number, records: number, population: number | null, error?: number): Interval

/** The first 16 digits of the partition hash, or 8 of each level, as other reports of the planner show keys. */
export declare function shortHash(epk: string, levels: number, { kind }: KeyDefinition): string

/** Measures the concentration of one candidate. The function that it returns measures each number of ranges once. */
export declare function timeConcentration(
  reservoir: Reservoir,
  candidate: number,
  random: () => () => number
): TimeConcentration

export declare function timeHeat(reservoir: Reservoir, options: WindowOptions): Figure<TimeHeat>

/** Share of the transactions whose records have different keys, by number of the candidate. */
export declare function tornTransactions(
  sample: SampleProfile,
  candidate: number,
  { method, population }: SampleBasis
): Figure<number>

/** Share of the provisioned throughput that can be used: 1 / (ranges x largest share of one range). */
export declare function usableShare(profile: KeyProfile, options: UsableShareOptions): Figure<Interval>

/** Wilson's interval for the share of `hits` among `records` of a population. */
export declare function wilsonInterval(hits: number, records: number, population: number | null): Interval

/** Sets the shares of the hot values of a candidate from the most frequent keys of a sample. */
export declare function withHotShares(candidate: Candidate, profile: KeyProfile): Candidate

/** The text of a query without the values in it, which may be personal data. */
export declare function withoutLiterals(query: string): string

export declare function worstMinute(reservoir: Reservoir, options: WindowOptions): Figure<WorstMinute>

/** RU of one write. Each region of the account is charged the same RU. */
export declare function writeCharge(write: ChargedWrite): number

// Not exported; the declarations above refer to it.

interface AllKeys {
  /** Positions in the hash space, in units of 2^-32. */
  readonly positions: Uint32Array
  readonly records: Uint32Array
}

/** `lookup`: only the key of an index container, and never that of the container itself. */
type CandidateKind = 'present' | 'id' | 'field' | 'joined' | 'suffix' | 'hot' | 'hierarchical' | 'lookup'

interface CandidateLevel {
  readonly parts: readonly CandidatePart[]
  readonly suffix: CandidateSuffix | null
}

/** A field of the key. */
interface CandidatePart {
  /** JSON pointer. */
  readonly field: string
  /** Length of the time bucket; null if the value itself is in the key. */
  readonly bucketSeconds: number | null
}

interface CandidateSuffix {
  /** JSON pointer of the field that selects the suffix. */
  readonly by: string
  readonly count: number
  readonly isEven: boolean
  /** Values of one part that have their own number of suffixes, with this number and their share of the records. */
  readonly hot: readonly {
    readonly value?: string
    readonly count: number
    readonly share: number
  }[]
  /** Index of the part that has these values. Default: 0. */
  readonly on?: number
}

/** Sizes of documents, from the workload or the sample. */
interface DocumentShape {
  readonly itemBytes: number
  /** Number of indexed values of a document. By default, Cosmos DB indexes all values. */
  readonly indexedValues: number
}

/** Physical partitions to which a query goes under a key. */
interface Route {
  readonly kind: 'point' | 'key' | 'ranges' | 'all'
  /** Mean number of physical partitions. */
  readonly ranges: number
}

export {}
