// API report of @keystamp/planner, made by npm run docs. A change here is a change of the public API.

import type { KeystampError } from '@keystamp/core'
import type { PlanDefinition } from '@keystamp/core'

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
  /** Cheapest of `price`, in its currency. */
  readonly monthlyPrice: number | null
  readonly price: Price | null
  readonly largestKey: {
    readonly share: Interval
    readonly gb: number | null
    /** Date on which the logical partition meets 20 GB; null if it does not, or growth is unknown. */
    readonly fullOn: string | null
  } | null
  /** Share of the load by range, in the order of the hash space, for `physicalPartitions` ranges. */
  readonly loadByRange: readonly number[]
  /** Range loads for other numbers of ranges, for the sliders of the page: by number of ranges. */
  readonly loadByRangeOf: Readonly<Record<string, readonly number[]>>
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

/** Mean utilization above which one way of paying is cheaper than another; null if it never is, or is not offered. */
export interface Crossovers {
  /** Manual is cheaper than autoscale above it. */
  readonly manualOverAutoscale: number | null
  /** Manual is cheaper than serverless above it. */
  readonly manualOverServerless: number | null
  /** Autoscale is cheaper than serverless above it. */
  readonly autoscaleOverServerless: number | null
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

/** An estimate: the middle, and bounds between which the true value lies with 95 % confidence. */
export interface Interval {
  readonly low: number
  readonly mid: number
  readonly high: number
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
  /** From nothing, or from the present container. */
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

export interface PartitionsNeeded {
  readonly count: number
  readonly decidedBy: 'storage' | 'throughput' | 'one'
  readonly gb: number | null
  readonly ruPerSecond: number | null
}

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
  /** Load by range and minute, of the verdict's candidate and of the present or simplest other key. */
  readonly heat: readonly HeatMap[]
  readonly recipe: Recipe | null
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
  /** Share of the load that the busiest of so many ranges gets, for the limit of serverless; even if missing. */
  readonly busiestShareOf?: ((ranges: number) => number) | undefined
  /** GB of data without index; null if unknown. */
  readonly gb: number | null
  /** Index in addition to the data, 0 to 1; 0.15 if missing (10 to 20 % are usual). */
  readonly indexShare?: number | undefined
}

/** Filters that decide which partitions a query asks. */
export type QueryFilters = Pick<QueryLoad, 'equal' | 'between' | 'byId'>

export interface QueryLoad {
  /** As the user wrote it. */
  readonly name: string
  readonly perSecond: number
  /** Fields with an equality filter, JSON pointers. */
  readonly equal: readonly string[]
  /** Fields with a range filter; for times, the length of the range where it is known. */
  readonly between: readonly {
    readonly field: string
    readonly seconds?: number | undefined
  }[]
  /** Whether the id is given, which is then in `equal` too: together with the whole key, a point read. */
  readonly byId: boolean
  /** Documents that an answer has. */
  readonly rows: number
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

/** A rate to set, and what it makes of the container. */
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

export interface RetentionRow {
  readonly days: number
  readonly partitions: number | null
  readonly gb: number | null
  readonly monthlyPrice: number | null
  readonly candidate: string | null
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

/** Reads the filters of a query in SQL; or says why it cannot, as a sentence without a full stop. */
export type SqlReader = (sql: string) => QueryFilters | string

export interface StorageForecast {
  /** GB to plan for: the steady state under a time to live, otherwise today's; null if unknown. */
  readonly gb: number | null
  /** `steady`: documents expire as fast as they come; `growing`: they stay; `constant`: none come, or none are known. */
  readonly kind: 'steady' | 'growing' | 'constant'
  /** Bytes of new documents a day; null if unknown. */
  readonly growthBytesPerDay: number | null
}

/** What a container holds and how that changes. Everything may be unknown. */
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
  /** Share of `loadRuPerSecond` that the busiest of so many equally wide ranges gets: 1 / ranges up to 1. */
  readonly busiestShareOf: (ranges: number) => number
  /** RU/s of all operations that go to the partition of their key, at the peak. */
  readonly loadRuPerSecond: number
  /** RU/s that every range gets in addition, from queries that ask all ranges, with so many ranges; 0 if missing. */
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
  /** Name of a property in messages, such as `--writes` for `writes`; its JSON pointer if missing. */
  readonly nameOf?: ((property: string) => string) | undefined
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

/** Rate to create a container with, so that it begins with this number of physical partitions. */
export declare function creationRuPerSecond(partitions: number, mode: ThroughputMode): number

export declare function crossovers(account: PricedAccount, list?: PriceList): Crossovers

/** Days until data that grows reaches a limit, 0 if it is above it; null if it never does. */
export declare function daysUntil(limitGb: number, gb: number, growthBytesPerDay: number): number | null

/** Steps as sentences in the imperative. */
export declare function describeSteps(steps: readonly RateStep[], mode?: ThroughputMode): readonly string[]

/**
 * The container after a rate is set directly, under even load. Only as many partitions split as needed, and halves get
 * the same RU/s as whole ones, so the widest range limits the load.
 */
export declare function evenUseAfter(partitions: number, ruPerSecond: number): EvenUse

/** Storage to plan for: rate x bytes x time to live, or what is there. */
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

/** Highest rate that can be set at once, without a split. */
export declare function instantRuPerSecond(partitions: number): number

/** Least rate, or least autoscale maximum, that can be set. */
export declare function leastRuPerSecond(mode: ThroughputMode, { gb, highestRuPerSecond }: RateHistory): number

/** Most RU/s of one logical partition: the part of the rate that its physical partition has. */
export declare function logicalPartitionRuPerSecond(ruPerSecond: number, partitions: number): number

/** Price of a manual rate for a month. */
export declare function manualPrice(ruPerSecond: number, account: PricedAccount, list?: PriceList): number

export declare function monthlyPrices(throughput: PricedThroughput, list?: PriceList): MonthlyPrices

/** Finds the number of physical partitions and the rate of least monthly price that carry the load. */
export declare function neededThroughput(demand: ThroughputDemand): ThroughputAnswer

/** When growing data makes a container split next; null if it does not grow. */
export declare function nextSplit(partitions: number, gb: number, growthBytesPerDay: number): NextSplit | null

/** `1KB`, `500GB`, `1.5 TiB`: bytes. A KB has 1,000 bytes, a KiB 1,024. */
export declare function parseBytes(value: unknown): Reading

/** `10M`, `2,500,000`, or a number: a whole number. */
export declare function parseCount(value: unknown): Reading

/** `7d`, `24h`, `90 days`: seconds. A month has 730 hours, a year 365 days. */
export declare function parseDuration(value: unknown): Reading

/** `2GB/day`, `500 GB/month`: bytes a day. */
export declare function parseGrowth(value: unknown): Reading

/** `40%`: a share, 0.4. */
export declare function parsePercent(value: unknown): Reading

/**
 * Reads `deviceId, at=day, rows=10 @ 20/s`: fields with an equality filter, ranges of time, documents of an answer, and
 * the rate. `id` means a filter on the id, `price=*` a range whose length does not matter, `*` no filter. SQL takes the
 * place of the fields where a reader for it is passed.
 */
export declare function parseQuery(text: string, readSql?: SqlReader): Reading<QueryLoad>

/** `5000/s`, `300k/min`, `10M/day`: a rate a second. */
export declare function parseRate(value: unknown): Reading

/** `20k`, `20,000 RU/s`, or a number: RU/s. */
export declare function parseRu(value: unknown): Reading

/** Reads a workload from an object with texts such as `5000/s`. Throws a WorkloadError that names every mistake. */
export declare function parseWorkload(value: unknown, options?: WorkloadOptions): Workload

/** Physical partitions of a new container that is created with this rate, or autoscale maximum. */
export declare function partitionsAtCreation(ruPerSecond: number, mode: ThroughputMode): number

export declare function partitionsForStorage(gb: number): StoragePartitions

/** Computes what another rate really gives, and the path of rates that makes all of it usable. */
export declare function planRaise(container: PresentContainer, toRuPerSecond: number, options?: RaiseOptions): Raise

/** RU of a point read. */
export declare function pointReadCharge(itemBytes: number, consistency: Workload['consistency']): number

/** RU of one query with simple filters over indexed fields, over all the partitions that it asks. */
export declare function queryCharge({ ranges, resultBytes, consistency }: ChargedQuery): number

/** Factor of reads and queries: strong consistency and bounded staleness ask two replicas. */
export declare function readFactor(consistency: Workload['consistency']): number

/** The next rate that can be set: manual rates go by 100 RU/s, autoscale maxima by 1,000. */
export declare function roundUpRu(ruPerSecond: number, mode: ThroughputMode): number

/** Most RU/s of a serverless container, without a guarantee. */
export declare function serverlessRuPerSecond(partitions: number): number

/** RU of one write. Every region of the account is charged as much from its own rate. */
export declare function writeCharge(write: ChargedWrite): number

export {}
