import type { StoredItem } from '../store/item.ts'
import type { PhysicalRange } from '../store/physical-range.ts'
import { NOWHERE } from '../store/slab.ts'

/** Gives items one after another. Items may be written and removed between two calls. */
export interface ItemWalk {
  /** The next item; undefined at the end. */
  readonly next: () => StoredItem | undefined
}

/** The items of a range after an ordinal that a test accepts, in the order of creation. */
export function walkRange(
  { items }: PhysicalRange,
  after: number,
  accepts: ((item: StoredItem) => boolean) | undefined
): ItemWalk {
  let ordinal = after
  const isBefore = (item: StoredItem): boolean => item.ordinal <= ordinal
  let at = items.seek(isBefore)
  let { generation } = items
  return {
    next: () => {
      if (items.generation !== generation) {
        at = items.seek(isBefore)
        generation = items.generation
      }
      while (at < items.length) {
        const item = items.at(at++)
        // a range that was split keeps its list, in which later removals leave no holes
        if (item === undefined || item.slab === NOWHERE) continue
        ordinal = item.ordinal
        if (accepts === undefined || accepts(item)) return item
      }
      return undefined
    }
  }
}

/** The items of a list that are not removed in the meantime. */
export function walkList(items: readonly StoredItem[]): ItemWalk {
  let at = 0
  return {
    next: () => {
      while (at < items.length) {
        const item = items[at++]
        if (item.slab !== NOWHERE) return item
      }
      return undefined
    }
  }
}
