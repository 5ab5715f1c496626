import type { CopierOptions } from '../copy/copier.ts'
import type { CopyStatus } from '../copy/move-copy.ts'
import type { CopyGate } from '../copy/copy-gate.ts'
import type { QueueCounts } from '../copy/identity-queue.ts'
import { HeldLease } from './held-lease.ts'
import { HeldRange } from './held-range.ts'
import { balance, type LeaseView, partOf, shareOf } from './lease-balance.ts'
import type { RangeLease, Stored } from './lease-documents.ts'
import type { LeaseJournal } from './lease-journal.ts'
import { unlessLost } from './lease-lost-error.ts'
import type { Member } from './member.ts'
import { isWhole } from '../journal/range-positions.ts'

type RangeStatus = Pick<CopyStatus, 'ranges' | 'isCopied' | 'caughtUpMs' | 'readToEndMs'>

export interface HeldRangesOptions {
  readonly copier: CopierOptions
  readonly member: Member
  readonly journal: LeaseJournal
  readonly gate: CopyGate
  /** Called when a range has ended, with the error if its copy failed. */
  readonly onEnd: (failure: { readonly error: unknown } | undefined) => void
}

/** The ranges that this worker copies. */
export class HeldRanges {
  readonly #options: HeldRangesOptions
  readonly #held: Map<string, HeldRange> = new Map()
  readonly #running: Set<Promise<void>> = new Set()
  #counts: QueueCounts = NO_COUNTS

  constructor(options: HeldRangesOptions) {
    this.#options = options
  }

  get size(): number {
    return this.#held.size
  }

