/** How many requests may be out at once: one more for each good round, half as many after being throttled. */
export class Concurrency {
  #limit = START
  #isLearning = true

  get limit(): number {
    return Math.floor(this.#limit)
  }

  /** A request was answered without a word of throttling, and it was one of as many as were allowed. */
  increase(): void {
    this.#limit = Math.min(MOST, this.#limit + (this.#isLearning ? 1 : 1 / this.#limit))
  }

  decrease(): void {
    this.#isLearning = false
    this.#limit = Math.max(1, this.#limit / 2)
  }
}

const START = 2
const MOST = 32
