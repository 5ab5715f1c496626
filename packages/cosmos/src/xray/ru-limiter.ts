import { type Clock, type StopSignal, waitFor } from '@keystamp/core/internal'

/** Least limit in RU/s: a page of a feed alone costs two to three RU. */
export const MIN_LIMIT_RU = 20
/** Part of the limit that one request is expected to cost at most. */
const REQUEST_PART = 10
const WINDOW_MS = 1000

/** Charge and result of a request. */
export interface Charged<T> {
  readonly chargeRu: number
  readonly value: T
}

/**
 * Runs requests one after the other so that those of any sliding second cost at most the limit, without the last one.
 * The service charges a request at some time between its sending and its answer. Here, a charge counts until one second
 * after the answer, so the service never sees more requests in a second than this limiter.
 */
export class RuLimiter {
  readonly #limitRu: number
  readonly #clock: Clock
  #recent: { readonly answeredMs: number; readonly chargeRu: number }[] = []
  #last: Promise<unknown> = Promise.resolve()
  /** RU of all requests so far. */
  chargeRu = 0
  requests = 0

  constructor(limitRu: number, clock: Clock) {
    this.#limitRu = limitRu
    this.#clock = clock
  }

  /** RU that one request should cost at most. */
  get requestRu(): number {
    return this.#limitRu / REQUEST_PART
  }

  /** Waits until the expected charge fits, and sends the request. */
  run<T>(expectedRu: number, send: () => Promise<Charged<T>>, signal?: StopSignal): Promise<T> {
    const turn = this.#last.then(() => this.#runNow(expectedRu, send, signal))
    this.#last = turn.catch(() => {
      // the caller gets the failure
    })
    return turn
  }

  async #runNow<T>(expectedRu: number, send: () => Promise<Charged<T>>, signal: StopSignal | undefined): Promise<T> {
    for (let waitMs = this.#waitMs(expectedRu); waitMs > 0; waitMs = this.#waitMs(expectedRu)) {
      await waitFor(waitMs, this.#clock, signal)
      if (signal?.aborted === true) break
    }
    let chargeRu = expectedRu
    try {
      const answer = await send()
      chargeRu = answer.chargeRu
      return answer.value
    } finally {
      // a request without an answer may have been charged, too
      this.#recent.push({ answeredMs: this.#clock.now(), chargeRu })
      this.chargeRu += chargeRu
      this.requests++
    }
  }

  /** Time until enough charges are older than a second. */
  #waitMs(expectedRu: number): number {
    const nowMs = this.#clock.now()
    this.#recent = this.#recent.filter(({ answeredMs }) => answeredMs > nowMs - WINDOW_MS)
    let excessRu = this.#recent.reduce((sum, each) => sum + each.chargeRu, 0) + expectedRu - this.#limitRu
    for (const { answeredMs, chargeRu } of this.#recent) {
      if (excessRu <= 0) break
      excessRu -= chargeRu
      if (excessRu <= 0) return answeredMs + WINDOW_MS - nowMs
    }
    // one request always fits after a second without any
    return excessRu <= 0 || this.#recent.length === 0
      ? 0
      : this.#recent[this.#recent.length - 1].answeredMs + WINDOW_MS - nowMs
  }
}

/** Part of the reading that ends after an amount of RU or time, whichever comes first. */
export class Allowance {
  readonly #limiter: RuLimiter
  readonly #clock: Pick<Clock, 'now'>
  readonly #endRu: number
  readonly #endMs: number
  readonly allowedRu: number

  constructor(limiter: RuLimiter, clock: Pick<Clock, 'now'>, allowedRu: number, allowedMs: number) {
    this.#limiter = limiter
    this.#clock = clock
    this.allowedRu = allowedRu
    this.#endRu = limiter.chargeRu + allowedRu
    this.#endMs = clock.now() + allowedMs
  }

  get isLeft(): boolean {
    return this.#limiter.chargeRu < this.#endRu && this.#clock.now() < this.#endMs
  }
}
