import type { LogicalPartition } from './logical-partition.ts'

/** Hexadecimal digits of the hash of one level of a hierarchical key. */
const LEVEL_DIGITS = 32

/**
 * The logical partitions of a container by their keys. The index of the first levels of hierarchical keys is built when
 * it is first used, so that containers without such queries do not pay for it.
 */
export class PartitionMap {
  readonly #byKey: Map<string, LogicalPartition> = new Map()
  readonly #byPrefix: Map<string, Set<LogicalPartition>>[] = []

  get size(): number {
    return this.#byKey.size
  }

  get(keyText: string): LogicalPartition | undefined {
    return this.#byKey.get(keyText)
  }

  values(): Iterable<LogicalPartition> {
    return this.#byKey.values()
  }

  add(partition: LogicalPartition): void {
    this.#byKey.set(partition.keyText, partition)
    this.#byPrefix.forEach((index, levels) => addTo(index, partition, levels))
  }

  remove(partition: LogicalPartition): void {
    this.#byKey.delete(partition.keyText)
    this.#byPrefix.forEach((index, levels) => {
      const prefix = prefixOf(partition, levels)
      const others = index.get(prefix)
      others?.delete(partition)
      if (others?.size === 0) index.delete(prefix)
    })
  }

  /** The partitions of hierarchical keys whose first levels have this effective key. */
  startingWith(effectiveKey: string): Iterable<LogicalPartition> {
    return this.#index(effectiveKey.length / LEVEL_DIGITS).get(effectiveKey) ?? []
  }

  #index(levels: number): ReadonlyMap<string, Set<LogicalPartition>> {
    const known = this.#byPrefix[levels]
    if (known !== undefined) return known
    const index = new Map<string, Set<LogicalPartition>>()
    for (const partition of this.#byKey.values()) addTo(index, partition, levels)
    this.#byPrefix[levels] = index
    return index
  }
}

function addTo(index: Map<string, Set<LogicalPartition>>, partition: LogicalPartition, levels: number): void {
  const prefix = prefixOf(partition, levels)
  const others = index.get(prefix)
  if (others === undefined) index.set(prefix, new Set([partition]))
  else others.add(partition)
}

function prefixOf({ effectiveKey }: LogicalPartition, levels: number): string {
  return effectiveKey.slice(0, levels * LEVEL_DIGITS)
}
