import type { Journal, JournalEntry, JournalState, RangeEntry, RangePosition } from '../journal/journal.ts'
import type { HeldLease } from './held-lease.ts'
import { LeaseLostError } from './lease-lost-error.ts'
import { createRangeLease, type RangeLease, type Stored } from './lease-documents.ts'
import type { LeaseJournal } from './lease-journal.ts'
import type { LeaseStore } from './lease-store.ts'

/** The range was split: its lease is replaced by those of its parts. */
export class RangeSplitError extends Error {
  constructor() {
    super('The range was split.')
    this.name = 'RangeSplitError'
  }
}

export interface RangeJournalOptions {
  readonly shared: LeaseJournal
  readonly store: LeaseStore
  readonly lease: HeldLease<RangeLease>
  readonly lagMs: () => number | null
}

/** The journal for the copy of one range: the position is in the lease, so a worker without the lease cannot save it. */
export function createRangeJournal({ shared, store, lease, lagMs }: RangeJournalOptions): Journal {
  const state = (): JournalState => {
    const all = shared.state()
    const { direction, position } = lease.document
    return { ...all, ranges: { ...all.ranges, [direction]: [position] } }
  }

  async function append(entry: JournalEntry): Promise<void> {
    if (entry.type === 'rejected') return shared.reject(entry)
    if (entry.type !== 'ranges') throw new Error(`A worker cannot append an entry of the type ${entry.type}.`)
    const [position] = entry.ranges
    const { range } = lease.document.position
    if (entry.ranges.length === 1 && position.range.min === range.min && position.range.max === range.max)
      return lease.update({ position, lagMs: lagMs() })
    await split(entry)
    throw new RangeSplitError()
  }

  // children first: a lease is valid as soon as its parent lists it, which is decided by one write
  async function split({ ranges }: RangeEntry): Promise<void> {
    const { direction, generation, isOpen, coordinator, id } = lease.document
    const place = { direction, generation, isOpen, coordinator, parent: id }
    const children = ranges.map((each) => createRangeLease(place, each))
    await Promise.all(children.map((child, index) => createChild(child, ranges[index])))
    await lease.update({ children: children.map((child) => child.id) })
    await lease.release()
  }

  /** An earlier attempt to split may have left a child, which no worker could take. */
  async function createChild(child: RangeLease, position: RangePosition): Promise<void> {
    for (;;) {
      if (lease.isLost) throw new LeaseLostError(lease.document.id)
      if ((await store.create(child, lease)) !== undefined) return
      const found = (await store.read(child.id)) as Stored<RangeLease> | undefined
      if (found === undefined) continue
      if ((await store.replace({ ...found.document, ...childFacts(child), position }, found.etag, lease)) !== undefined)
        return
    }
  }

  return { state, append, sync: async () => {}, close: async () => {} }
}

function childFacts({ parent, isOpen, coordinator, lagMs }: RangeLease): Partial<RangeLease> {
  return { parent, isOpen, coordinator, lagMs }
}
