/** Request to a ledger. */
export interface LedgerRequest {
  /** Id of the entry. A request with the same id replaces the entry. */
  readonly id: string
  readonly minRu: number
  /** 0 for a report without a request. */
  readonly maxRu: number
  /** RU per second of the range, for all processes together. */
  readonly ruPerSecond: number
  /** Time for which a grant may be used after it begins; the grant counts during this time. */
  readonly validMs: number
  /** Use of entries that the ledger granted before. */
  readonly reports: readonly LedgerReport[]
}

/** Final use of an entry. */
export interface LedgerReport {
  readonly id: string
  /** Milliseconds from the beginning of the entry to the last request that it paid for. */
  readonly afterMs: number
  /** RU that these requests were charged, or probably will be charged; 0 if there were none. */
  readonly ru: number
}

/** Entry in the ledger. */
export interface LedgerEntry {
  readonly ru: number
  /** Milliseconds from the request until the entry begins. */
  readonly inMs: number
}

/**
 * RU spent by all processes that share a budget, by range. An entry counts from its creation until a second after its
 * use; without a report of its use, until a second after its validity. The ledger grants entries in the order of the
 * calls. Each entry begins when the budget allows it. No second contains more than the budget, except for a single
 * entry that is larger than the budget.
 */
export interface Ledger {
  readonly ask: (rangeId: string, ask: LedgerRequest) => Promise<LedgerEntry>
}

/**
 * Entries follow each other a little faster than the budget fills, so that unspent RU are used. No second exceeds its
 * limit.
 */
export const PACE = 1.15
/** Milliseconds of unused budget that later entries may use at once. */
export const BURST_MS = 120
/** An entry counts for a second, plus the difference that two clocks may have after a second. */
export const COUNTED_MS = 1001

interface Entry {
  readonly id: string
  readonly startMs: number
  untilMs: number
  ru: number
}

/** Creates a ledger in memory, with the same rules as the ledger in Redis. */
export function createLocalLedger(now: () => number): Ledger {
  const ranges = new Map<string, RangeLedger>()

  function rangeOf(rangeId: string): RangeLedger {
    const range = ranges.get(rangeId) ?? new RangeLedger()
    ranges.set(rangeId, range)
    return range
  }

  return { ask: async (rangeId, ask) => rangeOf(rangeId).ask(now(), ask) }
}

class RangeLedger {
  #entries: Entry[] = []
  /** Time at which the next entry is due. */
  #dueMs = Number.NEGATIVE_INFINITY

  ask(nowMs: number, { id, minRu, maxRu, ruPerSecond, validMs, reports }: LedgerRequest): LedgerEntry {
    for (const report of [...reports, { id, afterMs: 0, ru: 0 }]) this.#apply(report, ruPerSecond)
    this.#entries = this.#entries.filter((entry) => entry.untilMs > nowMs && entry.ru > 0)
    if (maxRu === 0) return { ru: 0, inMs: 0 }
    const leaving = this.#entries.toSorted((a, b) => a.untilMs - b.untilMs)
    // pending grants are counted already, so small requests cannot starve large ones
    let startMs = Math.max(nowMs, this.#dueMs - BURST_MS)
    let spentRu = this.#entries.reduce((sum, { ru }) => sum + ru, 0)
    for (const { untilMs, ru } of leaving) {
      if (untilMs > startMs && spentRu + Math.min(minRu, ruPerSecond) <= ruPerSecond) break
      startMs = Math.max(startMs, untilMs)
      spentRu -= ru
    }
    const granted = Math.min(maxRu, Math.max(minRu, ruPerSecond - spentRu))
    this.#dueMs = Math.max(this.#dueMs, startMs) + msOf(granted, ruPerSecond)
    this.#entries.push({ id, startMs, untilMs: startMs + validMs + COUNTED_MS, ru: granted })
    return { ru: granted, inMs: startMs - nowMs }
  }

  #apply({ id, afterMs, ru }: LedgerReport, ruPerSecond: number): void {
    const entry = this.#entries.find((one) => one.id === id)
    if (entry === undefined) return
    this.#dueMs += msOf(ru - entry.ru, ruPerSecond)
    entry.ru = ru
    entry.untilMs = Math.min(entry.untilMs, entry.startMs + afterMs + COUNTED_MS)
  }
}

function msOf(ru: number, ruPerSecond: number): number {
  return (ru / ruPerSecond / PACE) * 1000
}
