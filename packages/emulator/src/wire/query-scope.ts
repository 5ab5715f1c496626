import type { KeyValue } from '../partition/key-value.ts'
import { partitionFilter, type Query } from '../query/index.ts'
import type { Container } from '../store/container.ts'
import { toPartitionKey } from '../store/partition-key.ts'
import type { ScanScope } from '../store/scan.ts'
import { scopeOfKey } from './feed-scope.ts'

/** Narrows a scope to the partition key that the WHERE clause names, so that a query by key touches that key's items only. */
export function narrowToKey(container: Container, scope: ScanScope, query: Query, parameters: ReadonlyMap<string, unknown>): ScanScope {
  if (scope.kind === 'partition') return narrowToId(scope, query, parameters)
  const values = partitionFilter(query, parameters, container.keyPaths)
  if (values === undefined) return scope
  const narrow = scopeOfKey(container, toPartitionKey(values as readonly KeyValue[]))
  if (narrow.kind === 'partition') {
    const { effectiveKey, range } = narrow.partition
    const isInside = effectiveKey >= scope.min && effectiveKey < scope.max && (scope.range === undefined || scope.range === range)
    return isInside ? narrowToId(narrow, query, parameters) : { ...scope, max: scope.min }
  }
  return {
    kind: 'keys',
    min: narrow.min > scope.min ? narrow.min : scope.min,
    max: narrow.max < scope.max ? narrow.max : scope.max,
    range: scope.range
  }
}

function narrowToId(scope: ScanScope & { kind: 'partition' }, query: Query, parameters: ReadonlyMap<string, unknown>): ScanScope {
  const [id] = partitionFilter(query, parameters, ID_PATH) ?? []
  return typeof id === 'string' ? { ...scope, id } : scope
}

const ID_PATH: readonly (readonly string[])[] = [['id']]
