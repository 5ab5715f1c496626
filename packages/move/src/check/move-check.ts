import type { SampleFacts } from './sample-counter.ts'
import type { CheckedThroughput, TargetRecipe } from './move-facts.ts'

/** Promises of a move, its needs and its costs: text and JSON of `keystamp rekey --dry-run` are made from it alone. */
export interface MoveCheck {
  readonly schemaVersion: 1
  readonly verdict: CheckVerdict
  /** The most severe first. */
  readonly findings: readonly CheckFinding[]
  readonly source: CheckedSide
  readonly target: CheckedSide & { readonly exists: boolean }
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

/** Documents of the source that were looked at. */
export type CheckedSample = Omit<SampleFacts, 'secondsLeft'>

export interface CheckVerdict {
  readonly kind: 'stops' | 'needs confirmation' | 'ready'
  /** One plain sentence. */
  readonly sentence: string
}

/** `stops`: the move does not begin. `needs confirmation`: it begins after a yes. `note`: it is good to know. */
export type Severity = 'stops' | 'needs confirmation' | 'note'

export const FINDING_CODES = [
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
] as const

export type FindingCode = (typeof FINDING_CODES)[number]

export interface CheckFinding {
  readonly code: FindingCode
  readonly severity: Severity
  /** One sentence. */
  readonly sentence: string
  /** Remedy, in the imperative. */
  readonly remedy: string
}

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

export interface PlanPromise {
  readonly basis: 'identity' | 'fields'
  /** JSON pointers of the fields, other than old key and id, from which key and id follow. */
  readonly fields: readonly string[]
  readonly sentence: string
}

/** How deletes in the source reach the target. */
export interface DeletePromise {
  /** `versions`: the change feed of all versions and deletes. `sweep`: by comparing the containers. */
  readonly seenBy: 'versions' | 'sweep' | 'none'
  readonly sentence: string
  /** Consequence where this does not hold. */
  readonly otherwise: string
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

/** The way back: from the target to the source under the old key. */
export interface BackPromise {
  readonly basis: 'identity' | 'fields'
  readonly sentence: string
  /** How deletes in the target reach the source after the switch. */
  readonly deletes: DeletePromise
  /** Needs of `keystamp rekey back`. */
  readonly needs: readonly string[]
}

export interface TtlPromise {
  readonly sentence: string
  /** Documents of the sample whose copy gets a shorter `ttl`. */
  readonly shortened: number | null
  /** Days after which all documents of today are expired; null if letting them expire is no alternative. */
  readonly daysUntilExpired: number | null
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

/** A fact that could not be read. */
export interface UnknownFact {
  readonly what: string
  readonly reason: string
  /** Findings that it leaves open. */
  readonly leavesOpen: readonly FindingCode[]
}
