import type { Clock } from '@keystamp/core/internal'
import type { MoveContainer } from '../containers/move-container.ts'
import { CopyGate } from '../copy/copy-gate.ts'
import { createSourceSide, createTargetSide } from './compared-side.ts'
import { countBuckets, type CountedBuckets } from './count-buckets.ts'
import type { Difference, Unsettled } from './difference.ts'
import type { DocumentMatching } from './document-matching.ts'
import { groupBuckets, openBuckets } from './open-buckets.ts'
import { settle } from './settle.ts'

export interface CompareOptions {
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

export const DEFAULT_LIMITS: CompareLimits = {
  maxBytes: 8 * 2 ** 20,
  maxRequests: 4,
  maxItems: 1000,
  maxOpenDocuments: 100_000,
  maxReads: 32,
  maxFindings: 10_000
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
  readonly buckets: { readonly differing: number; readonly opened: number }
  readonly differences: readonly Difference[]
  readonly unsettled: readonly Unsettled[]
  /** False if the comparison ended early, because it had found `maxFindings` documents. */
  readonly isComplete: boolean
}

/** Documents after which progress is reported. */
const PROGRESS_DOCUMENTS = 1000

/**
 * Compares two containers, also while applications change them and copies follow. Reads both once, and again only for
 * the buckets of documents that may differ.
 */
export async function compareContainers(options: CompareOptions): Promise<Comparison> {
  const { matching, clock, wallMs, settleMs = 10_000, tries = 10, onProgress = () => {} } = options
  const limits = { ...DEFAULT_LIMITS, ...options.limits }
  const signal = options.signal ?? new AbortController().signal
  const [source, target] = openSides(options, limits, signal)
  const beganMs = wallMs()
  let progress: CompareProgress = { phase: 'counting', documents: 0, group: 0, groups: 0, waiting: 0, differences: 0 }
  const show = (change: Partial<CompareProgress>): void => onProgress((progress = { ...progress, ...change }))
  const onDocument = counter((documents) => show({ documents }))
  show({})
  const counted = await countBuckets({ source, target, fields: matching.fields, onDocument })
  const atMs = wallMs()
  const groups = groupBuckets(counted, limits.maxOpenDocuments)
  const differences: Difference[] = []
  const unsettled: Unsettled[] = []
  const isFull = (): boolean => differences.length + unsettled.length >= limits.maxFindings
  let opened = 0
  let isComplete = true
  for (const [index, group] of groups.entries()) {
    const common = { group: index + 1, groups: groups.length, differences: differences.length, waiting: 0 }
    show({ ...common, phase: 'opening', documents: 0 })
    const suspects = await openBuckets(group, {
      source,
      target,
      sizeOf: counted.sizeOf,
      onDocument: counter((documents) => show({ documents }))
    })
    opened += group.length
    for (let from = 0; from < suspects.length && !isFull(); from += limits.maxFindings) {
      const onWait = (waiting: number): void => show({ ...common, phase: 'settling', documents: 0, waiting })
      const part = suspects.slice(from, from + limits.maxFindings)
      const { maxReads } = limits
      const settled = await settle(part, { source, target, matching, clock, signal, settleMs, tries, maxReads, onWait })
      differences.push(...settled.differences)
      unsettled.push(...settled.unsettled)
      if (isFull()) isComplete = from + limits.maxFindings >= suspects.length && index === groups.length - 1
    }
    if (isFull()) break
  }
  return {
    isEqual: differences.length === 0 && unsettled.length === 0,
    beganMs,
    atMs,
    compared: counted.compared,
    buckets: { differing: counted.differing.length, opened },
    differences: differences.toSorted(byDocument),
    unsettled: unsettled.toSorted(byDocument),
    isComplete
  }
}

function byDocument(one: { readonly document: string }, other: { readonly document: string }): number {
  return one.document < other.document ? -1 : Number(one.document > other.document)
}

function openSides(
  { source, target, matching, ignore, ignoresTtl }: CompareOptions,
  { maxBytes, maxRequests, maxItems }: CompareLimits,
  signal: AbortSignal
): readonly [ReturnType<typeof createSourceSide>, ReturnType<typeof createTargetSide>] {
  const common = { matching, left: { leaveOut: ignore, leaveOutTtl: ignoresTtl }, maxItems, signal }
  const gate = (): CopyGate => new CopyGate({ maxBytes, maxRequests })
  return [
    createSourceSide({ ...common, container: source, gate: gate() }),
    createTargetSide({ ...common, container: target, gate: gate() })
  ]
}

/** Counts calls, and reports every thousandth one. */
function counter(report: (count: number) => void): () => void {
  let count = 0
  return () => {
    if (++count % PROGRESS_DOCUMENTS === 0) report(count)
  }
}
