import { type AggregateName, aggregateOf, hasAggregate } from './aggregate.ts'
import { childrenOf, type Expression, type Query, selectedValues, type Selection } from './ast.ts'
import { readCount, readParameter } from './compile-scope.ts'
import { printExpression } from './print-query.ts'
import { QueryError } from './query-error.ts'
import { rewriteQuery } from './rewrite-query.ts'
import { isEqual } from './values.ts'

/** The answer to a query plan request, with every property that clients read. */
export interface QueryPlan {
  readonly partitionedQueryExecutionInfoVersion: 2
  readonly queryInfo: QueryInfo
  readonly queryRanges: readonly PlannedRange[]
}

/** How a client combines the answers of all ranges. */
export interface QueryInfo {
  readonly distinctType: 'None' | 'Ordered' | 'Unordered'
  readonly top: number | null
  readonly offset: number | null
  readonly limit: number | null
  readonly orderBy: readonly ('Ascending' | 'Descending')[]
  readonly orderByExpressions: readonly string[]
  readonly groupByExpressions: readonly string[]
  readonly groupByAliases: readonly string[]
  readonly aggregates: readonly string[]
  readonly groupByAliasToAggregateType: Readonly<Record<string, string>>
  /** Query for each range; empty when it is the original query. */
  readonly rewrittenQuery: string
  readonly hasSelectValue: boolean
  readonly dCountInfo: null
  readonly hasNonStreamingOrderBy: false
}

/** A part of the hash space that the query reads. */
interface PlannedRange {
  readonly min: string
  readonly max: string
  readonly isMinInclusive: boolean
  readonly isMaxInclusive: boolean
}

const WHOLE_SPACE: PlannedRange = { min: '', max: 'FF', isMinInclusive: true, isMaxInclusive: false }

const NO_PARAMETERS: ReadonlyMap<string, unknown> = new Map()

/** Plans how a client queries all ranges; `supportedFeatures` is its header, and empty means all features. */
export function planQuery(
  query: Query,
  supportedFeatures: string,
  parameters: ReadonlyMap<string, unknown> = NO_PARAMETERS
): QueryPlan {
  const missing = missingFeatures(query, supportedFeatures)
  if (missing.length > 0) {
    const message = `Query contains the following features, which the calling client does not support: ${missing.join(' ')}.`
    throw new QueryError(400, message, undefined, 1004)
  }
  return { partitionedQueryExecutionInfoVersion: 2, queryInfo: planInfo(query, parameters), queryRanges: [WHOLE_SPACE] }
}

function planInfo(query: Query, parameters: ReadonlyMap<string, unknown>): QueryInfo {
  const isAggregation = selectedValues(query.selection).some(hasAggregate)
  const orderBy = isAggregation ? [] : query.orderBy
  const count = (value: Query['top']): number | null => (value === undefined ? null : readCount(value, parameters))
  return {
    distinctType: planDistinct(query),
    top: count(query.top),
    offset: count(query.window?.offset),
    limit: count(query.window?.limit),
    orderBy: orderBy.map(({ direction }) => (direction === 'DESC' ? 'Descending' : 'Ascending')),
    orderByExpressions: orderBy.map(({ value }) => printExpression(value)),
    groupByExpressions: [],
    ...(isAggregation ? planAggregates(query.selection) : NO_AGGREGATES),
    rewrittenQuery: rewriteQuery(query, parameters),
    hasSelectValue: query.selection.kind === 'value',
    dCountInfo: null,
    hasNonStreamingOrderBy: false
  }
}

const NO_AGGREGATES = { groupByAliases: [], aggregates: [], groupByAliasToAggregateType: {} }

/**
 * How a client finds equal rows. `Ordered`: ORDER BY sorts by the whole row, so equal rows arrive one after another,
 * and the client compares with the last row only. Otherwise `Unordered`.
 */
function planDistinct(query: Query): 'None' | 'Ordered' | 'Unordered' {
  if (!query.distinct) return 'None'
  const selected = selectedValues(query.selection).map(printExpression)
  const ordered = query.orderBy.map(({ value }) => printExpression(value))
  const isOrdered =
    selected.length > 0 && selected.length === ordered.length && selected.every((value) => ordered.includes(value))
  return isOrdered ? 'Ordered' : 'Unordered'
}

/** The features that a query needs and that the header of the client does not list. */
function missingFeatures(query: Query, supportedFeatures: string): string[] {
  const supported = supportedFeatures.split(',').map((feature) => feature.trim())
  return supportedFeatures.trim() === '' ? [] : featuresOf(query).filter((feature) => !supported.includes(feature))
}

