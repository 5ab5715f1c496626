import { isGrouping } from './aggregate.ts'
import { type Expression, type OrderKey, type Query, selectedValues } from './ast.ts'
import { readCount, readParameter } from './compile-scope.ts'
import { planAggregates } from './plan-aggregates.ts'
import { checkPlannable, countedDistinct, type CountInfo } from './plan-distinct-count.ts'
import { missingFeatures } from './plan-features.ts'
import { printExpression, printQuery } from './print-query.ts'
import { QueryError } from './query-error.ts'
import { rewriteQuery } from './rewrite-query.ts'
import { isContainer, pathOf } from './key-conditions.ts'
import { isEqual } from './values.ts'
import { vectorOrder, type VectorPolicy } from './vector-distance.ts'

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
  /** Null for a column that is no aggregate. */
  readonly groupByAliasToAggregateType: Readonly<Record<string, string | null>>
  /** Query for each range; empty when it is the original query. */
  readonly rewrittenQuery: string
  readonly hasSelectValue: boolean
  readonly dCountInfo: CountInfo | null
  readonly hasNonStreamingOrderBy: boolean
}

/** A part of the hash space that the query reads. */
export interface PlannedRange {
  readonly min: string
  readonly max: string
  readonly isMinInclusive: boolean
  readonly isMaxInclusive: boolean
}

const WHOLE_SPACE: PlannedRange = { min: '', max: 'FF', isMinInclusive: true, isMaxInclusive: false }

const NO_PARAMETERS: ReadonlyMap<string, unknown> = new Map()

/**
 * Plans how a client queries all ranges; `supportedFeatures` is its header, and empty means all features. `ranges` are
 * the parts of the hash space that WHERE allows, in order.
 */
export function planQuery(
  query: Query,
  supportedFeatures: string,
  parameters: ReadonlyMap<string, unknown> = NO_PARAMETERS,
  ranges: readonly PlannedRange[] = [WHOLE_SPACE],
  vectors: VectorPolicy = new Map()
): QueryPlan {
  checkPlannable(query)
  const missing = missingFeatures(query, supportedFeatures)
  if (missing.length > 0) {
    // the service prints the name of the empty set of features, too
    const message = `Query contains the following features, which the calling client does not support: None ${missing.join(' ')}.`
    throw new QueryError(400, message, undefined, 1004)
  }
  const queryInfo = planInfo(
    isLocal(query, ranges) ? { ...query, top: undefined, window: undefined } : query,
    parameters,
    vectors
  )
  return { partitionedQueryExecutionInfoVersion: 2, queryInfo, queryRanges: ranges }
}

/** Whether one range computes the whole answer with TOP, or OFFSET and LIMIT, so that the client has no part in it. */
function isLocal(query: Query, ranges: readonly PlannedRange[]): boolean {
  if (query.from === undefined) return true
  const [{ min, max }, second] = ranges
  const isOneKey = second === undefined && min === max
  return isOneKey && query.window !== undefined && !query.distinct && query.orderBy.length === 0 && !isGrouping(query)
}

function planInfo(query: Query, parameters: ReadonlyMap<string, unknown>, vectors: VectorPolicy): QueryInfo {
  const counted = countedDistinct(query)
  if (counted !== undefined) {
    const inner = planInfo(counted.query, parameters, vectors)
    const rewrittenQuery = inner.rewrittenQuery === '' ? printQuery(counted.query) : inner.rewrittenQuery
    return { ...inner, rewrittenQuery, dCountInfo: counted.info }
  }
  const isGrouped = isGrouping(query)
  const orderBy = isGrouped ? [] : query.orderBy
  const similar = isGrouped ? undefined : vectorOrder(query, { parameters, vectors })
  const count = (value: Query['top']): number | null => (value === undefined ? null : readCount(value, parameters))
  return {
    distinctType: planDistinct(query),
    top: count(query.top),
    offset: count(query.window?.offset),
    limit: count(query.window?.limit),
    orderBy: similar === undefined ? orderBy.map(toDirection) : [similar],
    orderByExpressions: orderBy.map(({ value }) => printExpression(value)),
    groupByExpressions: query.groupBy.map(printExpression),
    ...(isGrouped ? planAggregates(query.selection) : NO_AGGREGATES),
    rewrittenQuery: rewriteQuery(query, parameters),
    hasSelectValue: query.selection.kind === 'value',
    dCountInfo: null,
    hasNonStreamingOrderBy: similar !== undefined
  }
}

const NO_AGGREGATES = { groupByAliases: [], aggregates: [], groupByAliasToAggregateType: {} }

function toDirection({ direction }: OrderKey): 'Ascending' | 'Descending' {
  return direction === 'DESC' ? 'Descending' : 'Ascending'
}

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

/**
 * The partition key values in the WHERE clause, for all key paths or the first ones.
 * Undefined when the clause has no value for the first path. `paths` are split into names.
 */
export function partitionFilter(
  query: Query,
  parameters: ReadonlyMap<string, unknown>,
  paths: readonly (readonly string[])[]
): readonly unknown[] | undefined {
  const { from, where } = query
  if (from === undefined || where === undefined || !isContainer(from)) return undefined
  const bindings = conditionsOf(where).flatMap((condition) => toBinding(condition, from.alias, parameters))
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

type Parameters = ReadonlyMap<string, unknown>

function toBinding(condition: Expression, alias: string | undefined, parameters: Parameters): Binding[] {
  if (condition.kind !== 'binary' || condition.operator !== '=') return []
  const { left, right } = condition
  return [...bind(pathOf(left, alias), right, parameters), ...bind(pathOf(right, alias), left, parameters)]
}

function bind(path: readonly string[] | undefined, other: Expression, parameters: Parameters): Binding[] {
  if (path === undefined || (other.kind !== 'literal' && other.kind !== 'parameter')) return []
  const value = other.kind === 'literal' ? other.value : readParameter(other.name, other.at, parameters)
  // only scalars are keys
  return value === undefined || (typeof value === 'object' && value !== null) ? [] : [{ path, value }]
}
