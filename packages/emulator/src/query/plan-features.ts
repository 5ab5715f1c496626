import { hasAggregate, isGrouping } from './aggregate.ts'
import { childrenOf, type Expression, type Query, selectedValues } from './ast.ts'
import { countedDistinct } from './plan-distinct-count.ts'
import { isVectorDistance } from './vector-distance.ts'

/** The features that a query needs and that the header of the client does not list. */
export function missingFeatures(query: Query, supportedFeatures: string): string[] {
  const supported = supportedFeatures.split(',').map((feature) => feature.trim())
  return supportedFeatures.trim() === '' ? [] : featuresOf(query).filter((feature) => !supported.includes(feature))
}

function featuresOf(query: Query): string[] {
  const counted = countedDistinct(query)
  if (counted !== undefined) return [...featuresOf(counted.query), 'DCount']
  const values = selectedValues(query.selection)
  const aggregates = values.filter(hasAggregate).length
  // the results of groups have no order
  const orderBy = isGrouping(query) ? 0 : query.orderBy.length
  // in the order in which the service names them
  const needs: [string, boolean][] = [
    ['Aggregate', aggregates > 0],
    ['Distinct', query.distinct],
    ['GroupBy', query.groupBy.length > 0],
    ['MultipleAggregates', aggregates > 1],
    ['MultipleOrderBy', orderBy > 1],
    ['OffsetAndLimit', query.window !== undefined],
    ['OrderBy', orderBy > 0],
    ['Top', query.top !== undefined],
    ['NonValueAggregate', aggregates > 0 && query.selection.kind === 'list'],
    ['ListAndSetAggregate', values.some((value) => calls(value, ['MAKELIST', 'MAKESET']))],
    ['CountIf', values.some((value) => calls(value, ['COUNTIF']))],
    ['NonStreamingOrderBy', query.orderBy.some(({ value }) => isVectorDistance(value))]
  ]
  return needs.filter(([, isNeeded]) => isNeeded).map(([feature]) => feature)
}

function calls(value: Expression, names: readonly string[]): boolean {
  return (value.kind === 'call' && names.includes(value.name)) || childrenOf(value).some((child) => calls(child, names))
}
