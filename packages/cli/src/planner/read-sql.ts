import { escapePointerToken } from '@keystamp/core/internal'
import {
  childrenOf,
  type Count,
  type Expression,
  type QueryClauses,
  readClauses,
  type Source
} from '@keystamp/emulator/sql'
import type { SqlFilters } from '@keystamp/planner'

/** Assumed number of values of a list that is a parameter of the query. */
const ASSUMED_VALUES = 10

/**
 * Reads the filters of a query in SQL that determine to which physical partitions it goes: equality, IN, ranges. Other
 * conditions have no effect on the partitions. A clause that cannot be read becomes a note.
 */
export function readSql(sql: string): SqlFilters {
  const clauses = readClauses(sql)
  const reader = new ConditionReader(clauses.from)
  for (const condition of clauses.where) reader.add(condition)
  return {
    ...reader.filters(),
    rows: rowsOf(clauses.limit),
    notes: [
      ...clauses.unread.map(({ clause, reason }) => `${clause} is not used: ${withoutDot(reason)}`),
      ...reader.notes
    ],
    isAggregate: isAggregate(clauses)
  }
}

interface Bound {
  readonly low?: Expression
  readonly high?: Expression
}

/** Collects the filters of conditions that are combined with AND. */
class ConditionReader {
  readonly notes: string[] = []
  readonly #source: Source | undefined
  readonly #values = new Map<string, number>()
  readonly #bounds = new Map<string, Bound>()

  constructor(source: Source | undefined) {
    this.#source = source
    if (source?.each === true)
      this.notes.push('its conditions are on the elements of an array, which cannot be part of a partition key')
  }

  add(condition: Expression): void {
    const equal = this.#equality(condition)
    if (equal !== undefined) this.#setValues(equal.field, equal.values)
    else if (condition.kind === 'between' && !condition.not)
      this.#setBound(condition.value, { low: condition.low, high: condition.high })
    else if (condition.kind === 'binary') this.#addComparison(condition)
    else if (condition.kind === 'call' && condition.name === 'STARTSWITH' && isConstant(condition.values[1]))
      this.#setBound(condition.values[0], {})
  }

  filters(): Pick<SqlFilters, 'equal' | 'several' | 'between' | 'byId' | 'openRanges'> {
    const ranges = [...this.#bounds].filter(([field]) => !this.#values.has(field))
    const between = ranges.map(([field, bound]) => ({ field, seconds: secondsOf(bound) }))
    return {
      equal: [...this.#values.keys()],
      several: [...this.#values].flatMap(([field, values]) => (values === 1 ? [] : [{ field, values }])),
      between,
      byId: this.#values.get('/id') === 1,
      openRanges: ranges.flatMap(([field, { low, high }]) =>
        [low, high].every((value) => value !== undefined && value.kind !== 'literal') ? [field] : []
      )
    }
  }

  /** Returns a field and the number of values that a condition allows; undefined if they are not a list. */
  #equality(condition: Expression): { readonly field: string; readonly values: number } | undefined {
    if (condition.kind === 'binary' && condition.operator === '=') {
      const [one, other] = [condition.left, condition.right]
      const field = isConstant(other) ? this.#field(one) : isConstant(one) ? this.#field(other) : undefined
      return field === undefined ? undefined : { field, values: 1 }
    }
    if (condition.kind === 'in') {
      const field = this.#field(condition.value)
      if (condition.not || field === undefined || !condition.list.every(isConstant)) return undefined
      return { field, values: condition.list.length }
    }
    if (condition.kind === 'logical' && condition.operator === 'OR') return this.#anyOf(condition.operands)
    if (condition.kind === 'call' && condition.name === 'ARRAY_CONTAINS') return this.#inList(condition.values)
    // a condition such as `c.isActive`
    const field = condition.kind === 'member' ? this.#field(condition) : undefined
    return field === undefined ? undefined : { field, values: 1 }
  }

  /** Reads `a = 1 OR a = 2` as a list of values of `a`. */
  #anyOf(operands: readonly Expression[]): { readonly field: string; readonly values: number } | undefined {
    const found = operands.map((operand) => this.#equality(operand))
    const field = found[0]?.field
    if (field === undefined || found.some((each) => each?.field !== field)) return undefined
    return { field, values: found.reduce((sum, each) => sum + (each?.values ?? 0), 0) }
  }

  /** Reads `ARRAY_CONTAINS(@list, c.a)` as a list of values of `a`. */
  #inList([list, value]: readonly Expression[]): { readonly field: string; readonly values: number } | undefined {
    const field = value === undefined ? undefined : this.#field(value)
    if (field === undefined || !isConstant(list)) return undefined
    if (list.kind === 'array') return { field, values: Math.max(1, list.items.length) }
    this.notes.push(`the list for ${field} has an unknown number of values: ${ASSUMED_VALUES} are assumed`)
    return { field, values: ASSUMED_VALUES }
  }

  #addComparison({ operator, left, right }: Extract<Expression, { kind: 'binary' }>): void {
    if (!['<', '<=', '>', '>='].includes(operator)) return
    const isLeft = isConstant(right)
    const isUpper = operator.startsWith('<') === isLeft
    const value = isLeft ? right : left
    if (isConstant(value)) this.#setBound(isLeft ? left : right, isUpper ? { high: value } : { low: value })
  }

