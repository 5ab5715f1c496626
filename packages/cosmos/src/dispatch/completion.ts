import type { Clock } from '@keystamp/core/internal'
import { CosmosError } from '../client/cosmos-error.ts'
import type { ByteBudget } from './byte-budget.ts'
import type { DocumentOrder } from './document-order.ts'
import type { Lane } from './lane.ts'
import type { Outcome } from './outcome.ts'
import type { FlushEpoch, OnOutcome, PendingOperation } from './pending-operation.ts'
import type { RouteTable } from './route-table.ts'

interface CompletionOptions {
  readonly documentOrder: DocumentOrder
  readonly byteBudget: ByteBudget | undefined
  readonly flushes: FlushTracker
  readonly retryForMs: number
  /** Called when an operation has become the first of its document. */
  readonly enqueueNext: (pending: PendingOperation) => void
  /** Called when a superseded body still has to be written. */
  readonly requeueOlder: (pending: PendingOperation) => void
}

/** Completes operations: reports each outcome exactly once, and releases the document and the bytes. */
export class Completion {
  /** Number of outcomes so far, by kind. */
  readonly outcomes: Record<Outcome['kind'], number> = { written: 0, unchanged: 0, rejected: 0 }
  readonly #options: CompletionOptions

  constructor(options: CompletionOptions) {
    this.#options = options
  }

  complete(pending: PendingOperation, outcome: Outcome): void {
    // a callback for another operation of the same batch may have stopped the writer
    if (pending.state === 'closed') return
    if (pending.older !== undefined) return this.#completeWithOlder(pending, outcome)
    pending.on('close')
    this.#releaseDocument(pending)
    this.#report(pending, outcome)
  }

  completeGroup(pending: PendingOperation, outcomes: readonly Outcome[]): void {
    const { firsts, onOutcomes } = pending.group!
    if (pending.state === 'closed') return
    pending.on('close')
    for (const first of firsts) this.#releaseDocument(first)
    pending.lane!.counts.settled += outcomes.length
    for (const { kind } of outcomes) this.outcomes[kind]++
    this.#releaseBytes(pending)
    onOutcomes(outcomes)
  }

  /** Fails an operation whose time for retries is over. */
  giveUp(pending: PendingOperation, reason: string): void {
    if (pending.state === 'closed') return
    const seconds = Math.round(this.#options.retryForMs / 1000)
    const message = `Cosmos DB did not accept a write in ${seconds} s (last: ${reason}). It is not known whether the write was applied.`
    for (const first of pending.group?.firsts ?? [pending]) this.#releaseDocument(first)
    this.fail(pending, new CosmosError('COSMOS_UNAVAILABLE', message, { retriable: true }))
  }

  /** Fails an operation that must not be sent; a body that it superseded may still be sent. */
  withdraw(pending: PendingOperation): void {
    if (pending.state === 'closed') return
    const error = new CosmosError(
      'WRITE_FENCED',
      'The write was withdrawn before it was sent, because its fence was raised.'
    )
    if (pending.older === undefined) {
      for (const first of pending.group?.firsts ?? [pending]) this.#releaseDocument(first)
      return this.fail(pending, error)
    }
    this.#releaseBytes(pending)
    notifyOutcome(pending.onOutcome, error)
    pending.restoreOlder()
    this.#options.requeueOlder(pending)
  }

  /** Fails an operation and all operations that it superseded. */
  fail(pending: PendingOperation, error: Error): void {
    if (pending.state === 'closed') return
    pending.on('close')
    this.#releaseBytes(pending)
    notifyOutcome(pending.onOutcome, error)
    while (pending.older !== undefined) {
      pending.restoreOlder()
      this.#releaseBytes(pending)
      notifyOutcome(pending.onOutcome, error)
    }
  }

  #completeWithOlder(pending: PendingOperation, outcome: Outcome): void {
    if (outcome.kind === 'rejected') {
      this.#report(pending, outcome)
      pending.restoreOlder()
      // the older body is a separate write, which comes before later operations
      return this.#options.requeueOlder(pending)
    }
    pending.on('close')
    this.#releaseDocument(pending)
    this.#report(pending, outcome)
    const supersededOutcome: Outcome =
      outcome.kind === 'written' ? { ...outcome, chargeRu: 0, isSuperseded: true } : outcome
    while (pending.older !== undefined) {
      pending.restoreOlder()
      this.#report(pending, supersededOutcome)
    }
  }

