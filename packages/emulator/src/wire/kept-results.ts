/** Rows of queries whose pages are still being read. What was given up is computed anew for the next page. */
export class KeptResults {
  readonly #results: Map<number, readonly unknown[]> = new Map()
  #rows = 0
  #last = 0

  keep(rows: readonly unknown[]): number {
    this.#last += 1
    this.#results.set(this.#last, rows)
    this.#rows += rows.length
    this.#giveUpOldest()
    return this.#last
  }

  get(result: number): readonly unknown[] | undefined {
    return this.#results.get(result)
  }

  #giveUpOldest(): void {
    for (const [result, rows] of this.#results) {
      const isWithin = this.#results.size <= MAX_RESULTS && this.#rows <= MAX_ROWS
      if (isWithin || result === this.#last) return
      this.#results.delete(result)
      this.#rows -= rows.length
    }
  }
}

// nobody says when a query is abandoned
const MAX_RESULTS = 50
const MAX_ROWS = 200_000
