/** Rows of queries whose pages are still being read. */
export class KeptResults {
  readonly #rows: Map<number, readonly unknown[]> = new Map()
  #last = 0

  keep(rows: readonly unknown[]): number {
    this.#last += 1
    this.#rows.set(this.#last, rows)
    const oldest = this.#rows.keys().next()
    if (this.#rows.size > KEPT && oldest.done !== true) this.#rows.delete(oldest.value)
    return this.#last
  }

  get(result: number): readonly unknown[] | undefined {
    return this.#rows.get(result)
  }
}

// an abandoned query is forgotten when this many others came after it
const KEPT = 50
