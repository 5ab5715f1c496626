import { type CallExpression, childrenOf, type Expression, type Query, selectedValues } from './ast.ts'
import { type BlockMemory, NumberList, ValueList } from './block-lists.ts'
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

/**
 * An aggregate of all groups, which are numbered from 0. It keeps its numbers outside the JavaScript heap: a query can
 * have a million groups, and the garbage collector would copy an object for each while other requests wait.
 */
export interface Aggregate {
  /** Begins the next group. */
  open(): void
  /** Adds a value to a group; undefined values are ignored. */
  add(group: number, value: unknown): void
  result(group: number): unknown
}

/** Creates an aggregate without groups. */
export function createAggregate(name: AggregateName, memory: BlockMemory): Aggregate {
  return MAKE[name](memory)
}

class Count implements Aggregate {
  readonly #rows: NumberList

  constructor(memory: BlockMemory) {
    this.#rows = new NumberList(memory)
  }

  open(): void {
    this.#rows.push(0)
  }

  add(group: number, value: unknown): void {
    if (value !== undefined) this.#rows.add(group, 1)
  }

  result(group: number): number {
    return this.#rows.at(group)
  }
}

class CountIf implements Aggregate {
  readonly #rows: NumberList

  constructor(memory: BlockMemory) {
    this.#rows = new NumberList(memory)
  }

  open(): void {
    this.#rows.push(0)
  }

  add(group: number, value: unknown): void {
    if (value === true) this.#rows.add(group, 1)
  }

  result(group: number): number {
    return this.#rows.at(group)
  }
}

/** The sum of numbers, or their mean. One value that is not a number makes the result undefined. */
class Total implements Aggregate {
  readonly #isMean: boolean
  readonly #sums: NumberList
  readonly #rows: NumberList

  constructor(isMean: boolean, memory: BlockMemory) {
    this.#isMean = isMean
    this.#sums = new NumberList(memory)
    this.#rows = new NumberList(memory)
  }

  open(): void {
    this.#sums.push(0)
    this.#rows.push(0)
  }

  add(group: number, value: unknown): void {
    if (value === undefined) return
    this.#sums.add(group, typeof value === 'number' ? value : Number.NaN)
    this.#rows.add(group, 1)
  }

  result(group: number): number | undefined {
    const sum = this.#sums.at(group)
    if (!Number.isFinite(sum)) return undefined
    if (!this.#isMean) return sum
    const rows = this.#rows.at(group)
    return rows === 0 ? undefined : sum / rows
  }
}

/** The first or last value in the order of ORDER BY. An array or object makes the result undefined. */
class Extreme implements Aggregate {
  readonly #direction: 1 | -1
  // the best number; NaN when the best value is no number
  readonly #numbers: NumberList
  // the best value of a group in which it is no number
  readonly #others: ValueList = new ValueList()
  // 1 for a group with arrays or objects
  readonly #mixed: NumberList

  constructor(direction: 1 | -1, memory: BlockMemory) {
    this.#direction = direction
    this.#numbers = new NumberList(memory)
    this.#mixed = new NumberList(memory)
  }

  open(): void {
    this.#numbers.push(Number.NaN)
    this.#mixed.push(0)
  }

  add(group: number, value: unknown): void {
    if (value === undefined) return
    if (typeRank(value) > 4) this.#mixed.set(group, 1)
    const best = this.#bestOf(group)
    if (best !== undefined && compareValues(value, best) * this.#direction <= 0) return
    const isNumber = typeof value === 'number' && !Number.isNaN(value)
    this.#numbers.set(group, isNumber ? value : Number.NaN)
    if (!isNumber) this.#others.set(group, value)
  }

  result(group: number): unknown {
    return this.#mixed.at(group) === 1 ? undefined : this.#bestOf(group)
  }

  #bestOf(group: number): unknown {
    const number = this.#numbers.at(group)
    return Number.isNaN(number) ? this.#others.at(group) : number
  }
}

class List implements Aggregate {
  readonly #values: unknown[][] = []

  open(): void {
    this.#values.push([])
  }

  add(group: number, value: unknown): void {
    if (value !== undefined) this.#values[group].push(value)
  }

  result(group: number): unknown[] {
    return this.#values[group]
  }
}

class DistinctList implements Aggregate {
  readonly #values: Map<string, unknown>[] = []

  open(): void {
    this.#values.push(new Map())
  }

  add(group: number, value: unknown): void {
    if (value === undefined) return
    const text = canonicalText(value)
    const values = this.#values[group]
    if (!values.has(text)) values.set(text, value)
  }

  result(group: number): unknown[] {
    return [...this.#values[group].values()]
  }
}

const MAKE: Readonly<Record<AggregateName, (memory: BlockMemory) => Aggregate>> = {
  COUNT: (memory) => new Count(memory),
  SUM: (memory) => new Total(false, memory),
  AVG: (memory) => new Total(true, memory),
  MIN: (memory) => new Extreme(-1, memory),
  MAX: (memory) => new Extreme(1, memory),
  COUNTIF: (memory) => new CountIf(memory),
  MAKELIST: () => new List(),
  MAKESET: () => new DistinctList()
}