  get all(): readonly HeldRange[] {
    return [...this.#held.values()]
  }

  /** Counts of all ranges that this worker has copied. */
  get counts(): QueueCounts {
    return this.all.reduce((sum, { counts }) => addCounts(sum, counts), this.#counts)
  }

  /** Part of the shares of the move that this worker may use. */
  get part(): number {
    const loads = this.#leases().map(({ document: { id, position } }) => ({
      isOwn: this.#held.has(id),
      isCopied: position.isCopied
    }))
    return partOf(loads)
  }

  /** Whether this worker has all ranges, and no other worker may take them. */
  get isComplete(): boolean {
    const leases = this.#leases()
    return (
      isWhole(leases.map(({ document }) => document.position)) &&
      leases.every(({ document }) => {
        const lease = this.#held.get(document.id)?.lease
        return lease?.isLost === false && !lease.document.isOpen
      })
    )
  }

  /** Resolves when no document has work. */
  async idle(): Promise<void> {
    await Promise.all(this.all.map((range) => range.idle()))
    // the documents of one range may have freed the places of those of another one
    for (const range of this.all) range.copier.retryRefused()
    await Promise.all(this.all.map((range) => range.idle()))
  }

  /** Resolves when all documents were reconciled. */
  async reconciled(): Promise<void> {
    await Promise.all(this.all.map(({ copier }) => copier.reconciled()))
  }

  /** Stops all ranges, and releases their leases. */
  async end(): Promise<void> {
    for (const range of this.all) range.stop()
    await Promise.all(this.#running)
  }

  /** Takes all free ranges, so that no other worker may take them. */
  async takeAll(): Promise<void> {
    for (const stored of this.#leases()) {
      const held = this.#held.get(stored.document.id)
      if (held?.lease.isLost === false) {
        held.isOpenAtEnd = false
        if (held.lease.document.isOpen) await unlessLost(held.lease.update({ isOpen: false }))
      } else if (this.#ownerOf(stored) === undefined && this.#mayTake(stored)) await this.#take(stored, false)
    }
  }

  /** Takes and releases leases so that all workers have about as many. */
  async takeShare(): Promise<void> {
    const { name, liveWorkers } = this.#options.member
    const leases = this.#leases()
    const byId = new Map(leases.map((stored) => [stored.document.id, stored]))
    const views = leases.map((stored): LeaseView => {
      const { id, claimedBy } = stored.document
      return { id, owner: this.#ownerOf(stored), claimedBy }
    })
    const { take, claim } = balance({ name, leases: views, workers: liveWorkers })
    for (const id of take) {
      const stored = byId.get(id)!
      if (this.#mayTake(stored)) await this.#take(stored, true)
    }
    if (claim !== undefined) await this.#replace(byId.get(claim)!, { claimedBy: name })
    for (const stored of leases) await this.#offer(stored, shareOf(leases.length, liveWorkers.length))
  }

  /** Status of a range; of one that another worker copies, by its lease. */
  statusOf(stored: Stored<RangeLease>): RangeStatus {
    const { id, position, lagMs } = stored.document
    const status = this.#held.get(id)?.copier.status
    if (status !== undefined && status.ranges.length > 0) return status
    const known = { ranges: [position], isCopied: position.isCopied }
    if (status !== undefined || lagMs === null)
      return { ...known, caughtUpMs: 0, readToEndMs: Number.NEGATIVE_INFINITY }
    const { copier, member } = this.#options
    const ageMs = lagMs + member.unchangedMs(stored)
    return { ...known, caughtUpMs: copier.wallMs() - ageMs, readToEndMs: copier.clock.now() - ageMs }
  }

  /** Leaves a lease to others: one that they ask for, or one that only the coordinator may take. */
  async #offer(stored: Stored<RangeLease>, share: number): Promise<void> {
    const { id, isOpen, claimedBy } = stored.document
    const held = this.#held.get(id)
    if (held !== undefined) {
      held.isOpenAtEnd = true
      const kept = this.all.filter(({ isStopped }) => !isStopped).length
      const isSurplus = !held.lease.document.isOpen && kept > share
      if (claimedBy !== null || isSurplus) held.stop()
      else if (!held.lease.isLost && !held.lease.document.isOpen) await unlessLost(held.lease.update({ isOpen: true }))
    } else if (!isOpen && this.#mayTake(stored) && this.#ownerOf(stored) === undefined)
      await this.#replace(stored, { isOpen: true })
  }

  async #replace({ document, etag }: Stored<RangeLease>, change: Partial<RangeLease>): Promise<void> {
    await this.#options.member.options.store.replace({ ...document, ...change }, etag)
  }

  async #take(stored: Stored<RangeLease>, isOpen: boolean): Promise<void> {
    const { member, copier, journal, gate } = this.#options
    const { id } = stored.document
    // writes under an earlier lease may be in flight
    if (this.#held.has(id)) return
    const coordinator = journal.coordinator?.document.tenure ?? stored.document.coordinator
    const lease = await HeldLease.take(member.options, stored, { isOpen, coordinator, claimedBy: null })
    if (lease === undefined) return
    const tokenOf = (hash: string): string | undefined => this.#tokenOf(hash)
    const range = new HeldRange({ copier, member, journal, lease, gate, tokenOf })
    range.isOpenAtEnd = isOpen
    this.#held.set(id, range)
    const running = this.#run(id, range)
    this.#running.add(running)
    void running.finally(() => this.#running.delete(running))
  }

  async #run(id: string, range: HeldRange): Promise<void> {
    let failure: { readonly error: unknown } | undefined
    try {
      await range.run()
    } catch (error) {
      failure = { error }
    }
    this.#counts = addCounts(this.#counts, range.counts)
    this.#held.delete(id)
    this.#options.onEnd(failure)
  }

  /** A closed lease is not for a worker that coordinated before the last switch, and does not know it yet. */
  #mayTake({ document: { isOpen, coordinator } }: Stored<RangeLease>): boolean {
    const tenure = this.#options.journal.coordinator?.document.tenure
    return isOpen || (tenure !== undefined && tenure >= coordinator)
  }

  /** Undefined if no worker holds the lease. */
  #ownerOf(stored: Stored<RangeLease>): string | undefined {
    const { member } = this.#options
    const { id, owner } = stored.document
    if (this.#held.has(id)) return member.name
    return owner === null || owner === member.name || !member.isAlive(stored) ? undefined : owner
  }

  #tokenOf(hash: string): string | undefined {
    const lease = this.#leases().find(
      ({ document: { position } }) => hash >= position.range.min && hash < position.range.max
    )
    return lease?.document.position.sessionToken ?? undefined
  }

  #leases(): readonly Stored<RangeLease>[] {
    return this.#options.journal.ranges(this.#options.copier.direction)
  }
}

const NO_COUNTS: QueueCounts = { stored: 0, deleted: 0, superseded: 0, expiring: 0 }

function addCounts(one: QueueCounts, other: QueueCounts): QueueCounts {
  return {
    stored: one.stored + other.stored,
    deleted: one.deleted + other.deleted,
    superseded: one.superseded + other.superseded,
    expiring: one.expiring + other.expiring
  }
}
