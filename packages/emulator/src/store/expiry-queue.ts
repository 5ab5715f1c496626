import { expiresAt, type StoredItem } from './item.ts'

/** Items of a container by the second in which their TTL ends. */
export class ExpiryQueue {
  readonly #defaultTtl: number
  readonly #items: Map<number, StoredItem[]> = new Map()
  #first = Infinity
  #size = 0

  /** A queue of the items that a container has now. */
  constructor(defaultTtl: number, items: Iterable<StoredItem>) {
    this.#defaultTtl = defaultTtl
    for (const item of items) this.add(item)
  }

  /** Number of entries, including outdated ones: a changed item is in the queue once for each version. */
  get size(): number {
    return this.#size
  }

  /** Adds a new version of an item. */
  add(item: StoredItem): void {
    const second = expiresAt(item, this.#defaultTtl)
    if (second === Infinity) return
    const known = this.#items.get(second)
    if (known === undefined) this.#items.set(second, [item])
    else known.push(item)
    this.#size += 1
    if (second < this.#first) this.#first = second
  }

  /** Removes and returns the items whose TTL has ended, in the order of its end. */
  take(nowMs: number): StoredItem[] {
    const now = Math.floor(nowMs / 1000)
    if (now < this.#first) return []
    const due = [...this.#items.keys()].filter((second) => second <= now).toSorted((a, b) => a - b)
    const items = due.flatMap((second) => this.#takeSecond(second))
    this.#first = [...this.#items.keys()].reduce((first, second) => Math.min(first, second), Infinity)
    return items
  }

  #takeSecond(second: number): StoredItem[] {
    const items = this.#items.get(second) ?? []
    this.#items.delete(second)
    this.#size -= items.length
    const isCurrent = (item: StoredItem): boolean =>
      item.partition.get(item.id) === item && expiresAt(item, this.#defaultTtl) === second
    // an item that was written twice in one second is in the list twice
    return [...new Set(items.filter(isCurrent))]
  }
}
