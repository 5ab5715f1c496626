import {
  type Backoff,
  backoffMs,
  type Clock,
  createRunTime,
  type RunTime,
  type SystemClock
} from '@keystamp/core/internal'
import type { Prices } from '../budget/range-governor.ts'
import type { CosmosError } from '../client/cosmos-error.ts'
import type { Answer } from '../client/transport.ts'
import type { Action, ResponseContext } from './actions.ts'
import type { Completion, Requeue } from './completion.ts'
import type { NewestWrites } from './newest-writes.ts'
import type { Batch, Dispatcher } from './dispatcher.ts'
import type { Lane } from './lane.ts'
import { actionsFor } from './responses.ts'
import type { RangeRefresh } from './route-table.ts'
import type { Twins } from './twins.ts'
import type { ThrottleWatch } from '../throttle/throttle-watch.ts'

/** Reported for each batch after its answer has arrived. */
export interface BatchEvent {
  readonly rangeId: string
  readonly operations: number
  readonly bytes: number
  readonly isAtomic: boolean
  readonly latencyMs: number
  readonly chargedRu: number
  /** RU that the writer had estimated and paid. */
  readonly expectedRu: number
  readonly throttledOperations: number
  /**
   * `answered`; or the status of a request of which every operation failed and is retried; or the reason why there is
   * no answer.
   */
  readonly result: string
}

interface ResponseHandlerOptions {
  readonly clock: SystemClock
  readonly random: () => number
  readonly retryForMs: number
  readonly prices: Prices
  readonly completion: Completion
  readonly requeue: Requeue
  readonly twins: Twins
  /** Writes of a writer with `newest`; undefined if there are none. */
  readonly newest: NewestWrites | undefined
  readonly rangeRefresh: RangeRefresh
  readonly dispatcher: Dispatcher
  readonly credentials: Credentials
  readonly throttleWatch: ThrottleWatch
  readonly onBatch: ((event: BatchEvent) => void) | undefined
  readonly refreshEndpoints: () => void
  readonly stop: (error: Error) => void
}

/** Applies the actions for an answer. */
export class ResponseHandler {
  readonly #options: ResponseHandlerOptions
  /** Number of consecutive answers that say that the container does not exist. */
  #missing = 0
  readonly #runTime: RunTime

  constructor(options: ResponseHandlerOptions) {
    this.#options = options
    const { clock, retryForMs } = options
    this.#runTime = createRunTime(clock, retryForMs, clock.scheduleIdly)
  }

  handle(batch: Batch, answer: Answer): void {
    const { lane } = batch
    const nowMs = this.#options.clock.now()
    const latencyMs = nowMs - batch.sentMs
    if (answer.kind !== 'withheld') lane.counts.answered(latencyMs)
    if (answer.kind === 'answered' && answer.sessionToken !== undefined) lane.sawToken(answer.sessionToken)
    const actions = actionsFor(batch, answer, this.#contextOf(batch, latencyMs))
    for (const action of actions) this.#apply(action, batch, latencyMs)
  }

  /** Nothing is retried after this. */
  stop(): void {
    this.#runTime.stop()
  }

  #contextOf({ lane: { failures, throttles }, sessionToken }: Batch, latencyMs: number): ResponseContext {
    const { random, retryForMs, credentials, newest } = this.#options
    const { isWaitedFor: waitsForCredentials } = credentials
    return {
      ranMs: this.#runTime.ms(),
      latencyMs,
      random,
      retryForMs,
      failures,
      throttles,
      missing: this.#missing,
      waitsForCredentials,
      orderRule: newest?.rule,
      hadToken: sessionToken !== undefined
    }
  }

