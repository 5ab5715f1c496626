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

/** State of an aggregate. */
interface Aggregate {
  readonly add: (value: unknown) => void
  readonly result: () => unknown
}

/** Creates an aggregate, which ignores undefined values. */
export function createAggregate(name: AggregateName): Aggregate {
  return ignoringUndefined(MAKE[name]())
}

function ignoringUndefined({ add, result }: Aggregate): Aggregate {
  return {
    add: (value) => {
      if (value !== undefined) add(value)
    },
    result
  }
}

function count(): Aggregate {
  let rows = 0
  return { add: () => rows++, result: () => rows }
}

// one value that is not a number makes the whole sum undefined
function createTotal(result: (sum: number, rows: number) => number | undefined) {
  return (): Aggregate => {
    let sum = 0
    let rows = 0
    return {
      add: (value) => {
        sum += typeof value === 'number' ? value : Number.NaN
        rows++
      },
      result: () => (Number.isFinite(sum) ? result(sum, rows) : undefined)
    }
  }
}

// uses the order of ORDER BY; an array or object makes the result undefined
function createExtreme(direction: 1 | -1) {
  return (): Aggregate => {
    let best: unknown
    let isMixed = false
    return {
      add: (value) => {
        isMixed ||= typeRank(value) > 4
        if (best === undefined || compareValues(value, best) * direction > 0) best = value
      },
      result: () => (isMixed ? undefined : best)
    }
  }
}

function countIf(): Aggregate {
  let rows = 0
  return { add: (value) => (rows += value === true ? 1 : 0), result: () => rows }
}

function list(): Aggregate {
  const values: unknown[] = []
  return { add: (value) => values.push(value), result: () => values }
}

function set(): Aggregate {
  const values = new Map<string, unknown>()
  return {
    add: (value) => {
      const text = canonicalText(value)
      if (!values.has(text)) values.set(text, value)
    },
    result: () => [...values.values()]
  }
}

const MAKE: Readonly<Record<AggregateName, () => Aggregate>> = {
  COUNT: count,
  SUM: createTotal((sum) => sum),
  AVG: createTotal((sum, rows) => (rows === 0 ? undefined : sum / rows)),
  MIN: createExtreme(-1),
  MAX: createExtreme(1),
  COUNTIF: countIf,
  MAKELIST: list,
  MAKESET: set
}
