/** A list in a fixed order from which items can be removed; it is compacted when half of it are holes. */
export class OrderedItems<Item extends Record<Key, number>, Key extends string> {
  readonly #key: Key
  #entries: (Item | undefined)[] = []
  #holes = 0

  constructor(key: Key) {
    this.#key = key
  }

  /** Number of items. */
  get size(): number {
    return this.#entries.length - this.#holes
  }

  /** Appends an item and stores the position in it. */
  push(item: Item): void {
    this.#setPosition(item, this.#entries.length)
    this.#entries.push(item)
  }

  /** Removes an item. */
  remove(item: Item): void {
    this.#entries[item[this.#key]] = undefined
    this.#holes += 1
    if (this.#holes > 64 && this.#holes * 2 > this.#entries.length) this.#close()
  }

  /** The items from the first one for which `isBefore` is false; it must be true for a prefix of the list only. */
  *from(isBefore: (item: Item) => boolean): Generator<Item> {
    for (let at = this.#search(isBefore); at < this.#entries.length; at++) {
      const item = this.#entries[at]
      if (item !== undefined) yield item
    }
  }

  *[Symbol.iterator](): Generator<Item> {
    for (let at = 0; at < this.#entries.length; at++) {
      const item = this.#entries[at]
      if (item !== undefined) yield item
    }
  }

  #search(isBefore: (item: Item) => boolean): number {
    let low = 0
    let high = this.#entries.length
    while (low < high) {
      const middle = (low + high) >>> 1
      let probe = middle
      while (probe < high && this.#entries[probe] === undefined) probe += 1
      if (probe < high && isBefore(this.#entries[probe]!)) low = probe + 1
      else high = middle
    }
    return low
  }

  #close(): void {
    const kept = this.#entries.filter((item) => item !== undefined)
    for (let at = 0; at < kept.length; at++) this.#setPosition(kept[at], at)
    this.#entries = kept
    this.#holes = 0
  }

  #setPosition(item: Item, at: number): void {
    ;(item as Record<Key, number>)[this.#key] = at
  }
}
