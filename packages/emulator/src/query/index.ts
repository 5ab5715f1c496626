export type { Query } from './ast.ts'
export { isGrouping } from './aggregate.ts'
export type { ComputedProperty } from './compile-scope.ts'
export { parseComputedProperty } from './computed-property.ts'
export { type KeyCondition, keyConditions } from './key-conditions.ts'
export { type BlockMemory, QueryMemory } from './block-lists.ts'
export { joinNeeds } from './needed-members.ts'
export { parsePredicate, parseQuery } from './parse-query.ts'
export { partitionFilter, type PlannedRange, planQuery, type QueryInfo, type QueryPlan } from './plan-query.ts'
export { QueryError } from './query-error.ts'
export { sortKeysOf } from './sort-keys.ts'
export { PackedRows, type RowRun } from './packed-rows.ts'
export {
  finishNow,
  pagingOf,
  type QueryRun,
  returnsDocuments,
  runQuery,
  startQuery,
  startQueryInto
} from './run-query.ts'
export { toDistanceFunction, type VectorPolicy } from './vector-distance.ts'
