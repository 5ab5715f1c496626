import { type CallExpression, childrenOf, type Expression, type Query, selectedValues } from './ast.ts'
import { wrongQuery } from './query-error.ts'
import { canonicalText, compareValues, typeRank } from './values.ts'

/** The aggregates of the query language. */
export type AggregateName = 'COUNT' | 'SUM' | 'MIN' | 'MAX' | 'AVG' | 'COUNTIF' | 'MAKELIST' | 'MAKESET'

const NAMES: ReadonlySet<string> = new Set(['COUNT', 'SUM', 'MIN', 'MAX', 'AVG', 'COUNTIF', 'MAKELIST', 'MAKESET'])

/** True for a call of an aggregate itself. */
export function isAggregate(expression: Expression): expression is CallExpression & { readonly name: AggregateName } {
  return expression.kind === 'call' && NAMES.has(expression.name)
}

/** True when an aggregate is called somewhere in the expression. */
export function hasAggregate(expression: Expression): boolean {
  return isAggregate(expression) || childrenOf(expression).some(hasAggregate)
}

/** Whether a query has a result for each group instead of each row. */
export function isGrouping({ selection, groupBy }: Query): boolean {
  return groupBy.length > 0 || selectedValues(selection).some(hasAggregate)
}

/**
 * The expression as one aggregate. Refuses compositions of aggregates, which clients cannot combine from the answers of
 * several ranges.
 */
export function aggregateOf(value: Expression): CallExpression & { readonly name: AggregateName } {
  if (isAggregate(value)) return value
  throw wrongQuery('Compositions of aggregates and other expressions are not allowed in queries over several ranges')
}

/** State of an aggregate. A query can have one for each of a million groups, so it is one small object. */
export interface Aggregate {
  /** Adds a value; undefined values are ignored. */
  add(value: unknown): void
  result(): unknown
}

/** Creates an aggregate. */
export function createAggregate(name: AggregateName): Aggregate {
  return MAKE[name]()
}

class Count implements Aggregate {
  #rows = 0

  add(value: unknown): void {
    if (value !== undefined) this.#rows += 1
  }

  result(): number {
    return this.#rows
  }
}

class CountIf implements Aggregate {
  #rows = 0

  add(value: unknown): void {
    if (value === true) this.#rows += 1
  }

  result(): number {
    return this.#rows
  }
}

/** The sum of numbers, or their mean. One value that is not a number makes the result undefined. */
class Total implements Aggregate {
  readonly #isMean: boolean
  #sum = 0
  #rows = 0

  constructor(isMean: boolean) {
    this.#isMean = isMean
  }

  add(value: unknown): void {
    if (value === undefined) return
    this.#sum += typeof value === 'number' ? value : Number.NaN
    this.#rows += 1
  }

  result(): number | undefined {
    if (!Number.isFinite(this.#sum)) return undefined
    if (!this.#isMean) return this.#sum
    return this.#rows === 0 ? undefined : this.#sum / this.#rows
  }
}

/** The first or last value in the order of ORDER BY. An array or object makes the result undefined. */
class Extreme implements Aggregate {
  readonly #direction: 1 | -1
  #best: unknown = undefined
  #isMixed = false

  constructor(direction: 1 | -1) {
    this.#direction = direction
  }

  add(value: unknown): void {
    if (value === undefined) return
    this.#isMixed ||= typeRank(value) > 4
    if (this.#best === undefined || compareValues(value, this.#best) * this.#direction > 0) this.#best = value
  }

  result(): unknown {
    return this.#isMixed ? undefined : this.#best
  }
}

class List implements Aggregate {
  readonly #values: unknown[] = []

  add(value: unknown): void {
    if (value !== undefined) this.#values.push(value)
  }

  result(): unknown[] {
    return this.#values
  }
}

class DistinctList implements Aggregate {
  readonly #values: Map<string, unknown> = new Map()

  add(value: unknown): void {
    if (value === undefined) return
    const text = canonicalText(value)
    if (!this.#values.has(text)) this.#values.set(text, value)
  }

  result(): unknown[] {
    return [...this.#values.values()]
  }
}

const MAKE: Readonly<Record<AggregateName, () => Aggregate>> = {
  COUNT: () => new Count(),
  SUM: () => new Total(false),
  AVG: () => new Total(true),
  MIN: () => new Extreme(-1),
  MAX: () => new Extreme(1),
  COUNTIF: () => new CountIf(),
  MAKELIST: () => new List(),
  MAKESET: () => new DistinctList()
}
