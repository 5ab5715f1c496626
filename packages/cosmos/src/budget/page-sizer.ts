const FIRST_ITEMS = 10
// pages of a thousand documents leave so much garbage that the process grows
export const MAX_ITEMS = 300
const GROWTH = 4

/** Learns the charge of an item, and chooses the size of pages so that a page is expected to cost at most a target. */
export class PageSizer {
  #targetRu: number
  readonly #maxItems: number
  #items = FIRST_ITEMS
  /** RU of a page by its items, with the constant part of a page. */
  #itemRu: number | undefined

  constructor(targetRu: number, maxItems: number = MAX_ITEMS) {
    this.#targetRu = targetRu
    this.#maxItems = maxItems
  }

  /** Items to ask for. */
  get items(): number {
    return this.#items
  }

  /** Charge that the next page is expected to have. */
  get expectedRu(): number {
    return Math.min(this.#targetRu, this.#itemRu === undefined ? this.#targetRu : this.#itemRu * this.#items)
  }

  /** RU of an item, as far as it is known. */
  get itemRu(): number {
    return this.#itemRu ?? this.#targetRu / FIRST_ITEMS
  }

  /** Uses another target, and keeps the charge that it has learned. */
  retarget(targetRu: number): void {
    this.#targetRu = targetRu
    if (this.#itemRu !== undefined) this.#items = this.#fitting(this.#itemRu)
  }

  learn(items: number, chargeRu: number): void {
    if (items === 0) return
    const itemRu = chargeRu / items
    // expensive items count at once, cheap ones slowly
    const isFull = items >= this.#items
    if (this.#itemRu === undefined || itemRu > this.#itemRu) this.#itemRu = isFull ? itemRu : (this.#itemRu ?? itemRu)
    else this.#itemRu = (this.#itemRu + itemRu) / 2
    this.#items = this.#fitting(this.#itemRu)
  }

  #fitting(itemRu: number): number {
    return Math.max(1, Math.min(this.#maxItems, this.#items * GROWTH, Math.floor(this.#targetRu / itemRu)))
  }
}
