import { CosmosError } from '../client/cosmos-error.ts'
import { assemble, assembledLength, BufferPool, MAX_OPERATIONS } from './batch-encoder.ts'
import { elementsOf, isFenced, type PendingOperation } from './pending-operation.ts'
import type { SystemClock } from '@keystamp/core/internal'
import type { Payment } from '../budget/ru-budget.ts'
import type { Answer, Transport } from '../client/transport.ts'
import type { Lane } from './lane.ts'
import { type LateRequest, SendPermit } from './send-permit.ts'

/** Operations of one request. */
export interface Batch {
  readonly lane: Lane
  /** Operations that get an outcome; an atomic batch counts as one. */
  readonly operations: readonly PendingOperation[]
  /** Elements of the request: the parts of an atomic batch, otherwise the operations. */
  readonly elements: readonly PendingOperation[]
  readonly payment: Payment
  readonly bytes: number
  readonly sentMs: number
  /** Session token of the reads in the request. */
  readonly sessionToken: string | undefined
  /** True if as many requests were in flight as the concurrency allows. */
  readonly isAtLimit: boolean
}

export interface DispatcherOptions {
  readonly transport: Transport
  readonly clock: SystemClock
  readonly onAnswer: (batch: Batch, answer: Answer) => void
  /** Called after a lane was pumped: there may be capacity for more operations. */
  readonly onPumped: () => void
  /** While it returns false, nothing is sent, and it is called again soon. */
  readonly maySend: () => boolean
  /** Called for an operation whose fence was raised before it could be sent. */
  readonly onFenced: (pending: PendingOperation) => void
  /**
   * Called if a request may have been applied after one of its partitions had moved, or may be applied after its retry.
   */
  readonly onLate?: ((late: LateRequest) => void) | undefined
}

/** Takes batches from lanes, and sends them as soon as the range governor allows it. */
export class Dispatcher {
  readonly #options: DispatcherOptions
  readonly #pool: BufferPool = new BufferPool()
  #isStopped = false
  /** True while an answer is handled or a batch is taken: other lanes are pumped later. */
  #isBusy = false
  #pausedUntilMs = Number.NEGATIVE_INFINITY
  #leaving: Promise<void> | undefined

  constructor(options: DispatcherOptions) {
    this.#options = options
  }

  /**
   * Resolves at the end of this turn of the event loop, when Node sends the requests of this turn; undefined if this
   * turn has no requests.
   */
  get leaving(): Promise<void> | undefined {
    return this.#leaving
  }

