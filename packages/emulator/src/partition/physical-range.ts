import type { Budget } from '../charge/budget.ts'
import { RangeUsage } from '../charge/range-usage.ts'
import { OrderedItems } from '../store/ordered-items.ts'
import type { StoredItem } from '../store/stored-item.ts'

/** Where a range stands in a split or a merge; only an online one serves. */
export type RangePhase = 'online' | 'splitting' | 'merging'

/** A physical partition: a half-open interval of effective keys, its items, and what it was given and used. */
export class PhysicalRange {
  readonly id: string
  readonly ordinal: number
  readonly min: string
  readonly max: string
  readonly parents: readonly string[]
  readonly items: OrderedItems<StoredItem, 'place'> = new OrderedItems('place')
  readonly changes: OrderedItems<StoredItem, 'changePlace'> = new OrderedItems('changePlace')
  readonly usage: RangeUsage = new RangeUsage()
  budget: Budget | undefined = undefined
  phase: RangePhase = 'online'
  bytes = 0
  lsn = 0
  /** Rises with each merge; -1 is what single-region accounts begin with. */
  sessionVersion = -1

  constructor(ordinal: number, min: string, max: string, parents: readonly string[]) {
    this.id = String(ordinal)
    this.ordinal = ordinal
    this.min = min
    this.max = max
    this.parents = parents
  }

  get sessionToken(): string {
    return `${this.id}:${this.sessionVersion}#${this.lsn}`
  }
}
