import { hasAggregate } from './aggregate-call.ts'
import type { Query } from './ast.ts'
import { selectedValues } from './selected-values.ts'

/** The features, as clients name them in their header, that a query needs and the header does not list. */
export const missingFeatures = (query: Query, supportedFeatures: string): string[] => {
  const supported = supportedFeatures.split(',').map((feature) => feature.trim())
  return supportedFeatures.trim() === '' ? [] : featuresOf(query).filter((feature) => !supported.includes(feature))
}

const featuresOf = (query: Query): string[] => {
  const aggregates = selectedValues(query.selection).filter(hasAggregate).length
  const needs: [string, boolean][] = [
    ['Aggregate', aggregates > 0],
    ['NonValueAggregate', aggregates > 0 && query.selection.kind === 'list'],
    ['MultipleAggregates', aggregates > 1],
    ['Distinct', query.distinct],
    ['OffsetAndLimit', query.window !== undefined],
    ['OrderBy', query.orderBy.length > 0],
    ['MultipleOrderBy', query.orderBy.length > 1],
    ['Top', query.top !== undefined]
  ]
  return needs.filter(([, isNeeded]) => isNeeded).map(([feature]) => feature)
}
