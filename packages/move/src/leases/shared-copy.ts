import { waitFor } from '@keystamp/core/internal'
import { beginCopy } from '../copy/begin-copy.ts'
import { type CopierOptions, DEFAULT_LIMITS } from '../copy/copier.ts'
import { CopyGate } from '../copy/copy-gate.ts'
import type { CopyStatus, MoveCopy } from '../copy/move-copy.ts'
import type { Identity } from '../documents/identity.ts'
import { HeldRanges } from './held-ranges.ts'
import { MOVE_ID } from './lease-documents.ts'
import type { LeaseJournal } from './lease-journal.ts'
import { LeaseLostError } from './lease-lost-error.ts'
import type { Member } from './member.ts'
import { isWhole } from '../journal/range-positions.ts'

export interface SharedCopyOptions {
  readonly copier: CopierOptions
  readonly member: Member
  readonly journal: LeaseJournal
  /** Called after each look at the leases. */
  readonly onPass?: () => Promise<void>
}

/** A copy whose ranges are divided between workers: this worker copies those whose leases it holds. */
export class SharedCopy implements MoveCopy {
  readonly #options: SharedCopyOptions
  readonly #gate: CopyGate
  readonly #ranges: HeldRanges
  /** Aborts when the copy fails. */
  readonly #failed: AbortController = new AbortController()
  /** Aborts when the copy ends. */
  #ended: AbortSignal | undefined
  /** Differences of a comparison, which wait until this worker has all ranges. */
  #waiting: { readonly identity: Identity; readonly places: readonly Identity[] }[] = []
  #passes: Promise<void> = Promise.resolve()
  #wake: () => void = () => {}
  #isStarted = false
  /** Whether this worker, the coordinator, takes all ranges. */
  #hasAll = false

