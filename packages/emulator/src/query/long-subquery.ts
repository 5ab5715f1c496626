import type { Evaluate } from './compile-scope.ts'

/** In place of a row: a point at which other work may run. */
export const PAUSE: unique symbol = Symbol('pause')

// made at once: takes a few microseconds
const STEP_ROWS = 64

/**
 * Decides when a query pauses. All sources and subqueries of a run count their rows together, since many short
 * subqueries take as long as a long one.
 */
export class Pauses {
  /** Whether the caller of the run can wait: then a subquery in an expression that takes long ends the evaluation. */
  canWait = false
  #rows = 0

  /** Counts a row; true when a pause is due after it. */
  isDue(): boolean {
    this.#rows += 1
    return this.#rows % STEP_ROWS === 0
  }
}

/** A subquery in an expression whose evaluation takes longer than a step. Its rest can be computed in steps. */
class LongSubquery {
  readonly rest: Generator<typeof PAUSE, unknown>
  readonly known: KnownValue

  constructor(rest: Generator<typeof PAUSE, unknown>, known: KnownValue) {
    this.rest = rest
    this.known = known
  }
}

/** The value of a subquery that took long, for the row that is evaluated. */
interface KnownValue {
  value: { readonly of: unknown } | undefined
}

/**
 * An expression that computes a value in steps. At a pause it throws a LongSubquery when the caller can wait; otherwise
 * it computes the value at once.
 */
export function inSteps(pauses: Pauses, compute: (row: unknown) => Generator<typeof PAUSE, unknown>): Evaluate {
  const known: KnownValue = { value: undefined }
  return (row) => {
    if (known.value !== undefined) return known.value.of
    const work = compute(row)
    for (;;) {
      const step = work.next()
      if (step.done === true) return step.value
      if (pauses.canWait) throw new LongSubquery(work, known)
    }
  }
}

/**
 * Goes on after an evaluation threw: computes the subquery that takes long in steps, and evaluates again with its
 * value. An expression has no effects, so that it can be evaluated again. Throws any other error.
 */
export function* resumeLong(thrown: unknown, evaluate: Evaluate, row: unknown): Generator<typeof PAUSE, unknown> {
  const found: KnownValue[] = []
  let error = thrown
  try {
    for (;;) {
      if (!(error instanceof LongSubquery)) throw error
      const { rest, known } = error
      found.push(known)
      // the pause that ended the evaluation
      yield PAUSE
      known.value = { of: yield* rest }
      try {
        return evaluate(row)
      } catch (next) {
        error = next
      }
    }
  } finally {
    for (const known of found) known.value = undefined
  }
}

/** Evaluates an expression for a row. Each `yield` is a point at which other work may run. */
export function* evaluateInSteps(evaluate: Evaluate, row: unknown): Generator<undefined, unknown> {
  try {
    return evaluate(row)
  } catch (error) {
    const rest = resumeLong(error, evaluate, row)
    for (;;) {
      const step = rest.next()
      if (step.done === true) return step.value
      yield
    }
  }
}
