import { hasAggregate } from './aggregate-call.ts'
import type { Query } from './ast.ts'
import { QueryError } from './query-error.ts'
import { missingFeatures } from './plan-features.ts'
import { planAggregates } from './plan-aggregates.ts'
import { planDistinct } from './plan-distinct.ts'
import { printExpression } from './print-expression.ts'
import { rewriteQuery } from './rewrite-query.ts'
import { readCount } from './row-window.ts'
import { selectedValues } from './selected-values.ts'

/** The answer to a query plan request, with every member that a client reads. */
export interface QueryPlan {
  readonly partitionedQueryExecutionInfoVersion: 2
  readonly queryInfo: QueryInfo
  readonly queryRanges: readonly PlannedRange[]
}

/** How a client puts the answers of all ranges together. */
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
  /** What to send to each range; empty for the query itself. */
  readonly rewrittenQuery: string
  readonly hasSelectValue: boolean
  readonly dCountInfo: null
  readonly hasNonStreamingOrderBy: false
}

/** A part of the hash space that the query has to ask. */
export interface PlannedRange {
  readonly min: string
  readonly max: string
  readonly isMinInclusive: boolean
  readonly isMaxInclusive: boolean
}

const WHOLE_SPACE: PlannedRange = { min: '', max: 'FF', isMinInclusive: true, isMaxInclusive: false }

const NO_PARAMETERS: ReadonlyMap<string, unknown> = new Map()

/** Plans how a client asks all ranges; `supportedFeatures` is its header, in which nothing means everything. */
export function planQuery(query: Query, supportedFeatures: string, parameters: ReadonlyMap<string, unknown> = NO_PARAMETERS): QueryPlan {
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
