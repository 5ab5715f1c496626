import type { StoredItem } from './item.ts'
import type { PhysicalRange } from './physical-range.ts'

/** All items of one partition key. Most logical partitions have one item and need no map. */
export class LogicalPartition {
  readonly keyText: string
  readonly effectiveKey: string
  range: PhysicalRange
  bytes = 0
  chargedRu = 0
  #only: StoredItem | undefined = undefined
  #items: Map<string, StoredItem> | undefined = undefined

  constructor(keyText: string, effectiveKey: string, range: PhysicalRange) {
    this.keyText = keyText
    this.effectiveKey = effectiveKey
    this.range = range
  }

  get size(): number {
    return this.#items?.size ?? (this.#only === undefined ? 0 : 1)
  }

  get(id: string): StoredItem | undefined {
    if (this.#items !== undefined) return this.#items.get(id)
    return this.#only?.id === id ? this.#only : undefined
  }

  /** The item with this ordinal. */
  byOrdinal(ordinal: number): StoredItem | undefined {
    const [found] = this.range.items.from((item) => item.ordinal < ordinal)
    return found?.ordinal === ordinal && found.partition === this ? found : undefined
  }

  add(item: StoredItem): void {
    if (this.#items === undefined && this.#only !== undefined) {
      this.#items = new Map([[this.#only.id, this.#only]])
      this.#only = undefined
    }
    if (this.#items === undefined) this.#only = item
    else this.#items.set(item.id, item)
  }

  /** Changes the id of an item, which keeps its position in the order. */
  rename(item: StoredItem, id: string): void {
    if (this.#items !== undefined)
      this.#items = new Map([...this.#items].map(([known, held]) => [held === item ? id : known, held]))
    item.id = id
  }

  remove(id: string): void {
    if (this.#items === undefined) this.#only = undefined
    else this.#items.delete(id)
  }

  /** The items in the order in which they were created. */
  items(): Iterable<StoredItem> {
    return this.#items?.values() ?? (this.#only === undefined ? [] : [this.#only])
  }
}
