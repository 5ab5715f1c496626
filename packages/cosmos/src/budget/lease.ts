import { createLocalLedger, type Ledger, type LedgerReport } from './ledger.ts'
import { createRedisLedger, openRedis } from './redis-ledger.ts'
import { createSlots, type Slots } from './slots.ts'
import type { SharedBudget } from './throughput-share.ts'

/** Options of a lease. */
export interface LeaseOptions {
  /** RU per second of one range; for all processes together if they share the budget. */
  readonly ruPerSecond: number
  /**
   * Length of a slice of the budget, in milliseconds; must be the same for all processes that share it. Default: 50.
   */
  readonly sliceMs?: number
  /** Redis through which other processes share the budget. Default: only this process uses it. */
  readonly shared?: SharedBudget
  /** Called when Redis cannot be reached for a while; pending requests keep waiting. */
  readonly onError?: (error: Error) => void
}

/** Request for a grant. */
export interface GrantRequest {
  /** The smallest grant that is useful. */
  readonly minRu: number
  readonly maxRu: number
  /** Called when the request is sent; returns the use of earlier grants that is not reported yet. */
  readonly reports: () => readonly LedgerReport[]
}

/** Request units that may be spent between `fromMs` and `untilMs`, and at no other time. */
export interface RuGrant {
  readonly id: string
  readonly ru: number
  /** Earliest time at which the entry of the grant in the ledger can begin. */
  readonly startMs: number
  readonly fromMs: number
  readonly untilMs: number
}

/** Request units that this process may spend, by range. */
export interface Lease {
  /** Resolves when the budget can be leased; rejects with BUDGET_UNREACHABLE. */
  readonly ready: Promise<void>
  /**
   * Requests the RU of operations; only one call at a time for each range. Resolves with undefined if the range was
   * retired or the lease was closed.
   */
  readonly ask: (rangeId: string, ask: GrantRequest) => Promise<RuGrant | undefined>
  /** Reports the use of grants immediately, and not only with the next request. */
  readonly report: (rangeId: string, reports: readonly LedgerReport[]) => void
  /** Returns unspent RU to the range; a negative number deducts RU that were spent beyond the grant. */
  readonly correct: (rangeId: string, ru: number) => void
  /** Must be called when the provisioned throughput or the number of ranges has changed. */
  readonly setBudget: (ruPerSecond: number) => void
  /** Ends a range that was split or merged. */
  readonly retire: (rangeId: string) => void
  readonly close: () => Promise<void>
}

/** Dependencies of a lease. */
export interface LeaseDependencies {
  /** Monotonic milliseconds. */
  readonly now: () => number
  readonly open: (everyMs: number, options: LeaseOptions) => { readonly slots: Slots; readonly ledger: Ledger }
}

const SLICE_MS = 50
/**
 * Factor by which the RU of a slice exceed the budget of `sliceMs`, because on a busy machine some slices come late and
 * are lost. The ledger keeps the total within the budget.
 */
const HASTE = 2
/**
 * Validity of a grant, in milliseconds: covers the usual delay of timers; the time that the ledger needs to answer is
 * added. The ledger counts a grant during its validity, or until its use is reported.
 */
const VALID_MS = 100
const MAX_VALID_MS = 500
const FORGETTING = 0.9

const DEFAULT_DEPENDENCIES: LeaseDependencies = { now: () => performance.now(), open }

