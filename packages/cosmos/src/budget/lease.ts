import { createLocalLedger, type Ledger, type LedgerReport } from './ledger.ts'
import { openRedis } from './redis-client.ts'
import { type RangeLease, createRangeLease } from './range-slices.ts'
import { createRedisLedger } from './redis-ledger.ts'
import type { SharedBudget } from './throughput-share.ts'
import { createSlots, type Slots } from './slots.ts'

/** How a budget is leased. */
export interface LeaseOptions {
  /** What one range may spend in a second: over all processes, where they share. */
  readonly ruPerSecond: number
  /** The budget comes in slices of so many milliseconds; whole ones, the same for all who share. Default: 50. */
  readonly sliceMs?: number
  /** Share the budget with other processes through Redis. Default: this process has it alone. */
  readonly shared?: SharedBudget
  /** Told when Redis cannot be reached for a while; what waits goes on waiting. */
  readonly onError?: (error: Error) => void
}

/** What is asked of a lease. */
export interface GrantRequest {
  /** What is of use, where there is no more for now. */
  readonly leastRu: number
  readonly mostRu: number
  /** Asked when it is told: what grants of before were used for, as far as that was not told yet. */
  readonly reports: () => readonly LedgerReport[]
}

/** Request units that may be spent between two moments, and at no other. */
export interface RuGrant {
  readonly id: string
  readonly ru: number
  /** Its time in the ledger began then, or later. */
  readonly startMs: number
  readonly fromMs: number
  readonly untilMs: number
}

/** The request units that this process may spend, by range. */
export interface Lease {
  /** Resolves when the budget can be leased; rejects with BUDGET_UNREACHABLE. */
  readonly ready: Promise<void>
  /** Asks for what operations will cost: one call of a range after another. Undefined when the range was retired or the lease closed. */
  readonly ask: (rangeId: string, ask: GrantRequest) => Promise<RuGrant | undefined>
  /** Tells what grants were used for before anything is asked for again. */
  readonly tell: (rangeId: string, reports: readonly LedgerReport[]) => void
  /** Gives back what was not spent; a negative number takes what was spent beyond. */
  readonly correct: (rangeId: string, ru: number) => void
  /** The offer or the number of ranges has changed. */
  readonly setBudget: (ruPerSecond: number) => void
  /** Ends a range that was split or merged. */
  readonly retire: (rangeId: string) => void
  readonly close: () => Promise<void>
}

/** What a lease touches of the machine. */
export interface LeaseDependencies {
  /** Milliseconds that only ever grow. */
  readonly now: () => number
  readonly open: (everyMs: number, options: LeaseOptions) => { readonly slots: Slots; readonly ledger: Ledger }
}

const SLICE_MS = 50
/** Slices are larger than their part of a second: on a busy machine some come late, and are lost. The ledger sees to it that it is not too much. */
const HASTE = 2
/** As late as timers seldom are. A grant counts for all the time in which it may be used, but only until it is told when it was. To that comes the time of answers. */
const VALID_MS = 100
const MAX_VALID_MS = 500
const FORGETTING = 0.9

const DEFAULT_DEPENDENCIES: LeaseDependencies = { now: () => performance.now(), open }

/**
 * Slices say whose turn it is; the ledger says that no second holds more than the budget. A grant is good for moments that the ledger has counted
 * it for, whenever its answer comes, and whatever the clock of the other machine says.
 */
export function createLease(options: LeaseOptions, dependencies: LeaseDependencies = DEFAULT_DEPENDENCIES): Lease {
  const sliceMs = options.sliceMs ?? SLICE_MS
  const { slots, ledger } = dependencies.open(sliceMs, options)
  const ranges = new Map<string, RangeLease>()
  let { ruPerSecond } = options
  let asked = 0
  let slowestMs = 0
  let isClosed = false

  function rangeOf(rangeId: string): RangeLease {
    let range = ranges.get(rangeId)
    if (range === undefined) {
      range = createRangeLease({
        sliceMs,
        sliceRu: () => (ruPerSecond * sliceMs * HASTE) / 1000,
        now: dependencies.now,
        nextSlot: () => slots.next(rangeId)
      })
      ranges.set(rangeId, range)
    }
    return range
  }

  async function ask(rangeId: string, { leastRu, mostRu, reports }: GrantRequest): Promise<RuGrant | undefined> {
    const range = rangeOf(rangeId)
    if ((await range.take(mostRu)) === 0) return undefined
    const id = String(asked++)
    const askedMs = dependencies.now()
    const validMs = Math.min(MAX_VALID_MS, VALID_MS + slowestMs * 2)
    const entry = await ledger.ask(rangeId, { id, leastRu, mostRu, ruPerSecond, validMs, reports: reports() }).catch(missed)
    const answeredMs = dependencies.now()
    slowestMs = Math.max(answeredMs - askedMs, slowestMs * FORGETTING)
    if (entry === undefined) {
      range.correct(mostRu)
      return isClosed ? undefined : askLater(rangeId, { leastRu, mostRu, reports })
    }
    range.correct(mostRu - entry.ru)
    // the ledger was asked somewhere between the two moments: what holds for either holds
    const startMs = askedMs + entry.inMs
    return { id, ru: entry.ru, startMs, fromMs: answeredMs + entry.inMs, untilMs: startMs + validMs }
  }

  function missed(error: Error): undefined {
    if (!isClosed) options.onError?.(error)
  }

  function tell(rangeId: string, reports: readonly LedgerReport[]): void {
    void ledger.ask(rangeId, { id: String(asked++), leastRu: 0, mostRu: 0, ruPerSecond, validMs: 0, reports }).catch(missed)
  }

  async function askLater(rangeId: string, again: GrantRequest): Promise<RuGrant | undefined> {
    await slots.next(rangeId)
    return ask(rangeId, again)
  }

  return {
    ready: slots.ready,
    ask,
    tell,
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
      isClosed = true
      for (const range of ranges.values()) range.end()
      ranges.clear()
      await slots.close()
    }
  }
}

function open(everyMs: number, { shared, onError }: LeaseOptions): { readonly slots: Slots; readonly ledger: Ledger } {
  if (shared === undefined) return { slots: createSlots({ everyMs }), ledger: createLocalLedger(() => performance.now()) }
  const client = openRedis(shared.redis)
  const slots = createSlots({ everyMs, shared: { name: shared.name, client }, onError })
  return { slots, ledger: createRedisLedger(client, shared.name) }
}