  #setValues(field: string, values: number): void {
    this.#values.set(field, Math.min(values, this.#values.get(field) ?? values))
  }

  #setBound(value: Expression, bound: Bound): void {
    const field = this.#field(value)
    if (field !== undefined) this.#bounds.set(field, { ...this.#bounds.get(field), ...bound })
  }

  /** Returns the JSON pointer of a path into the document; undefined for any other expression. */
  #field(value: Expression): string | undefined {
    if (this.#source === undefined || this.#source.each) return undefined
    const names: string[] = []
    let at = value
    for (; at.kind === 'member'; at = at.of) names.unshift(at.name)
    if (at.kind !== 'name' || at.name !== this.#source.alias || names.length === 0) return undefined
    return [...this.#source.path, ...names].map((name) => `/${escapePointerToken(String(name))}`).join('')
  }
}

/** Whether the value is the same for all documents. */
function isConstant(value: Expression | undefined): value is Expression {
  return value !== undefined && value.kind !== 'name' && childrenOf(value).every(isConstant)
}

/** Returns the length of a range of time, in seconds, if both bounds are literals. */
function secondsOf({ low, high }: Bound): number | undefined {
  const [from, to] = [low, high].map((bound) => (bound?.kind === 'literal' ? instantOf(bound.value) : undefined))
  return from === undefined || to === undefined || to <= from ? undefined : to - from
}

/** Returns seconds since 1970; undefined if the value is not a time. */
function instantOf(value: unknown): number | undefined {
  if (typeof value === 'string' && /^\d{4}-\d\d-\d\d/.test(value)) {
    const time = Date.parse(value)
    return Number.isNaN(time) ? undefined : time / 1000
  }
  if (typeof value !== 'number' || value < 1e8) return undefined
  return value < 1e11 ? value : value / 1000
}

function rowsOf(limit: Count | undefined): number | undefined {
  return typeof limit === 'number' ? limit : undefined
}

const AGGREGATES: readonly string[] = ['COUNT', 'SUM', 'AVG', 'MIN', 'MAX']

/** Whether one row of the answer can stand for many documents. */
function isAggregate({ selection, isGrouped }: QueryClauses): boolean {
  if (isGrouped || selection === undefined || selection.kind === 'star') return isGrouped
  const values = selection.kind === 'value' ? [selection.value] : selection.items.map(({ value }) => value)
  const hasAggregate = (value: Expression): boolean =>
    (value.kind === 'call' && AGGREGATES.includes(value.name)) || childrenOf(value).some(hasAggregate)
  return values.some(hasAggregate)
}

function withoutDot(sentence: string): string {
  return sentence.replace(/\.$/, '')
}