/**
 * Creates a lease. The slices order the requests; the ledger keeps every second within the budget. A grant is valid
 * only while the ledger counts it. This holds however late the ledger answers, and whatever the clock of Redis shows.
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

  async function ask(rangeId: string, { minRu, maxRu, reports }: GrantRequest): Promise<RuGrant | undefined> {
    const range = rangeOf(rangeId)
    if ((await range.take(maxRu)) === 0) return undefined
    const id = String(asked++)
    const askedMs = dependencies.now()
    const validMs = Math.min(MAX_VALID_MS, VALID_MS + slowestMs * 2)
    const entry = await ledger
      .ask(rangeId, { id, minRu, maxRu, ruPerSecond, validMs, reports: reports() })
      .catch(reportFailure)
    const answeredMs = dependencies.now()
    slowestMs = Math.max(answeredMs - askedMs, slowestMs * FORGETTING)
    if (entry === undefined) {
      range.correct(maxRu)
      return isClosed ? undefined : askLater(rangeId, { minRu, maxRu, reports })
    }
    range.correct(maxRu - entry.ru)
    // the ledger granted at an unknown time between `askedMs` and `answeredMs`: the bounds are valid for any such time
    const startMs = askedMs + entry.inMs
    return { id, ru: entry.ru, startMs, fromMs: answeredMs + entry.inMs, untilMs: startMs + validMs }
  }

  function reportFailure(error: Error): undefined {
    if (!isClosed) options.onError?.(error)
  }

  function report(rangeId: string, reports: readonly LedgerReport[]): void {
    void ledger
      .ask(rangeId, { id: String(asked++), minRu: 0, maxRu: 0, ruPerSecond, validMs: 0, reports })
      .catch(reportFailure)
  }

  async function askLater(rangeId: string, again: GrantRequest): Promise<RuGrant | undefined> {
    await slots.next(rangeId)
    return ask(rangeId, again)
  }

  return {
    ready: slots.ready,
    ask,
    report,
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
  if (shared === undefined)
    return { slots: createSlots({ everyMs }), ledger: createLocalLedger(() => performance.now()) }
  const client = openRedis(shared.redis)
  const slots = createSlots({ everyMs, shared: { name: shared.name, client }, onError })
  return { slots, ledger: createRedisLedger(client, shared.name) }
}

/** Options of the slices of one range. */
export interface RangeLeaseOptions {
  readonly sliceMs: number
  /** Called for each slice: the budget may change. */
  readonly sliceRu: () => number
  readonly now: () => number
  /** Resolves when the next slice may be spent; slots are at least `sliceMs` apart. */
  readonly nextSlot: () => Promise<void>
}

/** Slices of one range, and the requests that wait for slices. */
export interface RangeLease {
  readonly take: (ru: number) => number | Promise<number>
  readonly correct: (ru: number) => void
  readonly end: () => void
}

interface Waiting {
  readonly ru: number
  readonly resolve: (ru: number) => void
}

/**
 * Creates the lease of one range. It fetches slices while there are requests, one slice ahead; unspent RU never exceed
 * one slice.
 */
export function createRangeLease({ sliceMs, sliceRu, now, nextSlot }: RangeLeaseOptions): RangeLease {
  const waiting: Waiting[] = []
  let left = 0
  let isFetching = false
  let isEnded = false
  let lastSliceMs = now()
  // The next slot is requested before it is needed, so that no slot is lost. This stops if no RU were taken since the
  // last slot.
  let wasTaken = false

  function take(ru: number): number | Promise<number> {
    if (isEnded) return 0
    wasTaken = true
    if (!isFetching) {
      reduceDebt()
      void fetchSlices()
    }
    if (waiting.length === 0 && ru <= left) {
      left -= ru
      return ru
    }
    return new Promise((resolve) => waiting.push({ ru, resolve }))
  }

  async function fetchSlices(): Promise<void> {
    isFetching = true
    while (isWanted()) {
      wasTaken = false
      await nextSlot()
      addSlice()
    }
    isFetching = false
  }

  function isWanted(): boolean {
    return !isEnded && (wasTaken || waiting.length > 0)
  }

  function addSlice(): void {
    const slice = sliceRu()
    lastSliceMs = now()
    left += slice
    serve()
    if (waiting.length === 0) left = Math.min(left, slice)
  }

  function serve(): void {
    while (waiting.length > 0 && waiting[0].ru <= left) {
      const { ru, resolve } = waiting.shift()!
      left -= ru
      wasTaken = true
      resolve(ru)
    }
  }

  function correct(ru: number): void {
    left = Math.min(left + ru, Math.max(left, sliceRu()))
    serve()
  }

  // while no RU were taken, no slices were fetched that would have paid the debt
  function reduceDebt(): void {
    if (left < 0) left = Math.min(0, left + ((now() - lastSliceMs) / sliceMs) * sliceRu())
  }

  return {
    take,
    correct,
    end: () => {
      isEnded = true
      for (const { resolve } of waiting.splice(0)) resolve(0)
    }
  }
}
