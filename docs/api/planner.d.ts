// API report of @keystamp/planner, made by npm run docs. A change here is a change of the public API.

import type { KeystampError } from '@keystamp/core'
import type { PlanDefinition } from '@keystamp/core'
import type { Source } from '@keystamp/core'

/** Answer of a query, as far as its charge depends on it. */
export interface AnswerSize {
  /** Physical partitions of the container. */
  readonly partitions: number
  /** Bytes of the answer. */
  readonly bytes: number
}

export interface AutoscaleLoad extends LoadShape {
  /** Rate that the peak needs: load of the busiest partition x partitions; the maximum if missing. */
  readonly neededRuPerSecond?: number | undefined
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
  /** Levels of the key, each with the fields that it is made of. A key that is not hierarchical has one. */
  readonly levels: readonly CandidateLevel[]
  /** Work that the key asks of its users, 0 for none: of two keys with nearly the same price the simpler one wins. */
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
  /** Cheapest of `price`, in its currency; with index containers. */
  readonly monthlyPrice: number | null
  /** Of the container without its index containers. */
  readonly price: Price | null
  /** Further containers, from which queries without the key learn it. `monthlyPrice` includes them. */
  readonly indexContainers: readonly IndexContainer[]
  readonly largestKey: {
    readonly share: Interval
    readonly gb: number | null
    /** Date on which the logical partition meets 20 GB; null if it does not, or growth is unknown. */
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
  /** Share of the transactions whose records would have different keys; null without transactions. */
  readonly tornTransactions: number | null
  readonly hardLimits: readonly string[]
  readonly warnings: readonly string[]
  /** Reason why it is not the verdict; null for the verdict. */
  readonly whyNot: string | null
  /** Knowledge and work that the key asks of readers. */
  readonly readers: string
  /** For figures that are null: path inside this object (such as `worstMinute`), and the reason. */
  readonly unknown: Readonly<Record<string, string>>
}

/** One query, as far as its charge depends on it. */
export interface ChargedQuery {
  /** Physical partitions that it asks. */
  readonly ranges: number
  /** Bytes of all documents of the answer. */
  readonly resultBytes: number
  readonly consistency: Workload['consistency']
}

/** One write, as far as its charge depends on it. */
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

export interface Compared {
  readonly predicted: number
  readonly measured: number
}

export interface Comparison {
  readonly candidate: string
  /** The key of the present container, or the worst of the fields that queries know. */
  readonly why: 'present' | 'worst'
  readonly heat: HeatMap | null
}

/** A counted candidate: its keys in the first records. */
export interface Counted {
  readonly candidate: Candidate
  readonly profile: KeyProfile
  /** By how much the share of the busiest range is larger at one time; 0 if missing. */
  readonly concentration?: number
}

/** Mean utilization above which one way of paying is cheaper than another; null if it never is, or is not offered. */
export interface Crossovers {
  /** Manual is cheaper than autoscale above it. */
  readonly manualOverAutoscale: number | null
  /** Manual is cheaper than serverless above it. */
  readonly manualOverServerless: number | null
  /** Autoscale is cheaper than serverless above it. */
  readonly autoscaleOverServerless: number | null
}

/** A field of records that are generated, for a plan without a sample. */
export interface DescribedField {
  /** Name, or JSON pointer. */
  readonly name: string
  /** Distinct values. */
  readonly values: number
  /** Exponent of a Zipf distribution; 0: all values are equally frequent. */
  readonly zipf: number
  /** Share of the records that the first value has in any case; 0 for none. */
  readonly top: number
}

/** Limits of `discoverFields`. */
export interface DiscoverOptions {
  /** JSON pointers of fields that are kept in any case: those of queries, of the present key, of the time. */
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

/** Candidate that is not counted further, since another one is better. */
export interface Dominated {
  readonly candidate: Candidate
  readonly why: string
}

/** A container under even load, after a rate was set and the splits are done. */
export interface EvenUse {
  readonly ruPerSecond: number
  readonly partitions: number
  /** Share of the hash space of the widest range. */
  readonly widestShare: number
  /** RU/s that load which is spread evenly over the hash space can use. */
  readonly usableRuPerSecond: number
  readonly usableShare: number
}

/** GB of the documents, and physical partitions that an even key needs. */
export interface ExpectedSize {
  readonly gb: number | null
  readonly partitions: number
}

/** Figures for other rates and numbers of partitions, and the numbers by which they are computed. */
export interface Explore {
  readonly gb: number | null
  readonly regions: number
  readonly multiRegionWrites: boolean
  readonly meanUtilization: number | null
  readonly prices: PriceList
  /** The first candidate, then that of `comparison`. */
  readonly candidates: readonly ExploredKey[]
}

export interface ExploredKey {
  readonly candidate: string
  /** Price of its index containers for a month, which does not depend on the rate; 0 without them. */
  readonly indexMonthlyPrice: number
  /** Load of all operations that go to the partition of their key; null if unknown. */
  readonly loadRuPerSecond: number | null
  readonly at: readonly ExploredPartitions[]
}

export interface ExploredPartitions {
  readonly partitions: number
  readonly usableShare: Interval | null
  /** Share of the load that the busiest range has, by which the needed rate is computed; null if unknown. */
  readonly busiestShare: number | null
  /** RU/s that each range gets in addition, from queries that ask several ranges. */
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

/** Values of one path in the records of a sample. */
export interface FieldSummary {
  /** JSON pointer. */
  readonly path: string
  /** Records in which the field was looked for. */
  readonly records: number
  /** Records that have the field, with any value. */
  readonly present: number
  readonly types: FieldTypes
  /** Strings without characters. */
  readonly empty: number
  /** Distinct values in the first records, and how many of these records have a value. */
  readonly distinct: number
  readonly discovered: number
  /** Length in bytes of UTF-8 of the strings and numbers; 0 without any. A long string may be shorter than stated. */
  readonly minBytes: number
  readonly maxBytes: number
  /** Strings of more than 101 bytes, of which a container of version 1 hashes the beginning only. */
  readonly over101: number
  /** Strings of more than 2,048 bytes, the longest key. */
  readonly over2048: number
  /** Strings with the separator `-` in them. */
  readonly withSeparator: number
  /** Form of a time, if the values of the first records have it. */
  readonly time: TimeForm | null
  /** Whether all values of the first records are different. */
  readonly isId: boolean
  /** Kind of personal data that the name or the values suggest. */
  readonly personal: PersonalData | null
  /** Records in the two parts of the sample: without the field, with null, with another value. */
  readonly halves: Halves | null
}

/** Records by type of the value; integers are those among the numbers. */
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

/** Candidates, and their counts in the first records. */
export interface FirstCounts {
  readonly candidates: readonly Candidate[]
  readonly sample: Pick<SampleProfile, 'records' | 'keys' | 'transactions'>
  /** How much larger the share of the busiest range is at one time than over all records. `candidate`: its number. */
  readonly concentrationOf: (candidate: number) => number
  readonly queries: readonly QueryLoad[]
  /** Physical partitions that the load and the data will need. */
  readonly partitions: number
}

export interface Frequency {
  /** Records of a key. */
  readonly records: number
  /** Keys that have this number of records. */
  readonly keys: number
}

/** Counts of equal cells, such as coarse slices of the hash space, in the two parts of a sample. */
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

/** A container of small entries, each with what a query knows, and with the key and the id of a document. */
export interface IndexContainer {
  /** Such as `/email`. */
  readonly name: string
  /** Key plan of the entries; null if one field of the documents is the key. */
  readonly plan: PlanDefinition | null
  readonly partitionKeyPaths: readonly string[]
  /** Names of the queries that read it. */
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
  /** Values of the key, one for each level, where they were kept: only for frequent keys. */
  readonly values: readonly (string | number | boolean | null | undefined)[] | null
  /** Position of the hash in the hash space: 0 up to 1. */
  readonly position: number
  readonly records: number
  readonly bytes: number
  /** Upper bound of what `records` counts too much; 0 if exact. */
  readonly error: number
}

/** Keys of a sample, and their frequencies. */
export interface KeyCounts {
  /** Distinct keys in the sample, and those that one record has. Estimates if `isExact` is false. */
  readonly distinct: number
  readonly once: number
  /** Keys that were certainly seen; equal to `distinct` if `isExact` is true. */
  readonly atLeast: number
  /** Whether all keys were counted. */
  readonly isExact: boolean
  /** Most frequent keys first, at most 1,000 of them (all keys, if there are fewer). */
  readonly heavy: readonly KeyCount[]
  /** How many keys have how many records, by ascending number of records. Estimates if `isExact` is false. */
  readonly frequencies: readonly Frequency[]
  /** Every key, in no particular order; null if `isExact` is false. */
  readonly all: AllKeys | null
}

/**
 * Counts of a sample for one candidate key. Keys are known by the hash that Cosmos DB computes, never by their text.
 * The properties of KeyCounts at the top are those of logical partitions: of the whole key.
 */
export interface KeyProfile extends KeyCounts {
  /** Records that have the key, and records that the key rejects. */
  readonly records: number
  readonly rejected: number
  /** Codes of rejections, and the number of records. */
  readonly rejections: readonly {
    readonly code: string
    readonly records: number
  }[]
  /** Records without a value at one of the paths, which are stored under the key `None`. */
  readonly missing: number
  readonly bytes: number
  /**
   * Counts of the values that decide the range of a record. A range of a new container is an interval of the hash of
   * the first level: for a hierarchical key these are counts of its first level, otherwise those of the key.
   */
  readonly placed: KeyCounts
  /** Records by slice of the hash space: equal slices in the order of the hash, a power of two, at least 4,096. */
  readonly slices: Float64Array
  readonly sliceBytes: Float64Array
  /** The parts of the sample before and after its middle, for a comparison: null with fewer than two parts. */
  readonly halves: Halves | null
}

/** Microsoft's list prices in the United States, read in May 2026. The planner never looks prices up online. */
export declare const LIST_PRICES: PriceList

/** How load changes over time. */
export interface LoadShape {
  /** Load of each hour as a share of the peak, 0 to 1: any number of hours that repeat. */
  readonly hourlyShares?: readonly number[] | undefined
  /** Mean over the month as a share of the peak, 0 to 1, if the hours are not known; 1 if missing. */
  readonly meanUtilization?: number | undefined
}

/** Most RU/s of a container; a support request to Microsoft raises it. */
export declare const MAX_CONTAINER_RU = 1000000

/** Most GB that a logical partition (all documents of one key) holds. */
export declare const MAX_LOGICAL_PARTITION_GB = 20

/** Most GB that a physical partition holds, with their index. */
export declare const MAX_PARTITION_GB = 50

/** Most RU/s that a physical partition serves. */
export declare const MAX_PARTITION_RU = 10000

/** Most physical partitions that the planner considers. */
export declare const MAX_PLANNED_PARTITIONS = 1000

/** Figures of one key in the local emulator, next to what the planner predicts for the same records and partitions. */
export interface MeasuredKey {
  readonly candidate: string
  /** Physical partitions of the container, and its provisioned RU/s. */
  readonly partitions: number
  readonly ruPerSecond: number
  /** Length of the measurement, without the time to warm up. */
  readonly seconds: number
  /** Writes that were accepted in that time. */
  readonly writes: number
  /** Share of the provisioned RU/s that the writes used, as fast as possible, in the order of the sample. */
  readonly usableShare: Compared
  /** Share of its RU/s that the busiest physical partition used. Below 0.9 the machine was the limit, not the key. */
  readonly busiestPartitionUse: number
  /** Mean milliseconds from a request to its answer. Above 100 the machine was the limit, too. */
  readonly requestMs: number
  /** RU of one write, on average. */
  readonly writeRu: Compared
  readonly queries: readonly MeasuredQuery[]
  /** Limits of this measurement, one sentence each. */
  readonly notes: readonly string[]
}

/** A query with values of records, on average over these records. */
export interface MeasuredQuery {
  readonly name: string
  readonly kind: 'point' | 'key' | 'ranges' | 'all'
  /** Physical partitions that it asks. */
  readonly ranges: Compared
  /** RU of one query; predicted for as many bytes as the answers really had. */
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

/** Prices of a month. Null: not possible, or unknown. */
export interface MonthlyPrices {
  readonly manual: number | null
  readonly autoscale: number | null
  readonly serverless: number | null
  /** Manual, with capacity that is reserved for one year or three. */
  readonly reservedOneYear: number | null
  readonly reservedThreeYears: number | null
  /** In addition to each of the others. */
  readonly storage: number | null
  readonly currency: string
  readonly listDate: string
  /** For prices that are null: the reason. */
  readonly unknown: Readonly<Record<string, string>>
}

export interface NeededThroughput {
  readonly partitions: number
  /** `present`: the container has more partitions than the data and the load need, and cannot have fewer. */
  readonly decidedBy: 'storage' | 'throughput' | 'one' | 'present'
  /** Rate to run with, or autoscale maximum. */
  readonly ruPerSecond: number
  /** Rate of the first step of the path of a new container; null for a present one. */
  readonly createRuPerSecond: number | null
  /** Least rate that can be set after the rates of `path`. */
  readonly leastRuPerSecond: number
  /** Load of the busiest range. */
  readonly busiestRangeRuPerSecond: number
  /** Load as a share of the rate that its busiest range asks of the whole container. */
  readonly usableShare: number
  /** Price of the throughput for a month, without storage. */
  readonly monthlyPrice: number
  /** From nothing, or from the present container. Data that grows splits the partitions of that by itself. */
  readonly path: readonly RateStep[]
  /** Whether a rate of the path is above 1,000,000 RU/s, which needs a support request. */
  readonly isAboveQuota: boolean
}

/** Days until the first physical partition is full and splits. */
export interface NextSplit {
  /** With the data as unevenly spread as in practice: 30 GB a partition in the mean. */
  readonly earliestDays: number
  /** With every partition equally full. */
  readonly latestDays: number
}

/** GB of data that the planner puts into a physical partition: between the limit of 50 and the 30 to 45 of practice. */
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

/** Result of the planner: terminal table and page are rendered from this object alone. Published as a JSON Schema. */
export interface PlanReport {
  readonly schemaVersion: 1
  readonly sample: SampleSummary
  readonly verdict: Verdict
  /** Physical partitions that the verdict needs; null if no candidate is possible. */
  readonly partitions: PartitionsNeeded | null
  /** Best first. */
  readonly candidates: readonly CandidateReport[]
  /** The verdict under other retention periods; empty if the workload says how long documents are kept. */
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
  /** For each group of figures: the input that it rests on. */
  readonly basis: Readonly<Record<string, string>>
  /** For each group of figures: whether it counts all records or estimates. */
  readonly exact: Readonly<Record<string, boolean>>
  /** Candidates that were dropped, each with one line why. */
  readonly dropped: readonly {
    readonly name: string
    readonly why: string
  }[]
  /** Inputs that were not given, most important first, and what they could change. */
  readonly assumptions: readonly {
    readonly what: string
    readonly couldChange: string
  }[]
  /** Workload as it was understood, for the page: strings ready to print. */
  readonly workload: readonly {
    readonly name: string
    readonly value: string
  }[]
  /** For figures outside of `candidates` that are null: path inside this object (such as `heat`), and the reason. */
  readonly unknown: Readonly<Record<string, string>>
}

/** A container whose ranges are equally wide, as they are when it is new. */
export interface PresentContainer {
  readonly partitions: number
  readonly ruPerSecond: number
  /** Highest rate, or autoscale maximum, that it ever had; `ruPerSecond` if missing. */
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
  /** Price of 100 RU/s for an hour, in each region of an account with one write region. */
  readonly manualPer100RuHour: number
  readonly autoscalePer100RuHour: number
  /** The same in each region of an account that writes in several regions. */
  readonly multiWriteManualPer100RuHour: number
  readonly multiWriteAutoscalePer100RuHour: number
  readonly serverlessPerMillionRu: number
  /** Price of a GB (data and index) for a month, in each region. */
  readonly storagePerGbMonth: number
  /** Discounts of reserved capacity on the manual price, 0 to 1. */
  readonly reservedOneYear: number
  readonly reservedThreeYears: number
}

/** Regions of an account, by which its price is multiplied. */
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
  /** Rate that the peak needs, for autoscale: load of the busiest partition x partitions; `peakRuPerSecond` if missing. */
  readonly neededRuPerSecond?: number | undefined
  /** Share of the load that the busiest of `ranges` ranges gets, for the limit of serverless; even if missing. */
  readonly busiestShareOf?: ((ranges: number) => number) | undefined
  /** GB of data without index; null if unknown. */
  readonly gb: number | null
  /** Index in addition to the data, 0 to 1; 0.15 if missing (10 to 20 % are usual). */
  readonly indexShare?: number | undefined
}

/** Counts the keys of candidates in one pass over the records of a sample. */
export interface Profiler {
  /** Counts the JSON record in `bytes[start, end)`. Plans with Kafka components need its source. */
  readonly add: (bytes: Uint8Array, start?: number, end?: number, source?: Source) => void
  /** Stops counting a candidate, by its number. */
  readonly drop: (candidate: number) => void
  /** Counts of a candidate so far, by its number; null if it was dropped. */
  readonly peek: (candidate: number) => KeyProfile | null
  readonly finish: () => SampleProfile
}

export interface ProfilerOptions {
  readonly candidates: readonly KeyCandidate[]
  /** Fields to count in all records, from `discoverFields`. */
  readonly fields: readonly FieldSummary[]
  /** JSON pointer of the field with the time of a record. */
  readonly timeField?: string | undefined
  /** JSON pointers of fields whose equal values make a transaction. */
  readonly transactions?: readonly string[]
  /** Seeded source of numbers from 0 up to, but not including, 1. */
  readonly random: () => number
  /** Distinct keys of all candidates together that are counted exactly. Default: 2,000,000. */
  readonly maxKeys?: number
  /** Records that are kept for figures about time. Default: 262,144. */
  readonly reservoirSize?: number
}

/** Candidates, and the fields that none of them uses, each with one line why. */
export interface Proposal {
  readonly candidates: readonly Candidate[]
  readonly dropped: readonly {
    readonly name: string
    readonly why: string
  }[]
}

/** Filters that decide which partitions a query asks. */
export type QueryFilters = Pick<QueryLoad, 'equal' | 'several' | 'between' | 'byId'>

export interface QueryLoad {
  /** As the user wrote it. */
  readonly name: string
  readonly perSecond: number
  /** Fields with an equality filter, JSON pointers. */
  readonly equal: readonly string[]
  /** Fields of `equal` for which the query names several values, such as with IN, and how many. */
  readonly several?:
    | readonly {
        readonly field: string
        readonly values: number
      }[]
    | undefined
  /** Fields with a range filter; for times, the length of the range where it is known. */
  readonly between: readonly {
    readonly field: string
    readonly seconds?: number | undefined
  }[]
  /** Whether the id is given, which is then in `equal` too: together with the whole key, a point read. */
  readonly byId: boolean
  /** Documents that an answer has. */
  readonly rows: number
  /** Remarks on the query: its ignored parts, and assumptions. Each completes a sentence that begins with its name. */
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
  /** After the rate is set directly. */
  readonly direct: EvenUse
  /** After the rates of `path`; equal to `direct` if that uses all of the rate. */
  readonly better: EvenUse
  readonly path: readonly RateStep[]
  /** Least rate that can be set afterwards. */
  readonly leastRuPerSecond: number
}

export interface RaiseOptions {
  /** `manual` if missing. */
  readonly mode?: ThroughputMode | undefined
  readonly gb?: number | null | undefined
}

/** Facts that raise the least rate of a container. */
export interface RateHistory {
  readonly gb?: number | null | undefined
  /** Highest rate, or autoscale maximum, that the container ever had. */
  readonly highestRuPerSecond?: number | undefined
}

/** Rate to set, and the physical partitions that the container then has. */
export interface RateStep {
  readonly kind: 'create' | 'raise' | 'lower'
  readonly ruPerSecond: number
  /** Physical partitions once the splits are done. */
  readonly partitions: number
  /** Whether the rate needs splits, which take hours. */
  readonly splits: boolean
}

/** A quantity that was read; or why not, as the end of a sentence that begins with its name. */
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
  /** Content of the plan file; null if none is needed. */
  readonly plan: PlanDefinition | null
  readonly container: {
    readonly json: string
    readonly az: string
    readonly bicep: string
    readonly terraform: string
  }
  readonly createRuPerSecond: number | null
  readonly runRuPerSecond: number | null
  /** Steps in their order, one sentence each. */
  readonly steps: readonly string[]
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
  /** Records here, and records that they stand for. */
  readonly size: number
  readonly records: number
  /** Milliseconds since 1970; NaN where the record has no time. Null without a time field. */
  readonly times: Float64Array | null
  readonly bytes: Uint32Array
  /** One for each candidate; null if it was dropped. */
  readonly keys: readonly (ReservoirKeys | null)[]
}

export interface ReservoirKeys {
  /** 32 bits of the hash of the whole key: equal for equal keys. */
  readonly ids: Uint32Array
  /** Position in the hash space, in units of 2^-32; `NO_KEY` where the record has no key. */
  readonly positions: Uint32Array
}

export interface RetentionRow {
  readonly days: number
  readonly partitions: number | null
  readonly gb: number | null
  readonly monthlyPrice: number | null
  readonly candidate: string | null
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
  /** Documents that the workload speaks of; null if unknown. */
  readonly population: number | null
  readonly method: 'whole' | 'uniform' | 'reservoir' | 'head' | 'described'
  readonly seed: number
  /** Whether the first and the second half of the sample differ by more than chance; null if not compared. */
  readonly halvesDiffer: boolean | null
}

/** Filters that were found in SQL. */
export interface SqlFilters extends QueryFilters {
  /** Documents of an answer, where the query limits them. */
  readonly rows?: number | undefined
  /** Fields with a range between two parameters: if they are times, the length of the range is missing. */
  readonly openRanges?: readonly string[] | undefined
  /** Whether an answer has one row for many documents. */
  readonly isAggregate?: boolean | undefined
  /** Parts of the query that are not used. */
  readonly notes?: readonly string[] | undefined
}

/** Reads the filters of a query in SQL; or says why it cannot, as a sentence without a full stop. */
export type SqlReader = (sql: string) => SqlFilters | string

export interface StorageForecast {
  /** GB to plan for: the steady state under a time to live, otherwise today's; null if unknown. */
  readonly gb: number | null
  /** `steady`: documents expire as fast as they come; `growing`: they stay; `constant`: none come, or none are known. */
  readonly kind: 'steady' | 'growing' | 'constant'
  /** Bytes of new documents a day; null if unknown. */
  readonly growthBytesPerDay: number | null
}

/** Content of a container, and how it changes. Everything may be unknown. */
export interface StorageLoad {
  /** GB of data today. */
  readonly gb?: number | null | undefined
  /** Bytes of new documents a day. */
  readonly growthBytesPerDay?: number | undefined
  /** New documents a second and their size, for an unknown growth. */
  readonly createsPerSecond?: number | undefined
  readonly itemBytes?: number | undefined
  /** Time to live; documents are kept if missing. */
  readonly ttlSeconds?: number | 'never' | undefined
}

/** Physical partitions that an amount of data needs. */
export interface StoragePartitions {
  /** With every partition full: 50 GB. */
  readonly best: number
  /** In practice: with 45 GB and with 30 GB a partition. */
  readonly low: number
  readonly high: number
  /** To plan with: 40 GB a partition. */
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
  /** RU/s that every range gets in addition, from queries that ask all of `ranges` ranges; 0 if missing. */
  readonly everyRangeRuPerSecond?: ((ranges: number) => number) | undefined
  /** GB of data; null if unknown: storage then asks for one partition. */
  readonly gb: number | null
  /** GB of data that fit into a partition; PLANNED_PARTITION_GB if missing. */
  readonly gbPerPartition?: number | undefined
  /** RU/s of the busiest key at the peak, for the reason why nothing is possible. */
  readonly busiestKeyRuPerSecond?: number | undefined
  /** `manual` if missing. */
  readonly mode?: ThroughputMode | undefined
  /** Only numbers of partitions that this container can reach by splits are then possible: doublings of its own. */
  readonly present?: PresentContainer | undefined
  readonly prices?: PriceList | undefined
}

/** How a container gets its throughput: a fixed rate, or one that follows the load up to a maximum. */
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

/** Groups of records with an equal value of a transaction field: all of them, or a uniform sample of the groups. */
export interface TransactionCounts {
  /** JSON pointer of the field. */
  readonly field: string
  /** Groups of at least two records. */
  readonly groups: number
  /** For each candidate: groups whose records have different keys. */
  readonly torn: readonly number[]
}

export interface UsableShareOptions extends SampleBasis {
  /** Physical partitions: equal ranges of the hash space. */
  readonly ranges: number
  /** Seeded source of numbers from 0 up to, but not including, 1. */
  readonly random: () => number
}

export interface Verdict {
  /** One plain sentence. */
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

/** Facts about the system that the sample does not contain. Everything may be missing: it is then listed as assumed. */
export interface Workload {
  /** Documents in all. */
  readonly items?: number | undefined
  /** Bytes of all documents. */
  readonly totalBytes?: number | undefined
  /** Mean size of a document in bytes; the mean of the sample if missing. */
  readonly itemBytes?: number | undefined
  /** Growth in bytes a day. */
  readonly growthBytesPerDay?: number | undefined
  /** Time to live in seconds; `'never'`: documents are kept. */
  readonly ttlSeconds?: number | 'never' | undefined
  readonly writes?: WriteLoad | undefined
  /** Field with the time of a record, a JSON pointer. */
  readonly timeField?: string | undefined
  readonly queries: readonly QueryLoad[]
  /** Point reads a second by partition key and id. */
  readonly pointReadsPerSecond?: number | undefined
  /** Fields whose records belong to one transaction, JSON pointers. */
  readonly transactions: readonly string[]
  /** Fields whose value changes during the life of a document, JSON pointers. */
  readonly changingFields: readonly string[]
  readonly consistency: 'eventual' | 'consistentPrefix' | 'session' | 'boundedStaleness' | 'strong'
  readonly regions: number
  readonly multiRegionWrites: boolean
  /** Mean load over a month as a share of the peak, 0 to 1, for autoscale and serverless; 1 if missing. */
  readonly meanUtilization?: number | undefined
  /** Partition key paths of the container that exists already. */
  readonly presentKey?: readonly string[] | undefined
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
  /** Reads queries in SQL; without it they are a mistake. */
  readonly readSql?: SqlReader | undefined
  /** Name of a property in messages, such as `--writes` for the JSON pointer `/writes/rate`; the pointer if missing. */
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
  /** Indexed values of a document; counted in the sample if missing. */
  readonly indexedValues?: number | undefined
  /** Indexed values that an update changes; all of them if missing. */
  readonly changedValues?: number | undefined
  /** Share of the upserts that find a document, 0 to 1; 0 if missing. */
  readonly existingShare?: number | undefined
}

/**
 * Price of an autoscale maximum for a month: the highest rate of each hour counts, at least 10 % of the maximum. With
 * `meanUtilization` only, every hour counts as the mean, which is a lower bound of the price.
 */
export declare function autoscalePrice(
  maxRuPerSecond: number,
  load: AutoscaleLoad,
  account: PricedAccount,
  list?: PriceList
): number

export declare function burstOf(ruPerSecond: number, partitions: number): Burst | null

/**
 * Numbers of the first records on the range that gets most of them, at most as many as a queue has. Such records fill
 * the queue after a while, which is long for a slightly uneven key: a measurement can begin with them instead.
 */
export declare function busiestRecords(
  { reservoir }: SampleProfile,
  candidate: number,
  { ranges, inFlight }: Omit<MeasuredWrites, 'random'>
): readonly number[]

/**
 * Creates a generator of records as JSON. The fields are independent of each other. Each record has an `id` that no
 * other has, if none is described.
 */
export declare function createDescribedRecords(
  fields: readonly DescribedField[],
  random: () => number
): () => Uint8Array

/** Creates the profiler of a sample. Throws a PlanError if the plan of a candidate is invalid. */
export declare function createProfiler(options: ProfilerOptions): Profiler

/** Creates a seeded generator of numbers from 0 up to, but not including, 1: the same for the same seed. */
export declare function createRandom(seed: number): () => number

/** Computes the figures of all candidates, compares them, and decides the verdict. */
export declare function createReport(input: ReportInput): PlanReport

/** Rate to create a container with, so that it begins with this number of physical partitions. */
export declare function creationRuPerSecond(partitions: number, mode: ThroughputMode): number

export declare function crossovers(account: PricedAccount, list?: PriceList): Crossovers

/** Days until data that grows reaches a limit, 0 if it is above it; null if it never does. */
export declare function daysUntil(limitGb: number, gb: number, growthBytesPerDay: number): number | null

/** Steps as sentences in the imperative. */
export declare function describeSteps(steps: readonly RateStep[], mode?: ThroughputMode): readonly string[]

/**
 * Finds the scalar paths of parsed records, at most five levels deep, without those in arrays. Gives the most useful
 * ones first: those that most records have, with many values, and not too long.
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
 * The container after a rate is set directly, under even load. Only as many partitions split as needed, and halves get
 * the same RU/s as whole ones, so the widest range limits the load.
 */
export declare function evenUseAfter(partitions: number, ruPerSecond: number): EvenUse

/** Computes the expected size, before keys are counted: suffixes are proposed for it. */
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
 * Finds the time of a record where the workload does not name it: the field of which queries ask for ranges, or the only
 * one that has times with more than a date. Undefined if several fields may be meant.
 */
export declare function findTimeField(
  fields: readonly FieldSummary[],
  { queries, changingFields }: Pick<Workload, 'queries' | 'changingFields'>
): string | undefined

/** Storage to plan for: rate x bytes x time to live, or the present data. */
export declare function forecastStorage(load: StorageLoad): StorageForecast

/** `1 KB`, `500 GB`, `3.02 TB`: three significant digits; a KB has 1,000 bytes. */
export declare function formatBytes(bytes: number): string

/** `5,000`, `2.5`: whole numbers as they are, others with three significant digits. */
export declare function formatCount(count: number): string

/** `7 days`, `36 hours`: the largest unit that divides the time, or three significant digits of one. */
export declare function formatDuration(seconds: number): string

/** `67 %`, `8.9 %`: two significant digits below 10 %. */
export declare function formatPercent(share: number): string

/** `$1,168`, `EUR 1,168`; with cents below 10. */
export declare function formatPrice(amount: number, currency: string): string

/** `5,000/s`, `30/min`, `8.64/day`: in the shortest time that has at least one. */
export declare function formatRate(perSecond: number): string

/** Whether the first and the second part of the sample differ by more than chance; null if they cannot be compared. */
export declare function halvesDiffer(sample: SampleProfile): boolean | null

/** Highest rate that can be set at once, without a split. */
export declare function instantRuPerSecond(partitions: number): number

/** The same for one key: its distribution over the hash space. */
export declare function keyHalvesDiffer({ halves }: KeyProfile): boolean | null

/** Share of the records that the most frequent key has. */
export declare function largestKeyShare(profile: KeyProfile, basis: SampleBasis): Figure<Interval>

/** Least rate, or least autoscale maximum, that can be set. */
export declare function leastRuPerSecond(mode: ThroughputMode, { gb, highestRuPerSecond }: RateHistory): number

/**
 * Share of the sample's records in each range, in the order of the hash space. It describes the sample only, and does not
 * estimate the load of all data.
 */
export declare function loadByRange(profile: KeyProfile, ranges: number): number[]

/** Most RU/s of one logical partition: the part of the rate that its physical partition has. */
export declare function logicalPartitionRuPerSecond(ruPerSecond: number, partitions: number): number

/** Price of a manual rate for a month. */
export declare function manualPrice(ruPerSecond: number, account: PricedAccount, list?: PriceList): number

export declare function monthlyPrices(throughput: PricedThroughput, list?: PriceList): MonthlyPrices

/** Finds the number of physical partitions and the rate that are enough for the load at the lowest monthly price. */
export declare function neededThroughput(demand: ThroughputDemand): ThroughputAnswer

/** When growing data makes a container split next; null if it does not grow. */
export declare function nextSplit(partitions: number, gb: number, growthBytesPerDay: number): NextSplit | null

/** `1KB`, `500GB`, `1.5 TiB`: bytes. A KB has 1,000 bytes, a KiB 1,024. */
export declare function parseBytes(value: unknown): Reading

/** `10M`, `2,500,000`, or a number: a whole number. */
export declare function parseCount(value: unknown): Reading

/** Reads `deviceId:50000`, `fleetId:200:zipf1.0` or `tenantId:100:top40%`. Throws an error that names the mistake. */
export declare function parseDescribedField(text: string): DescribedField

/** `7d`, `24h`, `90 days`: seconds. A month has 730 hours, a year 365 days. */
export declare function parseDuration(value: unknown): Reading

/** `2GB/day`, `500 GB/month`: bytes a day. */
export declare function parseGrowth(value: unknown): Reading

/** `40%`: a share, 0.4. */
export declare function parsePercent(value: unknown): Reading

/**
 * Reads `deviceId, at=day, rows=10 @ 20/s`: fields with an equality filter, ranges of time, documents of an answer, and
 * the rate. `id` means a filter on the id, `price=*` a range whose length does not matter, `*` no filter. SQL takes the
 * place of the fields where a reader for it is passed; what it does not say follows the rate: `@ 20/s rows=10, at=day`.
 */
export declare function parseQuery(text: string, readSql?: SqlReader): Reading<QueryLoad>

/** `5000/s`, `300k/min`, `10M/day`: a rate a second. */
export declare function parseRate(value: unknown): Reading

/** `20k`, `20,000 RU/s`, or a number: RU/s. */
export declare function parseRu(value: unknown): Reading

/** Reads a workload from an object with texts such as `5000/s`. Throws a WorkloadError that names every mistake. */
export declare function parseWorkload(value: unknown, { readSql, nameOf }?: WorkloadOptions): Workload

/** Physical partitions of a new container that is created with this rate, or autoscale maximum. */
export declare function partitionsAtCreation(ruPerSecond: number, mode: ThroughputMode): number

export declare function partitionsForStorage(gb: number): StoragePartitions

/** A key plan of the user. Components that are not fields of the documents cannot be known to queries. */
export declare function planCandidate(name: string, plan: PlanDefinition): Candidate

/** Computes the usable part of another rate, and the path of rates after which all of it is usable. */
export declare function planRaise(container: PresentContainer, toRuPerSecond: number, options?: RaiseOptions): Raise

/** RU of a point read. */
export declare function pointReadCharge(itemBytes: number, consistency: Workload['consistency']): number

/** Predicts the physical partitions that a query asks under a candidate, and its RU for an answer of this size. */
export declare function predictQuery(
  query: QueryLoad,
  candidate: Candidate,
  { partitions, bytes }: AnswerSize
): Route & {
  readonly ru: number
}

/**
 * Predicts the share of the RU/s that a measurement can use under one candidate, by its number. This is the usable
 * share of these records, as in a report, but the order of the sample takes the place of the time: what the sample has
 * next to each other is written at the same time. Null if no record has the key.
 */
export declare function predictUsableShare(
  sample: SampleProfile,
  candidate: number,
  { ranges, inFlight, random }: MeasuredWrites
): number | null

/** Proposes keys from the fields of the first records and from the queries. Suffixes follow once keys were counted. */
export declare function proposeCandidates(
  fields: readonly FieldSummary[],
  workload: Pick<Workload, 'queries' | 'presentKey' | 'timeField' | 'changingFields'>
): Proposal

/** RU of one query with simple filters over indexed fields, over all the partitions that it asks. */
export declare function queryCharge({ ranges, resultBytes, consistency }: ChargedQuery): number

/** Factor of reads and queries: strong consistency and bounded staleness ask two replicas. */
export declare function readFactor(consistency: Workload['consistency']): number

/** Adds candidates with suffixes for those whose largest keys are too large for one physical or logical partition. */
export declare function refineCandidates(counted: readonly Counted[], options: RefineOptions): readonly Candidate[]

/**
 * Renders a report as one HTML file, from the report alone. It loads nothing, and its content policy allows only the
 * script and the styles that are in it.
 */
export declare function renderPage(report: PlanReport, { sha256 }: PageOptions): string

/** The next rate that can be set: manual rates go by 100 RU/s, autoscale maxima by 1,000. */
export declare function roundUpRu(ruPerSecond: number, mode: ThroughputMode): number

/**
 * Usable share for the records of the sample alone. It is also known for an ordered sample, which allows no conclusion
 * about other records.
 */
export declare function sampledUsableShare(profile: KeyProfile, ranges: number): number | null

/** Most RU/s of a serverless container, without a guarantee. */
export declare function serverlessRuPerSecond(partitions: number): number

/**
 * Share of a key that was chosen because it is frequent: the intervals hold for all keys of a sample together. `error`:
 * what the count is too high at most.
 */
export declare function shareOf(count: number, records: number, population: number | null, error?: number): Interval

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

/** Sets the shares of the hot values of a plan, from the most frequent keys of a sample. */
export declare function withHotShares(candidate: Candidate, profile: KeyProfile): Candidate

export declare function worstMinute(reservoir: Reservoir, options: WindowOptions): Figure<WorstMinute>

/** RU of one write. Every region of the account is charged as much from its own rate. */
export declare function writeCharge(write: ChargedWrite): number

// Not exported; the declarations above refer to it.

interface AllKeys {
  /** Positions in the hash space, in units of 2^-32. */
  readonly positions: Uint32Array
  readonly records: Uint32Array
}

type CandidateKind = 'present' | 'id' | 'field' | 'joined' | 'suffix' | 'hot' | 'hierarchical'

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
  /** Values of one part with a number of suffixes of their own, and their share of the records. */
  readonly hot: readonly {
    readonly value?: string
    readonly count: number
    readonly share: number
  }[]
  /** Number of the part that has these values; 0, the first, if missing. */
  readonly on?: number
}

/** Sizes of documents, from the workload or the sample. */
interface DocumentShape {
  readonly itemBytes: number
  /** Values of a document that are indexed: all of them by default. */
  readonly indexedValues: number
}

/** Where a query goes under a key. */
interface Route {
  readonly kind: 'point' | 'key' | 'ranges' | 'all'
  /** Physical partitions that the query asks on average. */
  readonly ranges: number
}

export {}
