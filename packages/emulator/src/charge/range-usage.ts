/** Usage of a range in one second. */
export interface UsageSecond {
  second: number
  usedRu: number
  refusedRu: number
  operations: number
  throttledOperations: number
  throttledRequests: number
}

/** Counts the RU that a range used and refused: in total, and for each of the last 120 seconds. */
export class RangeUsage {
  readonly total: UsageSecond = emptySecond(0)
  readonly #recent: UsageSecond[] = []
  #current: UsageSecond = this.total

  used(nowMs: number, chargeRu: number, operations: number): void {
    const second = this.#at(nowMs)
    second.usedRu += chargeRu
    second.operations += operations
    this.total.usedRu += chargeRu
    this.total.operations += operations
  }

  refused(nowMs: number, chargeRu: number): void {
    const second = this.#at(nowMs)
    second.refusedRu += chargeRu
    second.throttledOperations += 1
    this.total.refusedRu += chargeRu
    this.total.throttledOperations += 1
  }

  refusedRequest(nowMs: number): void {
    this.#at(nowMs).throttledRequests += 1
    this.total.throttledRequests += 1
  }

  recent(): readonly UsageSecond[] {
    return this.#recent
  }

  #at(nowMs: number): UsageSecond {
    const second = Math.floor(nowMs / 1000)
    if (this.#current.second === second && this.#recent.length > 0) return this.#current
    this.#current = emptySecond(second)
    this.#recent.push(this.#current)
    if (this.#recent.length > KEPT_SECONDS) this.#recent.shift()
    return this.#current
  }
}

const KEPT_SECONDS = 120

function emptySecond(second: number): UsageSecond {
  return { second, usedRu: 0, refusedRu: 0, operations: 0, throttledOperations: 0, throttledRequests: 0 }
}
