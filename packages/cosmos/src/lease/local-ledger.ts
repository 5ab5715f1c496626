import { BURST_MS, COUNTED_MS, type Ledger, type LedgerAsk, type LedgerEntry, type LedgerReport, PACE } from './ledger.ts'

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

  ask(nowMs: number, { id, leastRu, mostRu, ruPerSecond, validMs, reports }: LedgerAsk): LedgerEntry {
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
