import type { Clock } from '@keystamp/core/internal'
import type { Fence } from '@keystamp/cosmos'
import type { MoveContainer } from '../containers/move-container.ts'
import type { CopyGate } from '../copy/copy-gate.ts'
import { Copier, type CopierOptions } from '../copy/copier.ts'
import type { QueueCounts } from '../copy/identity-queue.ts'
import { type HeldLease } from './held-lease.ts'
import type { RangeLease } from './lease-documents.ts'
import type { LeaseJournal } from './lease-journal.ts'
import { unlessLost } from './lease-lost-error.ts'
import type { Member } from './member.ts'
import { createRangeJournal, RangeSplitError } from './range-journal.ts'

export interface HeldRangeOptions {
  readonly copier: CopierOptions
  readonly member: Member
  readonly journal: LeaseJournal
  readonly lease: HeldLease<RangeLease>
  readonly gate: CopyGate
  readonly tokenOf: (hash: string) => string | undefined
}

/** A range that this worker copies while it holds its lease. */
export class HeldRange {
  readonly lease: HeldLease<RangeLease>
  readonly copier: Copier
  /** Whether others may take the lease when it is released. */
  isOpenAtEnd = true
  #retriedMs = 0
  readonly #clock: Clock
  readonly #target: FencedTarget
  readonly #stop: AbortController = new AbortController()

  constructor({ copier, member, journal, lease, gate, tokenOf }: HeldRangeOptions) {
    this.lease = lease
    this.#clock = member.options.clock
    this.#target = createFencedTarget(copier.target, lease)
    const { store } = member.options
    this.copier = new Copier({
      ...copier,
      target: this.#target.container,
      journal: createRangeJournal({ shared: journal, store, lease, lagMs: () => this.#lagMs() }),
      gate,
      tokenOf,
      holdMs: RETRY_EVERY_MS
    })
    member.keep(this)
  }

  get isLost(): boolean {
    return this.lease.isLost
  }

  get isStopped(): boolean {
    return this.#stop.signal.aborted
  }

  /** Renews the lease, with what the others should know. */
  renew(): Promise<void> {
    this.#retryRefused()
    return this.lease.renew({ lagMs: this.#lagMs() })
  }

  #lagMs(): number | null {
    const { readToEndMs } = this.copier.status
    return readToEndMs === Number.NEGATIVE_INFINITY ? null : this.#clock.now() - readToEndMs
  }

  get counts(): QueueCounts {
    return this.copier.status.counts
  }

  /** Copies until `stop`, or until the lease is lost; resolves when nothing is in flight any more. */
  async run(): Promise<void> {
    try {
      await this.copier.run(this.#stop.signal)
    } catch (error) {
      if (!this.lease.isLost && !(error instanceof RangeSplitError)) throw error
    } finally {
      await this.#target.idle()
      if (!this.lease.isLost) await unlessLost(this.lease.release({ isOpen: this.isOpenAtEnd, claimedBy: null }))
    }
  }

  /** Resolves when no document has work, or when the lease is lost: then the work is that of another worker. */
  async idle(): Promise<void> {
    try {
      await this.copier.idle()
    } catch (error) {
      if (!this.lease.isLost) throw error
    }
  }

  /** The document that had the place may belong to a range that another worker copies. */
  #retryRefused(): void {
    const nowMs = this.#clock.now()
    if (nowMs < this.#retriedMs + RETRY_EVERY_MS) return this.copier.retryRefused('held')
    this.#retriedMs = nowMs
    this.copier.retryRefused()
  }

  /** Stops to read; what was read is still copied, unless the lease is lost. */
  stop(): void {
    this.#stop.abort(STOPPED)
  }
}

const RETRY_EVERY_MS = 30_000

const STOPPED = new Error('The range was released.')

interface FencedTarget {
  readonly container: MoveContainer
  /** Resolves when no write is in flight. */
  readonly idle: () => Promise<void>
}

/** A target for the documents of one range: nothing is sent after its lease has ended. */
function createFencedTarget(target: MoveContainer, fence: Fence): FencedTarget {
  const inFlight = new Set<Promise<unknown>>()
  return {
    container: {
      ...target,
      write: (write) => {
        const written = target.write(write, fence)
        inFlight.add(written)
        const settle = (): void => void inFlight.delete(written)
        written.then(settle, settle)
        return written
      }
    },
    idle: async () => {
      while (inFlight.size > 0) await Promise.allSettled(inFlight)
    }
  }
}
