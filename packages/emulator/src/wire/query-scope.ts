import type { ScanScope } from '../engine/scan.ts'
import { findTargets, type KeyTarget } from '../engine/scan-targets.ts'
import type { KeyValue } from '../partition/effective-key.ts'
import { toPartitionKey } from '../partition/partition-key.ts'
import { type KeyCondition, keyConditions, partitionFilter, type Query } from '../query/index.ts'
import type { Container } from '../store/container.ts'
import { scopeOfKey } from './feed-page.ts'

/**
 * Narrows a scope to the items that the WHERE clause can accept, as far as the partition key and the id say it: a computed
 * property cannot have the name of one of these. A query
 * that fixes the key by `=` is charged to the range of that key; any other query to the ranges that the request names.
 */
export function narrowScope(
  container: Container,
  scope: ScanScope,
  query: Query,
  parameters: ReadonlyMap<string, unknown>
): ScanScope {
  const narrow = scope.kind === 'partition' ? scope : narrowToKey(container, scope, query, parameters)
  const conditions = keyConditions(query, parameters, [...container.keyPaths, ID_PATH])
  return conditions === undefined ? narrow : narrowToConditions(container, narrow, conditions)
}

const ID_PATH: readonly string[] = ['id']

function narrowToKey(
  container: Container,
  scope: ScanScope & { kind: 'keys' },
  query: Query,
  parameters: ReadonlyMap<string, unknown>
): ScanScope {
  const values = partitionFilter(query, parameters, container.keyPaths)
  // 0 equals -0, which is another key
  if (values === undefined || values.includes(0)) return scope
  const narrow = scopeOfKey(container, toPartitionKey(values as readonly KeyValue[]))
  if (narrow.kind === 'partition') {
    const { effectiveKey, range } = narrow.partition
    const isInside =
      effectiveKey >= scope.min && effectiveKey < scope.max && (scope.range === undefined || scope.range === range)
    return isInside ? narrow : { ...scope, max: scope.min }
  }
  return {
    kind: 'keys',
    min: narrow.min > scope.min ? narrow.min : scope.min,
    max: narrow.max < scope.max ? narrow.max : scope.max,
    range: scope.range
  }
}

function narrowToConditions(container: Container, scope: ScanScope, conditions: readonly KeyCondition[]): ScanScope {
  if (scope.kind === 'partition') {
    const ids = conditions.map((condition) => condition.at(-1))
    return ids.includes(undefined) ? scope : { ...scope, ids: new Set(ids.filter(isText)) }
  }
  // a condition without the first level says nothing about the partition
  if (conditions.some(([first]) => first === undefined)) return scope
  return { ...scope, targets: findTargets(container, conditions.flatMap(toTargets)) }
}

function toTargets(condition: KeyCondition): KeyTarget[] {
  const id = condition.at(-1)
  // ids are strings
  if (id !== undefined && !isText(id)) return []
  const levels = condition.slice(0, -1)
  const end = levels.indexOf(undefined)
  const values = end < 0 ? levels : levels.slice(0, end)
  return withBothZeros(values as readonly KeyValue[]).map((key) => ({ values: key, id }))
}

/** The keys that equal these values: 0 and -0 are equal numbers, but different keys. */
export function withBothZeros(values: readonly KeyValue[]): KeyValue[][] {
  return values.reduce<KeyValue[][]>(
    (keys, value) =>
      keys.flatMap((key) =>
        value === 0
          ? [
              [...key, 0],
              [...key, -0]
            ]
          : [[...key, value]]
      ),
    [[]]
  )
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}
