/** A queue to whose head items can return. */
export class Deque<T extends object> {
  #items: (T | undefined)[] = Array.from({ length: FIRST_CAPACITY })
  #head = 0
  #size = 0

  get size(): number {
    return this.#size
  }

  /** The item at a position from the head; there must be one. */
  at(position: number): T {
    return this.#items[(this.#head + position) & (this.#items.length - 1)]!
  }

  push(item: T): void {
    if (this.#size === this.#items.length) this.#grow()
    this.#items[(this.#head + this.#size) & (this.#items.length - 1)] = item
    this.#size++
  }

  unshift(item: T): void {
    if (this.#size === this.#items.length) this.#grow()
    this.#head = (this.#head - 1) & (this.#items.length - 1)
    this.#items[this.#head] = item
    this.#size++
  }

  shift(): T | undefined {
    if (this.#size === 0) return undefined
    const item = this.#items[this.#head]
    this.#items[this.#head] = undefined
    this.#head = (this.#head + 1) & (this.#items.length - 1)
    this.#size--
    if (this.#size === 0 && this.#items.length > KEPT_CAPACITY) this.#reset()
    return item
  }

  // releases the memory of a burst
  #reset(): void {
    this.#items = Array.from({ length: FIRST_CAPACITY })
    this.#head = 0
  }

  // the capacity stays a power of two
  #grow(): void {
    const items: (T | undefined)[] = Array.from({ length: this.#items.length * 2 })
    for (let position = 0; position < this.#size; position++) items[position] = this.at(position)
    this.#items = items
    this.#head = 0
  }
}

const FIRST_CAPACITY = 16
const KEPT_CAPACITY = 4096
