import { type AggregateName, isAggregate } from './aggregate-call.ts'
import type { CallExpression, Expression, Selection } from './ast.ts'
import { wrongQuery } from './query-error.ts'

/** What the plan of an aggregation says beside its rewritten query. */
export interface AggregatePlan {
  readonly groupByAliases: readonly string[]
  readonly aggregates: readonly string[]
  readonly groupByAliasToAggregateType: Readonly<Record<string, string>>
}

/** Plans the aggregates of SELECT: one behind VALUE, or a list of columns that are aggregates. */
export function planAggregates(selection: Selection): AggregatePlan {
  if (selection.kind === 'value') {
    return { groupByAliases: [], aggregates: [PLAN_NAMES[aggregateOf(selection.value).name]], groupByAliasToAggregateType: {} }
  }
  const items = selection.kind === 'list' ? selection.items : []
  const types = items.map(({ name, value }): [string, string] => [name, PLAN_NAMES[aggregateOf(value).name]])
  return { groupByAliases: items.map(({ name }) => name), aggregates: [], groupByAliasToAggregateType: Object.fromEntries(types) }
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

/** The expression as one aggregate; refuses compositions, which clients cannot put together from the answers of ranges. */
export function aggregateOf(value: Expression): CallExpression & { readonly name: AggregateName } {
  if (isAggregate(value)) return value
  throw wrongQuery('Compositions of aggregates and other expressions are unsupported in queries over several ranges')
}