  #report(pending: PendingOperation, outcome: Outcome): void {
    this.outcomes[outcome.kind]++
    pending.lane!.counts.settled++
    this.#releaseBytes(pending)
    notifyOutcome(pending.onOutcome, outcome)
  }

  /** Enqueues the next operation on the document. */
  #releaseDocument(pending: PendingOperation): void {
    const next = this.#options.documentOrder.remove(pending)
    if (next === undefined) return
    if (next.owner === undefined) this.#options.enqueueNext(next)
    else if (--next.owner.group!.blockedDocuments === 0) this.#options.enqueueNext(next.owner)
  }

  #releaseBytes(pending: PendingOperation): void {
    pending.lane!.pending--
    this.#options.byteBudget?.remove(pending.lane!, pending.bytes)
    this.#options.flushes.close(pending.epoch!)
  }
}

/** Tracks when all operations that were submitted before a flush have their outcome. */
export class FlushTracker {
  #epochs: FlushEpoch[] = [{ open: 0 }]
  readonly #waiting: { readonly epoch: FlushEpoch; readonly resolve: () => void }[] = []

  get current(): FlushEpoch {
    return this.#epochs[this.#epochs.length - 1]
  }

  /** Called when one operation of an epoch has its outcome. */
  close(epoch: FlushEpoch): void {
    epoch.open--
    if (epoch.open === 0 && this.#waiting.length > 0) this.#advance()
  }

  /** Resolves when all operations so far have their outcome. */
  flush(): Promise<void> {
    const epoch = this.current
    this.#epochs.push({ open: 0 })
    return new Promise((resolve) => {
      this.#waiting.push({ epoch, resolve })
      this.#advance()
    })
  }

  #advance(): void {
    while (this.#epochs.length > 1 && this.#epochs[0].open === 0) {
      const [done] = this.#epochs.splice(0, 1)
      while (this.#waiting[0]?.epoch === done) this.#waiting.shift()!.resolve()
    }
  }
}

/**
 * Reports an outcome. An error that the callback throws does not stop the writer: the other operations of the batch
 * still get their outcomes.
 */
export function notifyOutcome(onOutcome: OnOutcome, outcome: Outcome | Error): void {
  try {
    onOutcome(outcome)
  } catch (error) {
    queueMicrotask(() => {
      throw error
    })
  }
}

interface RequeueOptions {
  readonly documentOrder: DocumentOrder
  readonly table: RouteTable
  readonly flushes: FlushTracker
  readonly clock: Clock
  readonly wake: (lane: Lane) => void
}

/** Puts operations that were not applied back to the head of their lane. */
export class Requeue {
  readonly #options: RequeueOptions
  readonly #delayed: Set<() => void> = new Set()
  #isStopped = false

  constructor(options: RequeueOptions) {
    this.#options = options
  }

  requeue(from: Lane, operations: readonly PendingOperation[]): void {
    if (operations.length === 0 || this.#isStopped) return
    for (const pending of operations) {
      pending.on('requeue')
      if (pending.next !== undefined && (pending.isPlain || pending.newest !== undefined))
        this.#coalesceLaterUpserts(pending)
    }
    if (!from.isRetired) return this.#requeueTo(from, operations)
    // finds the lane by key, in reverse, so that the order is kept in each successor
    for (let index = operations.length - 1; index >= 0; index--) {
      const lane = this.#options.table.laneOf(operations[index])
      this.#requeueTo(lane, [operations[index]])
      this.#options.wake(lane)
    }
  }

  /** Requeues one operation after a delay. */
  delay(pending: PendingOperation, ms: number): void {
    pending.on('delay')
    const cancel = this.#options.clock.schedule(ms, () => {
      this.#delayed.delete(cancel)
      const lane = this.#options.table.laneOf(pending)
      this.requeue(lane, [pending])
      this.#options.wake(lane)
    })
    this.#delayed.add(cancel)
  }

  stop(): void {
    this.#isStopped = true
    for (const cancel of this.#delayed) cancel()
  }

  #requeueTo(lane: Lane, operations: readonly PendingOperation[]): void {
    const { current } = this.#options.flushes
    lane.requeue(
      operations,
      operations.some(({ epoch }) => epoch !== current)
    )
  }

  #coalesceLaterUpserts(pending: PendingOperation): void {
    for (const later of this.#options.documentOrder.absorbLaterUpserts(pending)) {
      pending.supersedeBy(later)
      pending.lane!.counts.superseded++
    }
  }
}
