import { type Clock, type StopSignal, waitFor } from '@keystamp/core/internal'
import type { KeyRange } from '@keystamp/core'
import { CosmosError } from '../client/cosmos-error.ts'
import type { FeedRange } from '../feed/changes.ts'

/** A physical partition that was split during a run, and those that it became. */
export interface SplitRange {
  readonly from: string
  readonly to: readonly string[]
}

/** Physical partitions that were merged during a run, and the one that they became. */
export interface MergedRange {
  readonly from: readonly string[]
  readonly to: string
}

/** A range, or the part of it that a former range became. */
export interface RangePart {
  /** Id of the range. */
  readonly id: string
  /** Hashes of the part; undefined for the whole range. */
  readonly part: FeedRange | undefined
  /** Whether the range comes from a merge during the run: the times in its change feed do not ascend. */
  readonly isMerged?: boolean
}

interface RangeRoutesOptions {
  /** Ranges at the beginning of the run. */
  readonly ranges: readonly KeyRange[]
  /** Reads the list of ranges again. */
  readonly readRanges: () => Promise<readonly KeyRange[]>
  readonly clock: Clock
  readonly signal: StopSignal
}

/** Time between two reads of the list while a split or merge is not complete. */
const WAIT_MS = 500
/** A minute in all. */
const MAX_WAITS = 120

/** Finds the ranges that replace a range after a split or merge. */
export class RangeRoutes {
  readonly #options: RangeRoutesOptions
  readonly #known: Map<string, KeyRange>
  /** Successors of each part, by `keyOf` the part. */
  readonly #next: Map<string, readonly RangePart[]> = new Map()
  readonly #splits: Map<string, readonly string[]> = new Map()
  readonly #merges: Map<string, readonly string[]> = new Map()
  #waits = 0

  constructor(options: RangeRoutesOptions) {
    this.#options = options
    this.#known = new Map(options.ranges.map((range) => [range.id, range]))
  }

  get splits(): readonly SplitRange[] {
    return [...this.#splits].map(([from, to]) => ({ from, to }))
  }

  get merges(): readonly MergedRange[] {
    return [...this.#merges].map(([to, from]) => ({ from, to }))
  }

  /** The ranges that have the documents of a range now: the range itself, unless a split or merge was seen. */
  leavesOf(id: string): readonly RangePart[] {
    return this.#leavesOf({ id, part: undefined })
  }

  /**
   * Must be called with an error for which `isMoved` is true. Returns the ranges to ask instead, or the same part after
   * a wait if the split or merge is not complete. Throws the error if it does not end.
   */
  async follow(from: RangePart, error: unknown): Promise<readonly RangePart[]> {
    if (this.#next.has(keyOf(from))) return this.#leavesOf(from)
    const listed = await this.#list()
    const { min, max } = from.part ?? this.#known.get(from.id) ?? NOWHERE
    const found = (listed ?? []).filter((range) => range.min < max && min < range.max)
    if (found.length === 0 || found.some(({ id }) => id === from.id)) {
      if (++this.#waits > MAX_WAITS) throw error
      await waitFor(WAIT_MS, this.#options.clock, this.#options.signal)
      return [from]
    }
    const inside = found.filter((range) => range.min >= min && range.max <= max)
    if (inside.length > 0 && from.part === undefined)
      this.#splits.set(
        from.id,
        inside.map(({ id }) => id)
      )
    for (const range of found) {
      this.#known.set(range.id, range)
      if (!inside.includes(range)) this.#noteMerge(range, listed!)
    }
    const next = found.map((range) => ({
      id: range.id,
      part: inside.includes(range) ? undefined : { min: later(range.min, min), max: earlier(range.max, max) },
      isMerged: from.isMerged === true || !inside.includes(range)
    }))
    this.#next.set(keyOf(from), next)
    return next
  }

  #leavesOf(from: RangePart): readonly RangePart[] {
    return this.#next.get(keyOf(from))?.flatMap((each) => this.#leavesOf(each)) ?? [from]
  }

  #noteMerge({ id, min, max }: KeyRange, listed: readonly KeyRange[]): void {
    const isReplaced = (other: string): boolean =>
      this.#splits.has(other) || listed.some((range) => range.id === other) || this.#isMerged(other)
    const own = [...this.#known.values()].filter((range) => range.min >= min && range.max <= max)
    const from = own.map((range) => range.id).filter((other) => !isReplaced(other))
    this.#merges.set(id, [...(this.#merges.get(id) ?? []), ...from])
  }

  #isMerged(id: string): boolean {
    return [...this.#merges.values()].some((from) => from.includes(id))
  }

  /** Undefined if the list has a gap, which happens for a moment during a split. */
  async #list(): Promise<readonly KeyRange[] | undefined> {
    try {
      return await this.#options.readRanges()
    } catch (error) {
      if (error instanceof CosmosError && error.retriable) return undefined
      throw error
    }
  }
}

const NOWHERE = { min: '', max: '' }

function keyOf({ id, part }: RangePart): string {
  return part === undefined ? id : `${id} ${part.min} ${part.max}`
}

function later(a: string, b: string): string {
  return a > b ? a : b
}

function earlier(a: string, b: string): string {
  return a < b ? a : b
}

/** Whether an answer says that a range was split or merged, or is being split, merged or moved. */
export function isMoved(error: unknown): boolean {
  return error instanceof CosmosError && error.statusCode === 410 && MOVED.has(error.subStatus ?? 0)
}

const MOVED: ReadonlySet<number> = new Set([1002, 1007, 1008])
