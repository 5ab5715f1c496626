import { hasAggregate } from './aggregate-call.ts'
import type { Expression, Query } from './ast.ts'
import { childrenOf } from './children-of.ts'
import { selectedValues } from './selected-values.ts'

/** The features, as clients name them in their header, that a query needs and the header does not list. */
export function missingFeatures(query: Query, supportedFeatures: string): string[] {
  const supported = supportedFeatures.split(',').map((feature) => feature.trim())
  return supportedFeatures.trim() === '' ? [] : featuresOf(query).filter((feature) => !supported.includes(feature))
}

function featuresOf(query: Query): string[] {
  const values = selectedValues(query.selection)
  const aggregates = values.filter(hasAggregate).length
  // an aggregate gives one row, so an order of rows asks nothing of the client
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
