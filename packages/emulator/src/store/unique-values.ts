import type { Container } from './container.ts'
import type { LogicalPartition } from './logical-partition.ts'
import { valueAt } from './property-path.ts'
import type { ItemState } from './stored-item.ts'

/** The values of unique keys that a document holds inside its logical partition; a missing value counts as null. */
export function uniqueValues(container: Container, partition: LogicalPartition, content: { document: unknown }): readonly string[] {
  if (container.uniquePaths.length === 0) return NONE
  const { document } = content
  return container.uniquePaths.map((paths, constraint) => {
    const values = paths.map((path) => valueAt(document, path) ?? null)
    return JSON.stringify([partition.keyText, constraint, values])
  })
}

/** The unique values that a stored item holds. */
export function uniqueValuesOf(container: Container, partition: LogicalPartition, item: ItemState | undefined): readonly string[] {
  if (item === undefined || container.uniquePaths.length === 0) return NONE
  return uniqueValues(container, partition, { document: JSON.parse(item.json()) })
}

const NONE: readonly string[] = []
