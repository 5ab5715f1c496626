/** What a lane did so far, as plain numbers. */
export class LaneCounts {
  /** RU that were charged. */
  chargedRu = 0
  batches = 0
  /** Operations that were sent, repeated ones included. */
  operations = 0
  /** Operations that got their outcome here. */
  settled = 0
  /** Operations that were told to wait. */
  throttledOperations = 0
  /** Requests of which at least one operation was told to wait. */
  throttledBatches = 0
  /** Upserts whose place a later one of the same document took. */
  superseded = 0
  /** Repetitions by the status that asked for them; `lost` for answers that did not come. */
  readonly retries: Map<string, number> = new Map()
  /** Batches by how full they were: up to 1, 10, 25, 50, 75, 99 and 100 operations. */
  readonly fill: number[] = FILL_STEPS.map(() => 0)
  /** Batches by how long the answer took: up to 5, 10, 25, 50, 100, 250, 1,000 ms and more. */
  readonly latency: number[] = [...LATENCY_STEPS_MS, 0].map(() => 0)

  sent(operations: number): void {
    this.batches++
    this.operations += operations
    this.fill[FILL_STEPS.findIndex((step) => operations <= step)]++
  }

  answered(latencyMs: number): void {
    const step = LATENCY_STEPS_MS.findIndex((most) => latencyMs <= most)
    this.latency[step < 0 ? LATENCY_STEPS_MS.length : step]++
  }

  retried(reason: string, times: number = 1): void {
    this.retries.set(reason, (this.retries.get(reason) ?? 0) + times)
  }

  /** Takes in what another lane counted. */
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
  }
}

/** Upper bounds of the histogram of batch sizes. */
const FILL_STEPS: readonly number[] = [1, 10, 25, 50, 75, 99, 100]
/** Upper bounds of the histogram of answer times; one more counts what took longer. */
const LATENCY_STEPS_MS: readonly number[] = [5, 10, 25, 50, 100, 250, 1000]
