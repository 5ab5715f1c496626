import { type RangeLease, createRangeLease } from './range-lease.ts'
import { createSlots, type SharedBudget, type Slots } from './slots.ts'

/** How a budget is leased. */
export interface LeaseOptions {
  /** What one range may spend in a second: over all processes, where they share. */
  readonly ruPerSecond: number
  /** The budget comes in slices of so many milliseconds; whole ones, the same for all who share. Default: 50. */
  readonly sliceMs?: number
  /** Share the budget with other processes through Redis. Default: this process has it alone. */
  readonly shared?: SharedBudget
  /** Told when Redis cannot be reached for a while; what waits goes on waiting. */
  readonly onTrouble?: (error: Error) => void
}

/** The request units that this process may spend, by range. */
export interface Lease {
  /** Resolves when the budget can be leased; rejects with BUDGET_UNREACHABLE. */
  readonly ready: Promise<void>
  /**
   * Takes what an operation will cost: at once, or when enough slices have come. In the order of the calls.
   * Gives what was asked for; 0 when the range was retired or the lease closed.
   */
  readonly take: (rangeId: string, ru: number) => number | Promise<number>
  /** Gives back what was not spent; a negative number takes what was spent beyond. */
  readonly correct: (rangeId: string, ru: number) => void
  /** The offer or the number of ranges has changed. */
  readonly setBudget: (ruPerSecond: number) => void
  /** Ends a range that was split or merged. */
  readonly retire: (rangeId: string) => void
  readonly close: () => Promise<void>
}

/** What a lease touches of the machine. */
export interface LeaseSurroundings {
  /** Milliseconds that only ever grow. */
  readonly now: () => number
  readonly createSlots: (everyMs: number, options: LeaseOptions) => Slots
}

const SLICE_MS = 50

const MACHINE: LeaseSurroundings = {
  now: () => performance.now(),
  createSlots: (everyMs, { shared, onTrouble }) => createSlots({ everyMs, shared, onTrouble })
}

/** In any sliding second a range is leased at most its budget and one slice more for each process that shares it. */
export function createLease(options: LeaseOptions, surroundings: LeaseSurroundings = MACHINE): Lease {
  const sliceMs = options.sliceMs ?? SLICE_MS
  const slots = surroundings.createSlots(sliceMs, options)
  const ranges = new Map<string, RangeLease>()
  let { ruPerSecond } = options

  function rangeOf(rangeId: string): RangeLease {
    let range = ranges.get(rangeId)
    if (range === undefined) {
      range = createRangeLease({
        sliceMs,
        sliceRu: () => (ruPerSecond * sliceMs) / 1000,
        now: surroundings.now,
        nextSlot: () => slots.next(rangeId)
      })
      ranges.set(rangeId, range)
    }
    return range
  }

  return {
    ready: slots.ready,
    take: (rangeId, ru) => rangeOf(rangeId).take(ru),
    correct: (rangeId, ru) => rangeOf(rangeId).correct(ru),
    setBudget: (changed) => {
      ruPerSecond = changed
    },
    retire: (rangeId) => {
      ranges.get(rangeId)?.end()
      ranges.delete(rangeId)
      slots.retire(rangeId)
    },
    close: async () => {
      for (const range of ranges.values()) range.end()
      ranges.clear()
      await slots.close()
    }
  }
}
