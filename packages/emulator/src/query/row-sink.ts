import type { Evaluate } from './compile-scope.ts'
import { evaluateInSteps } from './long-subquery.ts'
import { compareValues } from './values.ts'

/** Receives the rows that WHERE accepts, and computes the results. */
export interface RowSink {
  readonly add: (row: unknown) => void
  /** Computes the results. Each `yield` is a point at which other work may run. */
  readonly finish: () => Generator<undefined, void>
}

/** Where a sink stores its results. */
interface Target {
  readonly wantsMore: () => boolean
}

/** A sink that gives each row to `take` at once. */
export function sinkInto(take: (row: unknown) => void): RowSink {
  // all rows are computed when the sink ends
  return { add: take, *finish() {} }
}

/** The keys of ORDER BY, and 1 or -1 for the direction of each. */
interface RowOrder {
  readonly readKeys: readonly Evaluate[]
  readonly signs: readonly number[]
  /** Drops rows with an undefined key. */
  readonly isDefined?: boolean
  /** Only this number of first rows is asked for. */
  readonly maxRows?: number
}

interface KeyedRow {
  readonly row: unknown
  readonly keys: readonly unknown[]
  readonly index: number
}

type Compare = (left: KeyedRow, right: KeyedRow) => number

// sorted at once: takes about a tenth of a millisecond
const RUN_ROWS = 128
// so few first rows are kept sorted while rows arrive
const MAX_FIRST = 1000
const STEP_ROWS = 16

/**
 * A sink that gives rows to `take` in the order of their keys. Rows with equal keys keep their order. It sorts runs of
 * rows while they arrive and merges the runs at the end, so that no step takes long.
 */
export function sinkSorted(order: RowOrder, take: (row: unknown) => void, target: Target): RowSink {
  const { readKeys, isDefined = false, maxRows = Number.POSITIVE_INFINITY } = order
  const compare = compareBy(order.signs)
  const sorted = maxRows <= MAX_FIRST ? new FirstRows(compare, maxRows) : new SortedRuns(compare)
  let index = 0
  return {
    add: (row) => {
      const keys = readKeys.map((read) => read(row))
      if (!isDefined || !keys.includes(undefined)) sorted.add({ row, keys, index: index++ })
    },
    *finish() {
      let count = 0
      for (const { row } of sorted.inOrder()) {
        if (!target.wantsMore()) break
        yield* evaluateInSteps(take, row)
        if (++count % STEP_ROWS === 0) yield
      }
    }
  }
}

function compareBy(signs: readonly number[]): Compare {
  return (left, right) => {
    for (let at = 0; at < signs.length; at++) {
      const order = compareValues(left.keys[at], right.keys[at])
      if (order !== 0) return order * signs[at]
    }
    return left.index - right.index
  }
}

/** Keeps the first rows of all that were added. */
class FirstRows {
  readonly #compare: Compare
  readonly #maxRows: number
  #first: KeyedRow[] = []
  #run: KeyedRow[] = []

  constructor(compare: Compare, maxRows: number) {
    this.#compare = compare
    this.#maxRows = maxRows
  }

  add(row: KeyedRow): void {
    if (this.#first.length === this.#maxRows && (this.#maxRows === 0 || this.#compare(row, this.#first.at(-1)!) > 0))
      return
    if (this.#run.push(row) === RUN_ROWS) this.#closeRun()
  }

  inOrder(): readonly KeyedRow[] {
    this.#closeRun()
    return this.#first
  }

  // sorting joins sorted rows quickly
  #closeRun(): void {
    const run = this.#run.toSorted(this.#compare)
    this.#first = [...this.#first, ...run].toSorted(this.#compare).slice(0, this.#maxRows)
    this.#run = []
  }
}

/** Keeps all rows, in sorted runs. */
class SortedRuns {
  readonly #compare: Compare
  // a binary heap: the first row of each run is not before that of its parent
  readonly #runs: RunHead[] = []
  #run: KeyedRow[] = []

  constructor(compare: Compare) {
    this.#compare = compare
  }

  add(row: KeyedRow): void {
    if (this.#run.push(row) === RUN_ROWS) this.#closeRun()
  }

  /** The rows in their order: takes the next row from the run at the top of the heap. */
  *inOrder(): Generator<KeyedRow, void> {
    if (this.#run.length > 0) this.#closeRun()
    const heads = this.#runs
    while (heads.length > 0) {
      const [head] = heads
      yield head.rows[head.at]
      head.at += 1
      if (head.at === head.rows.length) {
        const last = heads.pop()!
        if (heads.length > 0) heads[0] = last
      }
      sinkDown(heads, this.#compare)
    }
  }

  #closeRun(): void {
    this.#runs.push({ rows: this.#run.toSorted(this.#compare), at: 0 })
    this.#run = []
    riseUp(this.#runs, this.#compare)
  }
}

function riseUp(heap: RunHead[], compare: Compare): void {
  const row = (at: number): KeyedRow => heap[at].rows[heap[at].at]
  let child = heap.length - 1
  while (child > 0) {
    const parent = (child - 1) >> 1
    if (compare(row(parent), row(child)) <= 0) return
    ;[heap[parent], heap[child]] = [heap[child], heap[parent]]
    child = parent
  }
}

interface RunHead {
  readonly rows: readonly KeyedRow[]
  at: number
}

function sinkDown(heap: RunHead[], compare: Compare): void {
  const row = (at: number): KeyedRow => heap[at].rows[heap[at].at]
  let parent = 0
  for (;;) {
    const left = 2 * parent + 1
    if (left >= heap.length) return
    const right = left + 1
    const least = right < heap.length && compare(row(right), row(left)) < 0 ? right : left
    if (compare(row(parent), row(least)) <= 0) return
    ;[heap[parent], heap[least]] = [heap[least], heap[parent]]
    parent = least
  }
}
