/** Counters of a lane, as plain numbers. */
export class LaneCounts {
  /** RU that Cosmos DB charged. */
  chargedRu = 0
  batches = 0
  /** Operations that were sent, retries included. */
  operations = 0
  /** Operations that got their outcome in this lane. */
  settled = 0
  /** Operations that were throttled. */
  throttledOperations = 0
  /** Requests with at least one throttled operation. */
  throttledBatches = 0
  /** Upserts that a later upsert of the same document superseded. */
  superseded = 0
  /** Retries by the status of the answer; `lost` for requests without an answer. */
  readonly retries: Map<string, number> = new Map()
  /** Batches by their number of operations, one count for each of `BATCH_SIZE_BOUNDS`. */
  readonly fill: number[] = BATCH_SIZE_BOUNDS.map(() => 0)
  /** Requests by how long the answer took, one count for each of `LATENCY_BOUNDS_MS` and one for what took longer. */
  readonly latency: number[] = [...LATENCY_BOUNDS_MS, 0].map(() => 0)
  /** Time of all requests, from sending to the answer. */
  latencySumMs = 0
  /** Answers by the RU that they charged, one count for each of `CHARGE_BOUNDS_RU` and one for what cost more. */
  readonly charge: number[] = [...CHARGE_BOUNDS_RU, 0].map(() => 0)

  sent(operations: number): void {
    this.batches++
    this.operations += operations
    this.fill[BATCH_SIZE_BOUNDS.findIndex((bound) => operations <= bound)]++
  }

  answered(latencyMs: number): void {
    this.latencySumMs += latencyMs
    this.latency[bucketOf(LATENCY_BOUNDS_MS, latencyMs)]++
  }

  /** Counts what an answer charged for its request. */
  charged(ru: number): void {
    this.chargedRu += ru
    this.charge[bucketOf(CHARGE_BOUNDS_RU, ru)]++
  }

  retried(reason: string, times: number = 1): void {
    this.retries.set(reason, (this.retries.get(reason) ?? 0) + times)
  }

  /** Adds the counters of another lane. */
  add(other: LaneCounts): void {
    this.chargedRu += other.chargedRu
    this.batches += other.batches
    this.operations += other.operations
    this.settled += other.settled
    this.throttledOperations += other.throttledOperations
    this.throttledBatches += other.throttledBatches
    this.superseded += other.superseded
    for (const [reason, times] of other.retries) this.retried(reason, times)
    for (const [step, batches] of other.fill.entries()) this.fill[step] += batches
    for (const [step, answers] of other.latency.entries()) this.latency[step] += answers
    this.latencySumMs += other.latencySumMs
    for (const [step, answers] of other.charge.entries()) this.charge[step] += answers
  }
}

/** Upper bounds of the histogram `fill`: operations of a batch. */
export const BATCH_SIZE_BOUNDS: readonly number[] = [1, 10, 25, 50, 75, 99, 100]
/** Upper bounds of the histogram `latency`, in milliseconds; one more count holds what took longer. */
export const LATENCY_BOUNDS_MS: readonly number[] = [5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10_000]
/** Upper bounds of the histogram `charge`, in request units; one more count holds what cost more. */
export const CHARGE_BOUNDS_RU: readonly number[] = [1, 5, 10, 25, 50, 100, 250, 500, 1000, 2500]

/** Index of the first bound that holds the value; the number of bounds where none does. */
function bucketOf(bounds: readonly number[], value: number): number {
  const bucket = bounds.findIndex((bound) => value <= bound)
  return bucket < 0 ? bounds.length : bucket
}