  #apply(action: Action, batch: Batch, latencyMs: number): void {
    const { clock, completion, requeue, rangeRefresh, dispatcher } = this.#options
    const { lane, payment } = batch
    switch (action.kind) {
      case 'complete':
        for (let index = 0; index < action.operations.length; index++)
          completion.complete(action.operations[index], action.outcomes[index])
        return
      case 'completeGroup':
        if (action.operation.group!.newest !== undefined) this.#options.newest!.countOlder(action.outcomes)
        return completion.completeGroup(action.operation, action.outcomes)
      case 'giveUp':
        return completion.giveUp(action.operation, action.reason)
      case 'withdraw':
        return completion.withdraw(action.operation)
      case 'recordFailure':
        return action.operation.recordFailure(this.#runTime.ms(), action.isAmbiguous)
      case 'confirm':
        action.operation.ensureRetryState().unconfirmed = action.outcome
        return
      case 'twinRead':
        return this.#options.twins.wasRead(action.operation, action.etag)
      case 'newest':
        return this.#options.newest!.take(action.operation, action.step)
      case 'newestKnown':
        return this.#options.newest!.found(action.operation, action)
      case 'newestGroup':
        return this.#options.newest!.takeGroup(action.operation, action.step)
      case 'requeue':
        return requeue.requeue(lane, action.operations)
      case 'delay':
        return requeue.delay(action.operation, action.ms)
      case 'resend':
        if (!dispatcher.resend(lane, action.operations)) requeue.requeue(lane, action.operations)
        return
      case 'learnPrices':
        if (lane.isWatched) this.#options.throttleWatch.charged(lane, action.operations, action.chargesRu)
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
        this.#options.throttleWatch.throttled(lane)
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

  #report(
    { chargedRu, throttledOperations, result }: Action & { kind: 'report' },
    batch: Batch,
    latencyMs: number
  ): void {
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

interface CredentialsOptions {
  readonly clock: Clock
  readonly random: () => number
  readonly renewSignatures: () => void
  /** Returns true to wait for other credentials after a refusal. Undefined: signatures are renewed once. */
  readonly onUnauthorized: ((error: CosmosError) => boolean) | undefined
  /** Called when credentials are accepted again. */
  readonly onAuthorized: (() => void) | undefined
  readonly pauseAll: (ms: number) => void
  readonly stop: (error: Error) => void
}

/**
 * Renews credentials that Cosmos DB has refused: once, or for as long as their owner wants to wait for other
 * credentials.
 */
export class Credentials {
  readonly #options: CredentialsOptions
  /** Number of renewals since the last accepted request. */
  #renewals = 0
  #renewedMs = Number.NEGATIVE_INFINITY
  /** True while all lanes are paused until signatures are renewed. */
  #isRenewing = false

  constructor(options: CredentialsOptions) {
    this.#options = options
  }

  /** Whether the owner of the credentials decides how long to wait. */
  get isWaitedFor(): boolean {
    return this.#options.onUnauthorized !== undefined
  }

  /** Must be called when a request was accepted. */
  accept(): void {
    if (this.#renewals === 0) return
    this.#renewals = 0
    this.#options.onAuthorized?.()
  }

  /** Must be called when a request that was sent at `sentMs` was refused. */
  refuse(error: CosmosError, sentMs: number): void {
    const { onUnauthorized, stop } = this.#options
    // requests with the old signature fail, too, but this says nothing about the new signature
    if (this.#isRenewing || sentMs < this.#renewedMs) return
    if (onUnauthorized !== undefined) {
      if (onUnauthorized(error)) this.#renewLater()
      else stop(error)
    } else if (this.#renewals > 0) stop(error)
    else {
      this.#renewals++
      this.#renew()
    }
  }

  /** The owner of the credentials has half of the pause to replace them. */
  #renewLater(): void {
    const { clock, random, pauseAll } = this.#options
    const pauseMs = backoffMs(this.#renewals++, { ...CREDENTIAL_BACKOFF, random })
    this.#isRenewing = true
    pauseAll(pauseMs)
    clock.schedule(pauseMs / 2, () => {
      this.#isRenewing = false
      this.#renew()
    })
  }

  #renew(): void {
    this.#renewedMs = this.#options.clock.now()
    this.#options.renewSignatures()
  }
}

/** Backoff for refused credentials, until a person replaces them or an identity service recovers. */
const CREDENTIAL_BACKOFF: Backoff = { firstMs: 500, maxMs: 15_000 }
