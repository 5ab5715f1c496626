import type { SystemClock } from '@keystamp/core/internal'
import type { Prices } from '../budget/range-governor.ts'
import type { Answer } from '../client/transport.ts'
import type { Action, ResponseContext } from './actions.ts'
import type { Completion, FlushTracker } from './completion.ts'
import type { Credentials } from './credentials.ts'
import type { Batch, Dispatcher } from './dispatcher.ts'
import type { DocumentOrder } from './document-order.ts'
import type { Lane } from './lane.ts'
import type { PendingOperation } from './pending-operation.ts'
import { actionsFor } from './responses.ts'
import type { RangeRefresh, RouteTable } from './route-table.ts'

/** Reported for each batch when its answer arrived. */
export interface BatchEvent {
  readonly rangeId: string
  readonly operations: number
  readonly bytes: number
  readonly isAtomic: boolean
  readonly latencyMs: number
  readonly chargedRu: number
  /** RU that the writer expected. */
  readonly expectedRu: number
  readonly throttledOperations: number
  /** `answered`; the status of a request of which every operation failed and is tried again; or why there is no answer. */
  readonly result: string
}

interface ResponseHandlerOptions {
  readonly clock: SystemClock
  readonly random: () => number
  readonly retryForMs: number
  readonly prices: Prices
  readonly completion: Completion
  readonly requeue: Requeue
  readonly rangeRefresh: RangeRefresh
  readonly dispatcher: Dispatcher
  readonly credentials: Credentials
  readonly onBatch: ((event: BatchEvent) => void) | undefined
  readonly refreshEndpoints: () => void
  readonly stop: (error: Error) => void
}

/** Applies the actions that an answer leads to. */
export class ResponseHandler {
  readonly #options: ResponseHandlerOptions
  /** Answers in a row that did not know the container. */
  #missing = 0

  constructor(options: ResponseHandlerOptions) {
    this.#options = options
  }

  handle(batch: Batch, answer: Answer): void {
    const { lane } = batch
    const nowMs = this.#options.clock.now()
    const latencyMs = nowMs - batch.sentMs
    if (answer.kind !== 'withheld') lane.counts.answered(latencyMs)
    const actions = actionsFor(batch, answer, this.#contextOf(lane, nowMs, latencyMs))
    for (const action of actions) this.#apply(action, batch, latencyMs)
  }

  #contextOf({ failures, throttles }: Lane, nowMs: number, latencyMs: number): ResponseContext {
    const { random, retryForMs, credentials } = this.#options
    const { isWaitedFor: waitsForCredentials } = credentials
    return { nowMs, latencyMs, random, retryForMs, failures, throttles, missing: this.#missing, waitsForCredentials }
  }

  #apply(action: Action, batch: Batch, latencyMs: number): void {
    const { clock, completion, requeue, rangeRefresh, dispatcher } = this.#options
    const { lane, payment } = batch
    switch (action.kind) {
      case 'complete':
        for (let index = 0; index < action.operations.length; index++) completion.complete(action.operations[index], action.outcomes[index])
        return
      case 'completeGroup':
        return completion.completeGroup(action.operation, action.outcomes)
      case 'giveUp':
        return completion.giveUp(action.operation, action.reason)
      case 'withdraw':
        return completion.withdraw(action.operation)
      case 'recordFailure':
        return action.operation.recordFailure(clock.now(), action.isAmbiguous)
      case 'confirm':
        action.operation.ensureRetryState().unconfirmed = action.outcome
        return
      case 'requeue':
        return requeue.requeue(lane, action.operations)
      case 'delay':
        return requeue.delay(action.operation, action.ms)
      case 'resend':
        if (!dispatcher.resend(lane, action.operations)) requeue.requeue(lane, action.operations)
        return
      case 'learnPrices':
        return this.#learnPrices(action)
      case 'report':
        return this.#report(action, batch, latencyMs)
      case 'refund':
        return payment.budget.refund(payment.atMs, clock.now(), payment.ru)
      case 'countRetry':
        return lane.counts.retried(action.reason)
      case 'throttle':
        lane.throttles++
        lane.counts.throttledBatches++
        lane.counts.throttledOperations += action.operations
        return lane.governor.throttled(clock.now(), action.ms)
      case 'pauseAll':
        return dispatcher.pauseUntil(clock.now() + action.ms)
      case 'requestFailed':
        lane.failures++
        return lane.governor.pauseUntil(clock.now() + action.pauseMs)
      case 'adaptConcurrency':
        if (action.latencyMs === undefined) return lane.governor.concurrency.increase()
        return lane.governor.concurrency.answeredFullBatch(action.latencyMs)
      case 'refreshRanges':
        return rangeRefresh.onMoved(lane, action)
      case 'refreshEndpoints':
        return this.#options.refreshEndpoints()
      case 'findContainer':
        this.#missing++
        lane.governor.pauseUntil(clock.now() + action.pauseMs)
        return void rangeRefresh.checkContainerAgain(lane, this.#missing)
      case 'renewCredentials':
        return this.#options.credentials.refuse(action.error, batch.sentMs)
      case 'reset':
        return this.#reset(action.series, lane)
      case 'stop':
        return this.#options.stop(action.error)
    }
  }

  #learnPrices({ operations, chargesRu }: Action & { kind: 'learnPrices' }): void {
    for (let index = 0; index < chargesRu.length; index++) {
      const chargeRu = chargesRu[index]
      const { type, bytes } = operations[index]
      if (chargeRu !== undefined) this.#options.prices.learn(type, bytes, chargeRu)
    }
  }

  #report({ chargedRu, throttledOperations, result }: Action & { kind: 'report' }, batch: Batch, latencyMs: number): void {
    const { lane, elements, operations, bytes, payment } = batch
    if (chargedRu !== undefined) {
      lane.counts.charged(chargedRu)
      lane.governor.budget.correct(this.#options.clock.now(), payment.ru - chargedRu)
    }
    this.#options.onBatch?.({
      rangeId: lane.range.id,
      operations: elements.length,
      bytes,
      isAtomic: operations[0].group !== undefined,
      expectedRu: payment.ru,
      latencyMs,
      chargedRu: chargedRu ?? 0,
      throttledOperations,
      result
    })
  }

  #reset(series: (Action & { kind: 'reset' })['series'], lane: Lane): void {
    if (series === 'missing') this.#missing = 0
    else lane[series] = 0
    if (series === 'failures') this.#options.credentials.accept()
  }
}

interface RequeueOptions {
  readonly documentOrder: DocumentOrder
  readonly table: RouteTable
  readonly flushes: FlushTracker
  readonly clock: SystemClock
  readonly wake: (lane: Lane) => void
}

/** Puts operations that were not applied back at the head of their lane. */
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
      if (pending.next !== undefined && pending.isPlain) this.#coalesceLaterUpserts(pending)
    }
    if (!from.isRetired) return this.#requeueTo(from, operations)
    // by key, so that the order is kept in each of the successors
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