  /**
   * Pumps a lane: at once if a batch is full, otherwise after the current microtasks, so that a single record does not
   * wait.
   */
  wake(lane: Lane): void {
    // a timer or a budget wakes a waiting lane; answers wake a lane with requests in flight
    if (lane.isWaiting) return
    if (lane.inFlight > 0 && (lane.inFlight >= lane.governor.concurrency.limit || !this.#shouldSend(lane))) return
    if ((lane.isFull || hasHalfABatch(lane)) && !this.#isBusy) return this.pump(lane)
    if (!lane.isPumpQueued) this.#pumpSoon(lane)
  }

  /** Sends as many batches as possible now. */
  pump(lane: Lane): void {
    lane.cancelWake?.()
    lane.cancelWake = undefined
    lane.isWaitingForBudget = false
    while (this.#hasWork(lane)) {
      const nowMs = this.#options.clock.now()
      const pauseMs = Math.max(
        lane.governor.pauseMs(nowMs),
        this.#pausedUntilMs - nowMs,
        this.#options.maySend() ? 0 : RECHECK_MS
      )
      const waitMs = pauseMs > 0 ? pauseMs : this.#payAndSend(lane, nowMs)
      if (waitMs > 0) {
        this.#wakeIn(lane, waitMs)
        break
      }
    }
    this.#options.onPumped()
  }

  /** Sends operations that were taken from a lane. */
  send(lane: Lane, operations: readonly PendingOperation[], payment: Payment): void {
    const [first] = operations
    const elements = elementsOf(operations)
    lane.inFlight++
    const buffer = this.#pool.take(assembledLength(elements))
    const body = assemble(elements, buffer)
    const sentMs = this.#options.clock.now()
    const isAtLimit = lane.inFlight >= lane.governor.concurrency.limit
    const sessionToken = elements.some(isAfterConflict) ? lane.sessionToken : undefined
    const batch: Batch = { lane, operations, elements, payment, bytes: body.length, sentMs, isAtLimit, sessionToken }
    this.#leaving ??= this.#endOfTurn()
    const { clock, maySend, onLate } = this.#options
    const permit = new SendPermit({ rangeId: lane.range.id, operations, clock, maySend, onLate })
    // the documents of an atomic batch are read one by one, because a missing one would fail the batch
    const isAtomic = first.group !== undefined && first.group.newest?.isReading !== true
    const atomicKey = isAtomic ? first.keyText : undefined
    void this.#exchange(
      batch,
      {
        rangeId: lane.range.id,
        atomicKey,
        body,
        operations: elements.length,
        ...(sessionToken === undefined ? {} : { sessionToken }),
        // a partition may move while the request waits for its token, its address or its connection
        maySend: permit.isGiven,
        wasWritten: permit.wasWritten,
        wasAnswered: permit.wasAnswered
      },
      buffer
    )
  }

  /**
   * Sends the operations of a divided request at once, regardless of the budget. Returns false if nothing may be sent
   * now.
   */
  resend(lane: Lane, operations: readonly PendingOperation[]): boolean {
    if (lane.isRetired || lane.isMoving || !this.#options.maySend()) return false
    const rest = this.#unfenced(operations)
    if (rest.length === 0) return true
    const ru = rest.reduce((sum, { weightRu }) => sum + weightRu, 0)
    const { budget } = lane.governor
    const atMs = this.#options.clock.now()
    budget.pay(atMs, ru)
    this.send(lane, rest, { budget, ru, atMs })
    return true
  }

  /** Pauses all lanes until this time. */
  pauseUntil(ms: number): void {
    this.#pausedUntilMs = Math.max(this.#pausedUntilMs, ms)
  }

  /** Sends nothing from now on, and ignores answers. */
  stop(): void {
    this.#isStopped = true
  }

  // A separate function, because a function that contains a closure allocates a context at every call, and `wake` is
  // called for each record.
  #pumpSoon(lane: Lane): void {
    lane.isPumpQueued = true
    queueMicrotask(() => {
      lane.isPumpQueued = false
      this.pump(lane)
    })
  }

  #endOfTurn(): Promise<void> {
    return new Promise((resolve) => {
      this.#options.clock.schedule(0, () => {
        this.#leaving = undefined
        resolve()
      })
    })
  }

  async #exchange(batch: Batch, request: Parameters<Transport['send']>[0], buffer: Buffer): Promise<void> {
    const answer = await this.#sendRequest(request)
    // An answered request was read completely by Cosmos DB, and a withheld request was never written. In any other
    // case, the connection may still use the buffer.
    if (answer.kind === 'answered' || answer.kind === 'withheld') this.#pool.release(buffer)
    if (answer.kind !== 'withheld') batch.lane.counts.sent(batch.elements.length)
    if (this.#isStopped) return
    batch.lane.inFlight--
    this.#isBusy = true
    try {
      this.#options.onAnswer(batch, answer)
    } finally {
      this.#isBusy = false
    }
  }

  async #sendRequest(request: Parameters<Transport['send']>[0]): Promise<Answer> {
    try {
      return await this.#options.transport.send(request)
    } catch (error) {
      // for example no token: nothing was sent
      const unauthorized = error instanceof CosmosError && error.code === 'COSMOS_UNAUTHORIZED' ? error : undefined
      return {
        kind: 'unanswered',
        reason: error instanceof Error ? error.message : String(error),
        isSent: false,
        unauthorized
      }
    }
  }

  /** Sends the next batch, or the part of it that the budget pays for; otherwise returns the milliseconds to wait. */
  #payAndSend(lane: Lane, nowMs: number): number {
    const { budget } = lane.governor
    let count = lane.nextCount()
    let costRu = lane.costOf(count)
    const waitMs = budget.waitMs(nowMs, costRu)
    if (waitMs > 0) {
      count = lane.countWithin(budget.partRu(nowMs, costRu))
      costRu = lane.costOf(count)
    }
    if (count === 0) return waitMs
    budget.pay(nowMs, costRu)
    const taken = lane.take(count)
    // Marks the operations as sent before any callback runs. Callbacks of withdrawn operations may submit upserts of
    // the same documents, which must not be coalesced into these operations.
    for (const pending of taken) pending.on('send')
    const operations = this.#unfenced(taken)
    if (operations.length > 0) this.send(lane, operations, { budget, ru: costRu, atMs: nowMs })
    else budget.refund(nowMs, nowMs, costRu)
    return 0
  }

  #unfenced(operations: readonly PendingOperation[]): readonly PendingOperation[] {
    if (!operations.some(isFenced)) return operations
    const fenced = operations.filter(isFenced)
    const wasBusy = this.#isBusy
    this.#isBusy = true
    for (const pending of fenced) this.#options.onFenced(pending)
    this.#isBusy = wasBusy
    return operations.filter((pending) => !fenced.includes(pending))
  }

  #hasWork(lane: Lane): boolean {
    if (this.#isStopped || lane.isRetired || lane.isMoving || lane.ready.size === 0) return false
    if (!this.#shouldSend(lane) || (lane.inFlight > 0 && lane.inFlight >= lane.governor.concurrency.limit)) return false
    return lane.parents.every((parent) => parent.inFlight === 0)
  }

  #shouldSend(lane: Lane): boolean {
    return lane.inFlight === 0 || lane.isFull || lane.isExpedited
  }

  #wakeIn(lane: Lane, ms: number): void {
    lane.isWaitingForBudget = ms === Number.POSITIVE_INFINITY
    if (lane.isWaitingForBudget) return
    lane.cancelWake = this.#options.clock.schedule(ms, () => {
      lane.cancelWake = undefined
      this.pump(lane)
    })
  }
}

/** Whether the operation reads a document that another writer has written: any replica must know that write. */
function isAfterConflict({ newest }: PendingOperation): boolean {
  return newest !== undefined && newest.phase === 'read' && newest.conflicts > 0
}

const RECHECK_MS = 20

/**
 * True for half a batch without a request in flight: sending it lets the range start while the caller prepares more
 * operations.
 */
function hasHalfABatch({ inFlight, ready }: Lane): boolean {
  return inFlight === 0 && ready.size >= MAX_OPERATIONS / 2
}
