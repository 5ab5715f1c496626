import type { ContainerDefinition, Share } from '@keystamp/cosmos'
import type { CheckedPlan } from './checked-plan.ts'
import type { SampleFacts } from './sample-counter.ts'

/** A fact; or the sentence that says why it is unknown. */
export type Fact<T> = { readonly value: T } | { readonly unknown: string }

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

/** The change feed of all versions and deletes. */
export interface VersionsFeed {
  readonly isOn: boolean
  /** Minutes that the feed goes back; null if the answers do not tell. */
  readonly retentionMinutes: number | null
  /** Kinds of changes that have the former version of the document; null if the answers do not tell. */
  readonly previousImages: 'none' | 'replaces' | 'deletes' | 'all' | null
}

/** Names of the JavaScript that is stored in a container. */
export interface Scripts {
  readonly storedProcedures: readonly string[]
  readonly triggers: readonly string[]
  readonly functions: readonly string[]
}

export interface CheckedThroughput {
  readonly kind: 'manual' | 'autoscale' | 'serverless'
  /** RU/s; for autoscale, the maximum; null for serverless. */
  readonly ruPerSecond: number | null
  /** Whether the containers of the database share the throughput. */
  readonly isShared: boolean
}

/** Mean RU of one document. */
export interface CheckedCharges {
  /** To read it from a change feed. */
  readonly readRu: number
  /** To create it in the target. */
  readonly writeRu: number
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

/** The value of a fact; undefined if it is unknown. */
export function valueOf<T>(fact: Fact<T>): T | undefined {
  return 'value' in fact ? fact.value : undefined
}
