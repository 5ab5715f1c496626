import type { Container } from '../store/container.ts'
import type { StoredItem } from '../store/item.ts'
import type { LogicalPartition } from '../store/logical-partition.ts'
import type { PhysicalRange } from '../store/physical-range.ts'
import { type KeyValue, effectiveKey } from '../partition/effective-key.ts'
import { toPartitionKey } from '../partition/partition-key.ts'
import { type ItemWalk, walkList, walkRange } from './item-walk.ts'

/** The logical partitions that a scan reads; of a partition with ids, only the items with these ids. */
export type ScanTargets = ReadonlyMap<LogicalPartition, ReadonlySet<string> | undefined>

/** The first levels of a key, and an id if only one item is meant. */
export interface KeyTarget {
  readonly values: readonly KeyValue[]
  readonly id: string | undefined
}

/** The logical partitions of some keys. A key without its last levels means all partitions that begin with it. */
export function findTargets(container: Container, keys: readonly KeyTarget[]): ScanTargets {
  const targets = new Map<LogicalPartition, Set<string> | undefined>()
  for (const { values, id } of keys) {
    for (const partition of partitionsOf(container, values)) {
      const ids = targets.get(partition)
      if (id === undefined) targets.set(partition, undefined)
      else if (ids !== undefined) ids.add(id)
      else if (!targets.has(partition)) targets.set(partition, new Set([id]))
    }
  }
  return targets
}

function partitionsOf(container: Container, values: readonly KeyValue[]): Iterable<LogicalPartition> {
  if (values.length < container.keyPaths.length)
    return container.partitions.startingWith(effectiveKey(values, container.key))
  const partition = container.partitions.get(toPartitionKey(values).text)
  return partition === undefined ? [] : [partition]
}

// a list of items is collected and sorted, the list of a range can be entered at an ordinal
const MAX_OTHERS = 8

/** The items of the targets in a range after an ordinal, in the order of creation. */
export function walkTargets(
  targets: ScanTargets,
  range: PhysicalRange,
  after: number,
  accepts: ((item: StoredItem) => boolean) | undefined
): ItemWalk {
  // by the key, because the range may have been split or merged since the scan began
  const own = [...targets].filter(([{ effectiveKey: key }]) => key >= range.min && key < range.max)
  const count = own.reduce((sum, [partition, ids]) => sum + (ids?.size ?? partition.size), 0)
  if (count * MAX_OTHERS > range.items.size) return walkRange(range, after, acceptTargets(targets, range, accepts))
  const items = own.flatMap(([partition, ids]) => itemsOf(partition, ids))
  const asked = items.filter((item) => item.ordinal > after && (accepts === undefined || accepts(item)))
  return walkList(own.length === 1 && own[0][1] === undefined ? asked : asked.toSorted(byOrdinal))
}

function acceptTargets(
  targets: ScanTargets,
  range: PhysicalRange,
  accepts: ((item: StoredItem) => boolean) | undefined
): ((item: StoredItem) => boolean) | undefined {
  const [[only, onlyIds] = [undefined, undefined]] = targets
  if (targets.size === 1 && onlyIds === undefined && only?.size === range.items.size) return accepts
  return (item) => {
    const ids = targets.get(item.partition)
    if (ids === undefined ? !targets.has(item.partition) : !ids.has(item.id)) return false
    return accepts === undefined || accepts(item)
  }
}

function itemsOf(partition: LogicalPartition, ids: ReadonlySet<string> | undefined): StoredItem[] {
  if (ids === undefined) return [...partition.items()]
  return [...ids].map((id) => partition.get(id)).filter((item) => item !== undefined)
}

function byOrdinal(one: StoredItem, other: StoredItem): number {
  return one.ordinal - other.ordinal
}
