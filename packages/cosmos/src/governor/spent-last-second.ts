/** What was spent within the last second, payment by payment. */
export class SpentLastSecond {
  #payments: { readonly atMs: number; ru: number }[] = []
  #first = 0
  #sum = 0

  add(nowMs: number, ru: number): void {
    this.#forget(nowMs)
    this.#payments.push({ atMs: nowMs, ru })
    this.#sum += ru
  }

  /** The last payment was so much too high; a negative number says too low. */
  correct(ru: number): void {
    if (this.#first === this.#payments.length) return
    this.#payments[this.#payments.length - 1].ru -= ru
    this.#sum -= ru
  }

  /** Returns what was paid at a moment; a payment that is older than a second does not count any more. */
  refund(paidMs: number, ru: number): void {
    let leftRu = ru
    for (let at = this.#payments.length - 1; at >= this.#first && this.#payments[at].atMs >= paidMs; at--) {
      const payment = this.#payments[at]
      if (payment.atMs !== paidMs) continue
      // A correction may have taken some of it already: a payment below zero would let the next second spend too much.
      const partRu = Math.min(leftRu, Math.max(0, payment.ru))
      payment.ru -= partRu
      this.#sum -= partRu
      leftRu -= partRu
    }
  }

  /** What was spent within the last second. */
  sumRu(nowMs: number): number {
    this.#forget(nowMs)
    return this.#sum
  }

  /** Milliseconds until no more than `mostRu` was spent within the last second, or until nothing was. */
  waitMs(nowMs: number, mostRu: number): number {
    this.#forget(nowMs)
    let left = this.#sum
    let at = this.#first
    while (left > mostRu && at < this.#payments.length) left -= this.#payments[at++].ru
    return at === this.#first ? 0 : this.#payments[at - 1].atMs + SECOND_MS - nowMs
  }

  #forget(nowMs: number): void {
    while (this.#first < this.#payments.length && this.#payments[this.#first].atMs + SECOND_MS <= nowMs)
      this.#sum -= this.#payments[this.#first++].ru
    if (this.#first === this.#payments.length) this.#clear()
    else if (this.#first > KEPT) this.#payments = this.#payments.slice(this.#first)
    if (this.#first > KEPT) this.#first = 0
  }

  // what adding and taking away leaves of rounding does not add up
  #clear(): void {
    this.#payments = []
    this.#first = 0
    this.#sum = 0
  }
}

const SECOND_MS = 1000
const KEPT = 256
