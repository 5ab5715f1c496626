import type { RuBudget } from './ru-budget.ts'

/** Limits what is sent to one range: its RU budget, its pauses, and the number of concurrent requests. */
export class RangeGovernor {
  readonly concurrency: Concurrency = new Concurrency()
  budget: RuBudget
  #pausedUntilMs = Number.NEGATIVE_INFINITY

  constructor(budget: RuBudget) {
    this.budget = budget
  }

  /** Pauses the range until this time; of several times, the latest applies. */
  pauseUntil(ms: number): void {
    this.#pausedUntilMs = Math.max(this.#pausedUntilMs, ms)
  }

  /** Remaining milliseconds of a pause. */
  pauseMs(nowMs: number): number {
    return Math.max(0, this.#pausedUntilMs - nowMs)
  }

  /** Pauses the range, and lowers its concurrency unless the range is already paused. */
  throttled(nowMs: number, retryAfterMs: number): void {
    if (this.pauseMs(nowMs) === 0) this.concurrency.decrease()
    this.pauseUntil(nowMs + retryAfterMs)
  }
}

/** Limit of concurrent requests. It grows by one for each round without throttling, and halves after throttling. */
export class Concurrency {
  #limit = INITIAL_LIMIT
  #isLearning = true
  #bestMs = Number.POSITIVE_INFINITY

  get limit(): number {
    return Math.floor(this.#limit)
  }

  /** Called for an answer without throttling if as many requests were in flight as the limit allows. */
  increase(): void {
    this.#limit = Math.min(MAX_LIMIT, this.#limit + (this.#isLearning ? 1 : 1 / this.#limit))
  }

  /**
   * Called instead of `increase` for a full batch, which only latency limits. More requests help only while answers
   * take about as long as the fastest one. Otherwise the requests only wait in another queue, and take memory.
   */
  answeredFullBatch(latencyMs: number): void {
    this.#bestMs = Math.min(latencyMs, this.#bestMs * FASTEST_GROWTH)
    if (latencyMs > this.#bestMs * LATE_FACTOR + LATE_MS) this.#decreaseSlightly()
    else this.increase()
  }

  decrease(): void {
    this.#isLearning = false
    this.#limit = Math.max(1, this.#limit / 2)
  }

  // A single slow answer may be an accident. Decreases the limit by 1/2 for each slow answer, so that a full round of
  // slow answers lowers it clearly.
  #decreaseSlightly(): void {
    this.#isLearning = false
    if (this.#limit > MIN_LIMIT_BY_LATENCY) this.#limit = Math.max(MIN_LIMIT_BY_LATENCY, this.#limit - 1 / 2)
  }
}

const INITIAL_LIMIT = 2
const MAX_LIMIT = 32
const MIN_LIMIT_BY_LATENCY = 4
/** An answer that takes this factor longer than the fastest, and `LATE_MS` more, has waited in a queue. */
const LATE_FACTOR = 2
const LATE_MS = 2
/**
 * Growth of the fastest latency with each answer, because it may not be possible forever: about a thousand answers
 * replace it.
 */
const FASTEST_GROWTH = 1.0005

/** Estimated RU of operations by kind and size, learned from charges. */
export class Prices {
  readonly #known: Map<string, Float64Array> = new Map()

  /** RU that an operation of this kind and size will probably be charged. */
  estimate(kind: string, bytes: number): number {
    const learned = this.#known.get(kind)
    if (learned === undefined) return guess(bytes)
    const step = stepOf(bytes)
    return learned[step] > 0 ? learned[step] : (nearest(learned, step) ?? guess(bytes))
  }

  /** Learns from one charge. */
  learn(kind: string, bytes: number, chargeRu: number): void {
    let learned = this.#known.get(kind)
    if (learned === undefined) this.#known.set(kind, (learned = new Float64Array(STEPS)))
    const step = stepOf(bytes)
    learned[step] = learned[step] === 0 ? chargeRu : learned[step] + (chargeRu - learned[step]) * LEARNING_RATE
  }
}

// an existing document costs twice as much as a new one: the mean has to follow a changing mixture within a few hundred
// operations
const LEARNING_RATE = 0.02
const STEPS = 64
const FIRST_BYTES = 64
const FIRST_DOUBLING = 6
const STEPS_PER_DOUBLING = 4

function stepOf(bytes: number): number {
  if (bytes <= FIRST_BYTES) return 0
  // bucket = power of two, split into quarters by the next two bits
  const doubling = 31 - Math.clz32(bytes)
  const step = (doubling - FIRST_DOUBLING) * STEPS_PER_DOUBLING + ((bytes >> (doubling - 2)) & 3)
  return step < STEPS ? step : STEPS - 1
}

/** Published price of a new document with a few indexed properties; used until the first answer. */
function guess(bytes: number): number {
  return 6 + Math.max(0, bytes / 1024 - 1) * 0.6
}

/** Price of the nearest known size; scaled if that size is smaller. */
function nearest(learned: Float64Array, step: number): number | undefined {
  for (let distance = 1; distance < STEPS; distance++) {
    if (learned[step - distance] > 0)
      return learned[step - distance] * 2 ** Math.min(2, distance / STEPS_PER_DOUBLING / 2)
    if (learned[step + distance] > 0) return learned[step + distance]
  }
  return undefined
}
