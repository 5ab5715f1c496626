import type { Answer, Request, Transport } from '../../src/client/transport.ts'
import type { VirtualClock } from '@keystamp/testkit'

export interface BudgetedServiceOptions {
  readonly clock: VirtualClock
  readonly random: () => number
  readonly ruPerSecond: number
  /** RU of one upsert; may differ for each call. */
  readonly chargeRu: () => number
  readonly latencyMs: () => number
  /** Maximum of the retry-after of a throttled request, in milliseconds. */
  readonly maxRetryAfterMs: number
}

/** A range with a budget for each second. It throttles operations after the budget is spent. */
export class BudgetedService implements Transport {
  /** Requests that reached the service: time and charge. */
  readonly arrivals: { readonly atMs: number; readonly ru: number }[] = []
  usedRu = 0
  throttled = 0
  operations = 0
  readonly #options: BudgetedServiceOptions
  #second = -1
  #left = 0

  constructor(options: BudgetedServiceOptions) {
    this.#options = options
  }

  readonly send = async ({ operations }: Request): Promise<Answer> => {
    const { clock, latencyMs } = this.#options
    await clock.sleep(latencyMs() / 2)
    const answers = Array.from({ length: operations }, () => this.#execute())
    await clock.sleep(latencyMs() / 2)
    return { kind: 'answered', operations: answers }
  }

  readonly close = (): void => {}

  #execute(): { statusCode: number; requestCharge: number; retryAfterMilliseconds?: number } {
    const { clock, ruPerSecond, maxRetryAfterMs } = this.#options
    const second = Math.floor(clock.now() / 1000)
    if (second !== this.#second) this.#left = ruPerSecond
    this.#second = second
    this.operations++
    if (this.#left <= 0) {
      this.throttled++
      const restMs = 1000 - (clock.now() % 1000)
      return { statusCode: 429, requestCharge: 0, retryAfterMilliseconds: Math.min(maxRetryAfterMs, restMs) }
    }
    const ru = this.#options.chargeRu()
    this.#left -= ru
    this.usedRu += ru
    this.arrivals.push({ atMs: clock.now(), ru })
    return { statusCode: 200, requestCharge: ru }
  }
}
