import type { Halves } from './key-profile.ts'

/** Gives the counts of the records so far, by cells. */
export type CountCells = () => Float64Array

/**
 * Remembers counts at some points of the sample, so that what came before its middle can be told from what came after
 * it, although the number of records is known only at the end. Keeps at most 32 points.
 */
export class HalfCounts {
  readonly #sources: readonly CountCells[]
  #interval = FIRST_INTERVAL
  #points: { readonly records: number; readonly cells: readonly Float64Array[] }[] = []

  constructor(sources: readonly CountCells[]) {
    this.#sources = sources
  }

  /** Number of records until `after` must be called, from the number of records so far. */
  untilNext(records: number): number {
    return this.#interval - (records % this.#interval)
  }

  /** Must be called when `untilNext` has passed, with the number of records so far. */
  after(records: number): void {
    if (records % this.#interval !== 0) return
    this.#points.push({ records, cells: this.#sources.map((count) => count()) })
    if (this.#points.length < MAX_POINTS) return
    this.#interval *= 2
    this.#points = this.#points.filter((point) => point.records % this.#interval === 0)
  }

  /** The two parts for each source; null if there was no point between. */
  finish(records: number): readonly (Halves | null)[] {
    const middle = records / 2
    const distance = (point: { readonly records: number }) => Math.abs(point.records - middle)
    const nearest = this.#points.toSorted((a, b) => distance(a) - distance(b))[0]
    if (nearest === undefined || nearest.records === records) return this.#sources.map(() => null)
    return this.#sources.map((count, source) => {
      const first = nearest.cells[source]
      return { first, second: count().map((cell, index) => cell - first[index]) }
    })
  }
}

const FIRST_INTERVAL = 16
const MAX_POINTS = 32
