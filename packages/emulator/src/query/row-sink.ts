import type { Evaluate } from './compile-scope.ts'
import { compareValues } from './values.ts'

/** Receives the rows that WHERE accepts, and computes the results. */
export interface RowSink {
  readonly add: (row: unknown) => void
  /** Computes the results. Each `yield` is a point at which other work may run. */
  readonly finish: () => Generator<undefined, unknown[]>
}

/** Where a sink stores its results. */
interface Target {
  readonly rows: unknown[]
  readonly wantsMore: () => boolean
}

/** A sink that gives each row to `take` at once. */
export function sinkInto(take: (row: unknown) => void, target: Target): RowSink {
  return {
    add: take,
    // eslint-disable-next-line require-yield -- all rows are computed already
    *finish() {
      return target.rows
    }
  }
}

/** The keys of ORDER BY, and 1 or -1 for the direction of each. */
interface RowOrder {
  readonly readKeys: readonly Evaluate[]
  readonly signs: readonly number[]
  /** Drops rows with an undefined key. */
  readonly isDefined?: boolean
}

interface KeyedRow {
  readonly row: unknown
  readonly keys: readonly unknown[]
  readonly index: number
}

// sorted at once: takes about a millisecond
const RUN_ROWS = 1024
const STEP_ROWS = 256

/**
 * A sink that gives rows to `take` in the order of their keys. Rows with equal keys keep their order. It sorts runs of
 * rows while they arrive and merges the runs at the end, so that no step takes long.
 */
export function sinkSorted(
  { readKeys, signs, isDefined = false }: RowOrder,
  take: (row: unknown) => void,
  target: Target
): RowSink {
  const compare = (left: KeyedRow, right: KeyedRow): number => {
    for (let at = 0; at < signs.length; at++) {
      const order = compareValues(left.keys[at], right.keys[at])
      if (order !== 0) return order * signs[at]
    }
    return left.index - right.index
  }
  const runs: KeyedRow[][] = []
  let run: KeyedRow[] = []
  let index = 0
  const closeRun = (): void => {
    if (run.length > 0) runs.push(run.toSorted(compare))
    run = []
  }
  return {
    add: (row) => {
      const keys = readKeys.map((read) => read(row))
      if (isDefined && keys.includes(undefined)) return
      run.push({ row, keys, index: index++ })
      if (run.length === RUN_ROWS) closeRun()
    },
    *finish() {
      closeRun()
      let count = 0
      for (const { row } of mergeRuns(runs, compare)) {
        if (!target.wantsMore()) break
        take(row)
        if (++count % STEP_ROWS === 0) yield
      }
      return target.rows
    }
  }
}

/** The rows of sorted runs in order: a binary heap holds the next row of each run. */
function* mergeRuns(runs: readonly KeyedRow[][], compare: (left: KeyedRow, right: KeyedRow) => number) {
  const heads = runs.map((rows) => ({ rows, at: 0 })).toSorted((left, right) => compare(left.rows[0], right.rows[0]))
  while (heads.length > 0) {
    const [head] = heads
    yield head.rows[head.at]
    head.at += 1
    if (head.at === head.rows.length) {
      const last = heads.pop()!
      if (heads.length > 0) heads[0] = last
    }
    sinkDown(heads, compare)
  }
}

interface RunHead {
  readonly rows: readonly KeyedRow[]
  at: number
}

function sinkDown(heap: RunHead[], compare: (left: KeyedRow, right: KeyedRow) => number): void {
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
