import type { Clock } from '@keystamp/core/internal'
import type { BatchEvent, FeedFailure } from '@keystamp/cosmos'

/** A container that has not answered since a moment. */
export interface ContainerWait {
  /** Moment of the clock. */
  readonly sinceMs: number
  /** Sentence with the last failure. */
  readonly detail: string
}

interface FailingRange {
  readonly sinceMs: number
  lastMs: number
  result: string
}

/** A range without a request for this time was split, or has nothing to write any more. */
const FORGOTTEN_MS = 60_000

/** Watches the calls of one container, which repeat their requests until they have an answer. */
export class CallWatch {
  readonly #clock: Pick<Clock, 'now'>
  /** Reads without an answer, in the order of their beginning. */
  readonly #reads: Set<{ readonly sinceMs: number }> = new Set()
  readonly #failing: Map<string, FailingRange> = new Map()

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock
  }

  /** Runs a read. */
  async read<T>(run: () => Promise<T>): Promise<T> {
    const call = { sinceMs: this.#clock.now() }
    this.#reads.add(call)
    try {
      return await run()
    } finally {
      this.#reads.delete(call)
    }
  }

  /** A request of a writer has ended. Throttling is an answer. */
  batch({ rangeId, result, latencyMs }: Pick<BatchEvent, 'rangeId' | 'result' | 'latencyMs'>): void {
    if (result === 'answered' || result === '429') {
      this.#failing.delete(rangeId)
      return
    }
    const nowMs = this.#clock.now()
    const failing = this.#failing.get(rangeId) ?? { sinceMs: nowMs - latencyMs, lastMs: nowMs, result }
    this.#failing.set(rangeId, Object.assign(failing, { lastMs: nowMs, result }))
  }

  /** The longest wait of this moment. `reads`: the last failure, and the oldest request without an answer. */
  waiting(reads: {
    readonly lastFailure: FeedFailure | undefined
    readonly unansweredSinceMs: number | undefined
  }): ContainerWait | undefined {
    const waits = [this.#readWait(reads), this.#writeWait()].filter((wait) => wait !== undefined)
    return waits.toSorted((a, b) => a.sinceMs - b.sinceMs)[0]
  }

  #readWait({ lastFailure, unansweredSinceMs }: Parameters<CallWatch['waiting']>[0]): ContainerWait | undefined {
    const [oldest] = this.#reads
    if (oldest !== undefined && lastFailure !== undefined && lastFailure.atMs >= oldest.sinceMs)
      return { sinceMs: oldest.sinceMs, detail: lastFailure.message }
    if (unansweredSinceMs === undefined) return undefined
    return { sinceMs: unansweredSinceMs, detail: 'Cosmos DB has not answered a read yet.' }
  }

  #writeWait(): ContainerWait | undefined {
    const nowMs = this.#clock.now()
    for (const [rangeId, { lastMs }] of this.#failing) if (nowMs - lastMs > FORGOTTEN_MS) this.#failing.delete(rangeId)
    const [first] = [...this.#failing.values()].toSorted((a, b) => a.sinceMs - b.sinceMs)
    if (first === undefined) return undefined
    const { sinceMs, result } = first
    return { sinceMs, detail: `Cosmos DB has not accepted a write (last answer: ${result}).` }
  }
}