function featuresOf(query: Query): string[] {
  const values = selectedValues(query.selection)
  const aggregates = values.filter(hasAggregate).length
  // an aggregate gives one row, which needs no order
  const orderBy = aggregates > 0 ? 0 : query.orderBy.length
  const needs: [string, boolean][] = [
    ['Aggregate', aggregates > 0],
    ['NonValueAggregate', aggregates > 0 && query.selection.kind === 'list'],
    ['MultipleAggregates', aggregates > 1],
    ['CountIf', values.some((value) => calls(value, ['COUNTIF']))],
    ['ListAndSetAggregate', values.some((value) => calls(value, ['MAKELIST', 'MAKESET']))],
    ['Distinct', query.distinct],
    ['OffsetAndLimit', query.window !== undefined],
    ['OrderBy', orderBy > 0],
    ['MultipleOrderBy', orderBy > 1],
    ['Top', query.top !== undefined]
  ]
  return needs.filter(([, isNeeded]) => isNeeded).map(([feature]) => feature)
}

function calls(value: Expression, names: readonly string[]): boolean {
  return (value.kind === 'call' && names.includes(value.name)) || childrenOf(value).some((child) => calls(child, names))
}

/** The part of a plan that describes its aggregates. */
interface AggregatePlan {
  readonly groupByAliases: readonly string[]
  readonly aggregates: readonly string[]
  readonly groupByAliasToAggregateType: Readonly<Record<string, string>>
}

/** Plans the aggregates of SELECT: one aggregate after VALUE, or a list of columns that are aggregates. */
function planAggregates(selection: Selection): AggregatePlan {
  if (selection.kind === 'value') {
    return {
      groupByAliases: [],
      aggregates: [PLAN_NAMES[aggregateOf(selection.value).name]],
      groupByAliasToAggregateType: {}
    }
  }
  const items = selection.kind === 'list' ? selection.items : []
  const types = items.map(({ name, value }): [string, string] => [name, PLAN_NAMES[aggregateOf(value).name]])
  return {
    groupByAliases: items.map(({ name }) => name),
    aggregates: [],
    groupByAliasToAggregateType: Object.fromEntries(types)
  }
}

const PLAN_NAMES: Readonly<Record<AggregateName, string>> = {
  COUNT: 'Count',
  SUM: 'Sum',
  MIN: 'Min',
  MAX: 'Max',
  AVG: 'Average',
  COUNTIF: 'CountIf',
  MAKELIST: 'MakeList',
  MAKESET: 'MakeSet'
}

/**
 * The partition key values in the WHERE clause, for all key paths or the first ones.
 * Undefined when the clause has no value for the first path. `paths` are split into names.
 */
export function partitionFilter(
  query: Query,
  parameters: ReadonlyMap<string, unknown>,
  paths: readonly (readonly string[])[]
): readonly unknown[] | undefined {
  if (query.from === undefined || query.from.path.length > 0 || query.from.each || query.where === undefined)
    return undefined
  const bindings = conditionsOf(query.where).flatMap((condition) => toBinding(condition, parameters))
  const values: unknown[] = []
  for (const path of paths) {
    const binding = bindings.find((candidate) => isEqual(candidate.path, path))
    if (binding === undefined) break
    values.push(binding.value)
  }
  return values.length === 0 ? undefined : values
}

interface Binding {
  readonly path: readonly string[]
  readonly value: unknown
}

function conditionsOf(where: Expression): readonly Expression[] {
  return where.kind === 'logical' && where.operator === 'AND' ? where.operands.flatMap(conditionsOf) : [where]
}

function toBinding(condition: Expression, parameters: ReadonlyMap<string, unknown>): Binding[] {
  if (condition.kind !== 'binary' || condition.operator !== '=') return []
  return [...bind(condition.left, condition.right, parameters), ...bind(condition.right, condition.left, parameters)]
}

function bind(side: Expression, other: Expression, parameters: ReadonlyMap<string, unknown>): Binding[] {
  const path = pathOf(side)
  if (path === undefined || (other.kind !== 'literal' && other.kind !== 'parameter')) return []
  const value = other.kind === 'literal' ? other.value : readParameter(other.name, other.at, parameters)
  // only scalars are keys
  return value === undefined || (typeof value === 'object' && value !== null) ? [] : [{ path, value }]
}

function pathOf(expression: Expression): string[] | undefined {
  if (expression.kind === 'name') return []
  const above = expression.kind === 'member' ? pathOf(expression.of) : undefined
  return expression.kind === 'member' ? above?.concat(expression.name) : undefined
}