  constructor(options: SharedCopyOptions) {
    const { copier, member, journal } = options
    this.#options = options
    this.#gate = new CopyGate({ ...DEFAULT_LIMITS, ...copier.limits })
    this.#ranges = new HeldRanges({
      copier,
      member,
      journal,
      gate: this.#gate,
      onEnd: (failure) => {
        if (failure !== undefined) this.#failed.abort(failure.error)
        this.#wake()
      }
    })
  }

  get status(): CopyStatus {
    const leases = this.#options.journal.ranges(this.#options.copier.direction)
    const parts = leases.map((stored) => this.#ranges.statusOf(stored))
    const isKnown = this.#isStarted && isWhole(leases.map(({ document }) => document.position))
    // while changes are copied for the last time, only the clock of this process counts
    const isTimeKnown = isKnown && (!this.#hasAll || this.#ranges.isComplete)
    return {
      ranges: parts.flatMap(({ ranges }) => ranges),
      isCopied: isKnown && parts.every(({ isCopied }) => isCopied),
      caughtUpMs: isTimeKnown ? Math.min(...parts.map(({ caughtUpMs }) => caughtUpMs)) : 0,
      readToEndMs: isTimeKnown ? Math.min(...parts.map(({ readToEndMs }) => readToEndMs)) : Number.NEGATIVE_INFINITY,
      counts: this.#ranges.counts,
      pausedFor: this.#gate.pausedFor
    }
  }

  /** Number of ranges that this process copies now. */
  get held(): number {
    return this.#ranges.size
  }

  /** Part of the shares of the move that this process may use. */
  get part(): number {
    return this.#ranges.part
  }

  async run(signal: AbortSignal): Promise<void> {
    const ended = AbortSignal.any([signal, this.#failed.signal])
    this.#ended = ended
    ended.addEventListener('abort', () => this.#wake(), { once: true })
    try {
      await this.#options.member.join()
      await this.#begin(ended)
      while (!ended.aborted) {
        await this.#pass()
        if (!ended.aborted) await this.#idle()
      }
    } catch (error) {
      this.#failed.abort(error)
    }
    await this.#passes.catch(() => {})
    await this.#ranges.end()
    if (this.#failed.signal.aborted && !signal.aborted) throw this.#failed.signal.reason
  }

  pause(reason: string): void {
    this.#gate.pause(reason)
  }

  resume(): void {
    this.#gate.resume()
  }

  reconcile(identity: Identity, places: readonly Identity[]): void {
    this.#waiting.push({ identity, places })
  }

  async reconciled(): Promise<void> {
    if (this.#waiting.length > 0) await this.#reconcileAll()
  }

  async idle(): Promise<void> {
    if (this.#waiting.length > 0) await this.#reconcileAll()
    await this.#ranges.idle()
  }

  /** Takes all ranges, after each other worker has confirmed that it has nothing in flight, or was silent for long. */
  async gather(signal: AbortSignal): Promise<void> {
    const { member, journal } = this.#options
    const lease = journal.coordinator
    if (lease === undefined) throw new LeaseLostError(MOVE_ID)
    const gathering = lease.document.gathering + 1
    await lease.update({ gathering, isGathered: true })
    this.#hasAll = true
    for (;;) {
      if (lease.isLost) throw new LeaseLostError(MOVE_ID)
      signal.throwIfAborted()
      this.#ended?.throwIfAborted()
      await this.#pass()
      if (this.#ranges.isComplete && (await member.unconfirmed(gathering)).length === 0) return
      await this.#idle()
    }
  }

  async scatter(): Promise<void> {
    if (!this.#hasAll) return
    this.#hasAll = false
    await this.#options.journal.coordinator?.update({ isGathered: false })
  }

  /** The coordinator begins a new copy. */
  async #begin(signal: AbortSignal): Promise<void> {
    const { member, journal, copier } = this.#options
    const lease = journal.coordinator
    if (lease === undefined) return
    while (journal.isBehind(copier.direction)) {
      await waitFor(member.options.limits.pollMs, copier.clock, signal)
      await member.refresh()
    }
    if (journal.state().ranges[copier.direction].length === 0) await beginCopy({ ...copier, journal }, signal)
    if (lease.document.isGathered !== this.#hasAll) await lease.update({ isGathered: this.#hasAll })
  }

  async #reconcileAll(): Promise<void> {
    const had = this.#hasAll
    if (!had) await this.gather(this.#failed.signal)
    for (const { identity, places } of this.#waiting.splice(0)) {
      for (const { copier } of this.#ranges.all) if (copier.covers(identity)) copier.reconcile(identity, places)
    }
    await this.#ranges.reconciled()
    if (!had) await this.scatter()
  }

  /** Looks at the leases, and takes or releases some. */
  #pass(): Promise<void> {
    const pass = this.#passes.catch(() => {}).then(() => this.#passOnce())
    this.#passes = pass
    return pass
  }

  async #passOnce(): Promise<void> {
    const { member, journal, onPass } = this.#options
    await member.join()
    await member.refresh()
    const { record } = journal
    if (record !== undefined) await member.answer(record.asked)
    const isGuest = record?.isGathered === true && journal.coordinator === undefined
    for (const range of this.#ranges.all) if (range.isLost || isGuest) range.stop()
    if (!member.isJoined) return
    if (isGuest) {
      if (this.#ranges.size === 0) await member.acknowledge(record.gathering)
    } else if (this.#hasAll) {
      await this.#ranges.takeAll()
      // an application may wait for the last changes
      for (const { copier } of this.#ranges.all) copier.retryRefused('held')
    } else await this.#ranges.takeShare()
    this.#isStarted = true
    await onPass?.()
  }

  /** Waits for the next look at the leases. */
  async #idle(): Promise<void> {
    const { limits, clock } = this.#options.member.options
    const timer = new AbortController()
    const woken = new Promise<void>((resolve) => {
      this.#wake = resolve
    })
    await Promise.race([waitFor(limits.pollMs, clock, timer.signal).catch(() => {}), woken])
    timer.abort()
  }
}
