import type { PlanReport } from './plan-report.ts'

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

export interface XrayedContainer {
  readonly name: string
  readonly partitionKey: { readonly paths: readonly string[]; readonly kind: string; readonly version: number }
  readonly physicalPartitions: number
  /** Provisioned RU/s; for autoscale, the maximum; null if unknown. */
  readonly ruPerSecond: number | null
  readonly throughput: 'manual' | 'autoscale' | 'unknown'
  /** Whether the containers of the database share the throughput. */
  readonly isShared: boolean
  readonly documents: number | null
  readonly gb: number | null
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

export interface XrayVerdict {
  readonly kind: 'healthy' | 'findings' | 'unknown'
  /** One plain sentence. */
  readonly sentence: string
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

export interface XrayedKey {
  readonly hash: string
  /** The key itself, only with `--show-values`. */
  readonly value?: string
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
  readonly largestKeys: readonly (XrayedKey & { readonly gb: number })[]
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
  readonly keys: readonly (XrayedKey & { readonly range: string; readonly share: number })[]
  /** Load of each part of the period: its share by range, in the order of `ranges`. */
  readonly windows: readonly { readonly at: string; readonly total: number; readonly shares: readonly number[] }[]
}

export interface XrayedQuery {
  readonly name: string
  readonly perSecond: number
  /** Physical partitions that an execution asks on average. */
  readonly ranges: number
  readonly source: 'workload' | 'log'
}

export interface UnseenPart {
  readonly what: string
  readonly why: string
  /** Checks that it leaves open; empty if it only makes numbers less sure. */
  readonly checks: readonly CheckName[]
}
