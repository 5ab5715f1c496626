import { type Clock, type StopSignal, waitFor } from '@keystamp/core/internal'
import type { KeyRange } from '@keystamp/core'
import { CosmosError } from '../client/cosmos-error.ts'

/** A physical partition that was split during a run, and those that it became. */
export interface SplitRange {
  readonly from: string
  readonly to: readonly string[]
}

interface RangeRoutesOptions {
  /** Ranges at the beginning of the run. */
  readonly ranges: readonly KeyRange[]
  /** Reads the list of ranges again. */
  readonly readRanges: () => Promise<readonly KeyRange[]>
  readonly clock: Clock
  readonly signal: StopSignal
}

/** Time between two reads of the list while a split is not complete. */
const WAIT_MS = 500
/** A minute in all. */
const MAX_WAITS = 120

/** Finds the ranges that replace a range after a split. */
export class RangeRoutes {
  readonly #options: RangeRoutesOptions
  readonly #known: Map<string, KeyRange>
  readonly #splits: Map<string, readonly string[]> = new Map()
  #waits = 0

  constructor(options: RangeRoutesOptions) {
    this.#options = options
    this.#known = new Map(options.ranges.map((range) => [range.id, range]))
  }

  get splits(): readonly SplitRange[] {
    return [...this.#splits].map(([from, to]) => ({ from, to }))
  }

  /** Ids of the ranges that have the documents of a range now: the range itself, unless a split was seen. */
  leavesOf(id: string): readonly string[] {
    const children = this.#splits.get(id)
    return children === undefined ? [id] : children.flatMap((child) => this.leavesOf(child))
  }

  /**
   * Must be called with an error for which `isMoved` is true. Returns the ids of the ranges to ask instead, or the same
   * id after a wait if the split is not complete. Throws the error if the range was merged, or no split ends.
   */
  async follow(id: string, error: unknown): Promise<readonly string[]> {
    if (this.#splits.has(id)) return this.leavesOf(id)
    const listed = await this.#list()
    const range = this.#known.get(id)
    if (range === undefined) throw error
    if (listed === undefined || listed.some((each) => each.id === id)) {
      if (++this.#waits > MAX_WAITS) throw error
      await waitFor(WAIT_MS, this.#options.clock, this.#options.signal)
      return [id]
    }
    const children = listed.filter(({ min, max }) => min >= range.min && max <= range.max)
    // a merged range also has documents of its neighbor
    if (children.at(0)?.min !== range.min || children.at(-1)?.max !== range.max) throw error
    for (const child of children) this.#known.set(child.id, child)
    const ids = children.map((child) => child.id)
    this.#splits.set(id, ids)
    return ids
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

/** Whether an answer says that a range was split or merged, or is being split, merged or moved. */
export function isMoved(error: unknown): boolean {
  return error instanceof CosmosError && error.statusCode === 410 && MOVED.has(error.subStatus ?? 0)
}

const MOVED: ReadonlySet<number> = new Set([1002, 1007, 1008])
