import type { Direction, Journal, JournalEntry, JournalState, RangeEntry, RejectedEntry } from '../journal/journal.ts'
import { JournalReduction } from '../journal/journal-state.ts'
import type { HeldLease } from './held-lease.ts'
import { LeaseLostError } from './lease-lost-error.ts'
import { createRangeLease, MOVE_ID, type MoveRecord, type RangeLease, type Stored } from './lease-documents.ts'
import { isWhole } from '../journal/range-positions.ts'
import type { Member } from './member.ts'
import { RejectedDocuments } from './rejected-documents.ts'

/** The journal of a move in the documents of a lease container. Only the coordinator can append. */
export class LeaseJournal implements Journal {
  readonly rejected: RejectedDocuments
  readonly #member: Member
  #lease: HeldLease<MoveRecord> | undefined
  /** Leases that this process has placed, until a list contains them. */
  readonly #placed: Map<string, Stored<RangeLease>> = new Map()
  #reduced: { readonly version: number; readonly state: JournalState } | undefined

  constructor(member: Member) {
    this.#member = member
    this.rejected = new RejectedDocuments(member)
  }

  /** The lease with which this process coordinates the move; undefined if another process may coordinate it now. */
  get coordinator(): HeldLease<MoveRecord> | undefined {
    return this.#lease?.isLost === false ? this.#lease : undefined
  }

  coordinate(lease: HeldLease<MoveRecord> | undefined): void {
    this.#lease = lease
    this.#placed.clear()
  }

  get record(): MoveRecord | undefined {
    return this.coordinator?.document ?? this.#member.move?.document
  }

  readonly state = (): JournalState => {
    const { record } = this
    const state = this.#reduce(record)
    const positions = (direction: Direction): JournalState['ranges'][Direction] => {
      const all = this.ranges(direction).map(({ document }) => document.position)
      return isWhole(all) ? all.toSorted((a, b) => (a.range.min < b.range.min ? -1 : 1)) : []
    }
    return {
      ...state,
      ranges: { forward: positions('forward'), back: positions('back') },
      rejected: this.rejected.codes()
    }
  }

  /** Leases of the current ranges. */
  ranges(direction: Direction): readonly Stored<RangeLease>[] {
    const generation = this.record?.generations[direction] ?? 0
    if (generation === 0) return []
    const listed = this.#member.ranges(direction, generation)
    for (const { document } of listed) {
      const placed = this.#placed.get(document.id)
      if (placed !== undefined && placed.document.version <= document.version) this.#placed.delete(document.id)
    }
    const placed = [...this.#placed.values()].filter(
      ({ document }) => document.direction === direction && document.generation === generation
    )
    return [...listed.filter(({ document }) => !this.#placed.has(document.id)), ...placed]
  }

  /** Whether the positions of a copy that has begun are not read completely: a replica may be behind. */
  isBehind(direction: Direction): boolean {
    return (this.record?.generations[direction] ?? 0) > 0 && this.state().ranges[direction].length === 0
  }

  readonly append = async (entry: JournalEntry): Promise<void> => {
    if (entry.type === 'rejected') return this.reject(entry)
    const lease = this.coordinator
    if (lease === undefined) throw new LeaseLostError(MOVE_ID)
    if (entry.type === 'ranges') return this.#place(lease, entry)
    const reduction = reductionOf(lease.document)
    reduction.apply(entry)
    await lease.update({ entries: [...reduction.entries()] })
  }

  reject(entry: RejectedEntry): Promise<void> {
    return this.rejected.append(entry)
  }

  readonly sync = async (): Promise<void> => {}
  readonly close = async (): Promise<void> => {}

  #reduce(record: MoveRecord | undefined): JournalState {
    if (record === undefined) return new JournalReduction().state
    if (this.#reduced?.version !== record.version)
      this.#reduced = { version: record.version, state: reductionOf(record).state }
    return this.#reduced.state
  }

  async #place(lease: HeldLease<MoveRecord>, { direction, ranges }: RangeEntry): Promise<void> {
    const current = new Map(this.ranges(direction).map((stored) => [stored.document.id, stored]))
    const generation = lease.document.generations[direction]
    const isFollowed = this.state().phase === 'reverse' && direction === 'forward'
    const place = { direction, generation, parent: null, isOpen: false, coordinator: lease.document.tenure }
    const same = ranges.map((position) => current.get(createRangeLease(place, position).id))
    // the watch of the old container moves the positions; a beginning makes new leases
    if (isFollowed && same.every((stored) => stored !== undefined)) {
      for (const [index, stored] of same.entries())
        await this.#put(lease, { ...stored.document, position: ranges[index] })
      return
    }
    const next = { ...place, generation: generation + 1 }
    for (const position of ranges) await this.#put(lease, createRangeLease(next, position))
    await lease.update({ generations: { ...lease.document.generations, [direction]: generation + 1 } })
  }

  /** Writes a lease that no other worker may take. */
  async #put(lease: HeldLease<MoveRecord>, document: RangeLease): Promise<void> {
    const { store } = this.#member.options
    for (;;) {
      if (lease.isLost) throw new LeaseLostError(MOVE_ID)
      const known = this.#placed.get(document.id) ?? ((await store.read(document.id)) as Stored<RangeLease> | undefined)
      const stored =
        known === undefined
          ? await store.create(document, lease)
          : await store.replace(succeeding(document, known.document), known.etag, lease)
      if (stored !== undefined) return void this.#placed.set(document.id, stored)
      this.#placed.delete(document.id)
    }
  }
}

/** The lease in place of an older one with the same id. */
function succeeding(document: RangeLease, { version, tenure }: RangeLease): RangeLease {
  return { ...document, version, tenure: tenure + 1 }
}

function reductionOf({ entries }: MoveRecord): JournalReduction {
  const reduction = new JournalReduction()
  for (const entry of entries) reduction.apply(entry)
  return reduction
}
