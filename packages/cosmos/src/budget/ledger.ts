/** What is asked of a ledger. */
export interface LedgerRequest {
  /** Names the entry; the same name again replaces it. */
  readonly id: string
  readonly leastRu: number
  /** 0 to ask for nothing. */
  readonly mostRu: number
  /** What the range may be sent in a second, by all together. */
  readonly ruPerSecond: number
  /** What is given may be used for so long after it has begun; all of that time it counts. */
  readonly validMs: number
  /** What became of entries that the ledger gave before. */
  readonly reports: readonly LedgerReport[]
}

/** What an entry was used for: nothing more of it is spent from then on. */
export interface LedgerReport {
  readonly id: string
  /** What it paid for was sent so many milliseconds after it began, at most. */
  readonly afterMs: number
  /** What that cost, or probably will; 0 for nothing. */
  readonly ru: number
}

/** An entry that the ledger made. */
export interface LedgerEntry {
  readonly ru: number
  /** It begins so many milliseconds after the ledger was asked. */
  readonly inMs: number
}

/**
 * What all who share a budget spend, by range. An entry counts from when it is made until a second after it was used, or could have been.
 * Entries are given in the order of the calls, spread over the second, each for when there is room for it: so no second holds more than the
 * budget, or than one entry that is more than that.
 */
export interface Ledger {
  readonly ask: (rangeId: string, ask: LedgerRequest) => Promise<LedgerEntry>
}

/** Entries follow each other a little faster than the budget fills, so that what was let go by is made up for: the second of all is what holds. */
export const PACE = 1.15
/** What was let go by for so long is made up for at once. */
export const BURST_MS = 120
/** An entry counts for a second, and what two clocks may differ by over it. */
export const COUNTED_MS = 1001

interface Entry {
  readonly id: string
  readonly startMs: number
  untilMs: number
  ru: number
}

/** A ledger in memory, by the same rules as the one in Redis. */
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
  /** When the next entry is due. */
  #dueMs = Number.NEGATIVE_INFINITY

  ask(nowMs: number, { id, leastRu, mostRu, ruPerSecond, validMs, reports }: LedgerRequest): LedgerEntry {
    for (const report of [...reports, { id, afterMs: 0, ru: 0 }]) this.#apply(report, ruPerSecond)
    this.#entries = this.#entries.filter((entry) => entry.untilMs > nowMs && entry.ru > 0)
    if (mostRu === 0) return { ru: 0, inMs: 0 }
    const leaving = this.#entries.toSorted((a, b) => a.untilMs - b.untilMs)
    // who waits is counted already, so nobody is passed by those who ask for less
    let startMs = Math.max(nowMs, this.#dueMs - BURST_MS)
    let spentRu = this.#entries.reduce((sum, { ru }) => sum + ru, 0)
    for (const { untilMs, ru } of leaving) {
      if (untilMs > startMs && spentRu + Math.min(leastRu, ruPerSecond) <= ruPerSecond) break
      startMs = Math.max(startMs, untilMs)
      spentRu -= ru
    }
    const granted = Math.min(mostRu, Math.max(leastRu, ruPerSecond - spentRu))
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
