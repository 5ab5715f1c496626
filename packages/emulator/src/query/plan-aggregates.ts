import { type AggregateName, aggregateOf, hasAggregate } from './aggregate.ts'
import type { Selection } from './ast.ts'

/** The part of a plan that describes its aggregates. */
interface AggregatePlan {
  readonly groupByAliases: readonly string[]
  readonly aggregates: readonly string[]
  readonly groupByAliasToAggregateType: Readonly<Record<string, string | null>>
}

/** Plans SELECT of a query with aggregates or GROUP BY: one value, or a list of columns. */
export function planAggregates(selection: Selection): AggregatePlan {
  if (selection.kind === 'value') {
    return {
      groupByAliases: [],
      aggregates: hasAggregate(selection.value) ? [PLAN_NAMES[aggregateOf(selection.value).name]] : [],
      groupByAliasToAggregateType: {}
    }
  }
  const items = selection.kind === 'list' ? selection.items : []
  const types = items.map(({ name, value }): [string, string | null] => [
    name,
    hasAggregate(value) ? PLAN_NAMES[aggregateOf(value).name] : null
  ])
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
