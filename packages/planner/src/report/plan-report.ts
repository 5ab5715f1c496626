import type { PlanDefinition } from '@keystamp/core'
import type { Interval } from '../model/interval.ts'
import type { WindowFigure } from '../model/time-windows.ts'
import type { PriceList } from '../service/price-list.ts'
import type { MeasuredKey } from './measured-key.ts'

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
  readonly dropped: readonly { readonly name: string; readonly why: string }[]
  /** Inputs that were not given, the most important first, and the figures that they could change. */
  readonly assumptions: readonly { readonly what: string; readonly couldChange: string }[]
  /** The workload as strings, for the page. */
  readonly workload: readonly { readonly name: string; readonly value: string }[]
  /** Reasons for the figures outside `candidates` that are null, by their path in this object, such as `heat`. */
  readonly unknown: Readonly<Record<string, string>>
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

export interface Verdict {
  /** The verdict as text. */
  readonly sentence: string
  /** Name of the candidate; null if none is possible. */
  readonly candidate: string | null
  readonly kind: 'keep' | 'adopt' | 'index' | 'either' | 'expire' | 'unknown'
}

export interface PartitionsNeeded {
  readonly count: number
  readonly decidedBy: 'storage' | 'throughput' | 'one'
  readonly gb: number | null
  readonly ruPerSecond: number | null
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
  readonly distinctKeys: { readonly low: number; readonly mid: number | null; readonly high: number | null }
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

export interface QueryReport {
  readonly name: string
  /** A point read, one logical partition, some ranges, or all ranges. */
  readonly kind: 'point' | 'key' | 'ranges' | 'all'
  readonly ranges: number | null
  readonly ruPerSecond: number | null
}

export interface RetentionRow {
  readonly days: number
  readonly partitions: number | null
  readonly gb: number | null
  readonly monthlyPrice: number | null
  readonly candidate: string | null
}

export interface HeatMap {
  readonly candidate: string
  /** Start of each window, ISO 8601. */
  readonly minutes: readonly string[]
  readonly ranges: number
  /** For each window: the share of its load by range. */
  readonly values: readonly (readonly number[])[]
}

export interface Comparison {
  readonly candidate: string
  /** `present`: the key of the present container. `worst`: the least even of the fields that queries filter by. */
  readonly why: 'present' | 'worst'
  readonly heat: HeatMap | null
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

export interface HygieneFinding {
  /** JSON pointer of the property. */
  readonly path: string
  readonly finding: string
  readonly records: number
}
