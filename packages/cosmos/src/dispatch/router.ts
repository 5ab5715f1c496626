import type { ContainerRange } from '../client/container.ts'
import type { PendingOperation } from './pending-operation.ts'
import type { Outcome } from './outcome.ts'
import { Prices } from '../budget/range-governor.ts'
import type { RuBudget } from '../budget/ru-budget.ts'
import { Credentials, ResponseHandler } from './response-handler.ts'
import { type Batch, Dispatcher } from './dispatcher.ts'
import { Lane } from './lane.ts'
import type { Answer } from '../client/transport.ts'
import { DemandTracker, ByteBudget } from './byte-budget.ts'
import { Completion, FlushTracker, Requeue } from './completion.ts'
import { DocumentOrder } from './document-order.ts'
import { RangeRefresh, type RetiredLane, RouteTable } from './route-table.ts'
import type { RouterOptions } from './router-options.ts'
import { Twins } from './twins.ts'
import { NewestWrites } from './newest-writes.ts'
import { ThrottleWatch } from '../throttle/throttle-watch.ts'

/** Puts operations into their lanes, keeps the order of each document, and tracks each operation until its outcome. */
export class Router {
  /** Undefined if bytes are not counted. */
  readonly byteBudget: ByteBudget | undefined
  readonly prices: Prices = new Prices()
  readonly twins: Twins
  /** Writes of a writer with `newest`. */
  readonly newest: NewestWrites | undefined
  /** Lanes whose ranges are no longer listed. */
  readonly retired: RetiredLane[] = []
  readonly #options: RouterOptions
  readonly #documentOrder: DocumentOrder = new DocumentOrder()
  readonly #flushes: FlushTracker = new FlushTracker()
  readonly #demand: DemandTracker = new DemandTracker()
  readonly #table: RouteTable
  readonly #dispatcher: Dispatcher
  readonly #completion: Completion
  readonly #requeue: Requeue
  readonly #rangeRefresh: RangeRefresh
  readonly #responses: ResponseHandler
  /** Reasons why ranges are throttled. */
  readonly throttleWatch: ThrottleWatch
  #stoppedBy: Error | undefined
  /** Operations that ended before they were sent, until their outcomes are reported. */
  readonly #ending: (() => void)[] = []

  constructor(options: RouterOptions) {
    const { transport, clock, maxBytes, retryForMs } = options
    const { retired } = this
    const documentOrder = this.#documentOrder
    const flushes = this.#flushes
    this.#options = options
    this.byteBudget =
      maxBytes === Number.POSITIVE_INFINITY
        ? undefined
        : new ByteBudget({ maxBytes, isWanted: () => this.#demand.hasDemand(), clock })
    const { byteBudget } = this
    this.newest = options.newest && new NewestWrites({ ...options.newest, clock, byteBudget })
    const table = (this.#table = new RouteTable((range, count) => this.#createLane(range, count)))
    this.#dispatcher = new Dispatcher({
      transport,
      clock,
      onAnswer: (batch, answer) => this.#onAnswer(batch, answer),
      onPumped: () => byteBudget?.admitWaiting(),
      maySend: options.maySend ?? always,
      onFenced: (pending) => this.#completion.withdraw(pending),
      onLate: options.onLate
    })
    const wake = (lane: Lane): void => this.#dispatcher.wake(lane)
    const pump = (lane: Lane): void => this.#dispatcher.pump(lane)
    this.#requeue = new Requeue({ documentOrder, table, flushes, clock, wake })
    this.#completion = new Completion({
      documentOrder,
      byteBudget,
      flushes,
      retryForMs,
      enqueueNext: (pending) => this.#queue(pending, table.laneOf(pending)),
      requeueOlder: (pending) => this.#requeue.requeue(table.laneOf(pending), [pending])
    })
    this.twins = new Twins({
      completion: this.#completion,
      requeue: this.#requeue,
      table,
      byteBudget,
      wake,
      enqueue: (pending) => this.#queue(pending, table.laneOf(pending))
    })
    const stop = (error: Error): void => this.stop(error)
    this.#rangeRefresh = new RangeRefresh({
      ...options,
      table,
      byteBudget,
      retired,
      pump,
      stop,
      renewBudgets: () => this.renewBudgets(),
      onLanes: (lanes) => this.#demand.setLanes(lanes)
    })
    const pauseAll = (ms: number): void => this.#dispatcher.pauseUntil(clock.now() + ms)
    const { random, renewSignatures, onUnauthorized, onAuthorized, onBatch, refreshEndpoints } = options
    this.throttleWatch = new ThrottleWatch({
      clock,
      lanes: () => table.lanes,
      provisionedRuPerSecond: options.provisionedRuPerSecond ?? unknown,
      onThrottled: options.onThrottled
    })
    this.#responses = new ResponseHandler({
      throttleWatch: this.throttleWatch,
      clock,
      random,
      retryForMs,
      prices: this.prices,
      completion: this.#completion,
      requeue: this.#requeue,
      twins: this.twins,
      newest: this.newest,
      rangeRefresh: this.#rangeRefresh,
      dispatcher: this.#dispatcher,
      credentials: new Credentials({ clock, random, renewSignatures, onUnauthorized, onAuthorized, pauseAll, stop }),
      onBatch,
      refreshEndpoints,
      stop
    })
    this.#rangeRefresh.apply(options.ranges)
  }

  get lanes(): readonly Lane[] {
    return this.#table.lanes
  }

  /** Number of outcomes so far, by kind. */
  get outcomes(): Readonly<Record<Outcome['kind'], number>> {
    return this.#completion.outcomes
  }

  /** Counts operations that were rejected before they were submitted. */
  countRejected(count: number): void {
    this.#completion.outcomes.rejected += count
  }

  /** Resolves at the end of the turn in which requests are sent; undefined if this turn has no requests. */
  get leaving(): Promise<void> | undefined {
    return this.#dispatcher.leaving
  }

  get stoppedBy(): Error | undefined {
    return this.#stoppedBy
  }

  /** Submits an operation; its callback gets the outcome, or the error that stopped the writer. Returns its lane. */
  submit(pending: PendingOperation): Lane {
    const lane = this.#table.laneOf(pending)
    this.#open(pending, lane)
    const added = this.#documentOrder.add(pending)
    if (added === 'first') this.#queue(pending, lane)
    else if (added !== 'waiting') supersede(added.coalescedInto, pending, lane)
    return lane
  }

  /** Submits an upsert, and the delete of its old twin. The callback of the upsert gets the outcome of both. */
  submitWithTwin(upsert: PendingOperation, twin: PendingOperation): Lane {
    const lane = this.#table.laneOf(upsert)
    this.twins.join(upsert, twin)
    this.#open(upsert, lane)
    this.#open(twin, this.#table.laneOf(twin))
    // both get their positions before anything is sent, because callbacks may submit other operations meanwhile
    const added = this.#documentOrder.add(upsert)
    if (typeof added === 'object') supersede(added.coalescedInto, upsert, lane)
    const isTwinFirst = this.#documentOrder.add(twin) === 'first'
    if (added === 'first') this.#queue(upsert, lane)
    if (isTwinFirst && twin.state === 'waiting') this.#queue(twin, this.#table.laneOf(twin))
    return lane
  }

  /** Submits an atomic batch, which waits until it is the first operation on each of its documents. */
  submitGroup(pending: PendingOperation): Lane {
    const lane = this.#table.laneOf(pending)
    const group = pending.group!
    this.#open(pending, lane)
    for (const first of group.firsts) if (this.#documentOrder.add(first) !== 'first') group.blockedDocuments++
    if (group.blockedDocuments === 0) this.#queue(pending, lane)
    return lane
  }

  /** Resolves when all operations so far have their outcome. */
  flush(): Promise<void> {
    const flushed = this.#flushes.flush()
    for (const lane of this.#table.lanes) {
      lane.expedite()
      this.#dispatcher.wake(lane)
    }
    return flushed
  }

  /** Must be called when the throughput has changed. */
  renewBudgets(): void {
    const { size } = this.#table
    for (const lane of this.#table.lanes) {
      lane.governor.budget = this.#createBudget(lane, size)
      // the lane waited for the budget that is replaced
      if (lane.isWaitingForBudget) this.#dispatcher.pump(lane)
    }
  }

  /** Stops the writer because of this error, and reports it. Operations without an outcome fail with this error. */
  stop(error: Error): void {
    if (this.#stoppedBy !== undefined) return
    this.close(error)
    this.#options.onStop(error)
  }

  /** Sends nothing more. Operations without an outcome fail with this error. */
  close(error: Error): void {
    if (this.#stoppedBy !== undefined) return
    this.#stoppedBy = error
    this.#dispatcher.stop()
    this.#rangeRefresh.stop()
    this.#requeue.stop()
    this.#responses.stop()
    this.twins.stop()
    for (const lane of this.#table.lanes) lane.cancelWake?.()
    const open = [...this.#documentOrder.all()]
    this.#documentOrder.clear()
    for (const pending of open) this.#completion.fail(pending.owner ?? pending, error)
    this.byteBudget?.admitAll()
  }

  #createLane(range: ContainerRange, count: number): Lane {
    const lane = new Lane(range, this.prices)
    lane.governor.budget = this.#createBudget(lane, count)
    return lane
  }

  #createBudget(lane: Lane, count: number): RuBudget {
    return this.#options.createBudget(lane.range, count, () => this.#dispatcher.pump(lane))
  }

  #open(pending: PendingOperation, lane: Lane): void {
    pending.lane = lane
    lane.pending++
    this.byteBudget?.add(lane, pending.bytes)
    pending.epoch = this.#flushes.current
    pending.epoch.open++
  }

  #queue(pending: PendingOperation, lane: Lane): void {
    if (pending.newest !== undefined) {
      if (pending.retry?.twin !== undefined && this.twins.holds(pending)) return
      const outcome = this.newest!.begin(pending)
      if (outcome !== undefined) return this.#end(() => this.#completion.complete(pending, outcome))
    } else if (pending.group?.newest !== undefined) {
      const outcomes = this.newest!.beginGroup(pending)
      if (outcomes !== undefined) return this.#end(() => this.#completion.completeGroup(pending, outcomes))
    }
    pending.on('enqueue')
    lane.push(pending)
    if (pending.epoch !== this.#flushes.current) lane.expedite()
    this.#dispatcher.wake(lane)
  }

  /** Reports an outcome, after which the next operation on the document may end in the same way. Does not recurse. */
  #end(report: () => void): void {
    const isFirst = this.#ending.length === 0
    this.#ending.push(report)
    if (!isFirst) return
    for (let next = 0; next < this.#ending.length; next++) this.#ending[next]()
    this.#ending.length = 0
  }

  #onAnswer(batch: Batch, answer: Answer): void {
    const { lane } = batch
    this.#responses.handle(batch, answer)
    if (!lane.isRetired) return this.#dispatcher.pump(lane)
    if (lane.inFlight === 0) this.#rangeRefresh.onDrained(lane)
    this.byteBudget?.admitWaiting()
  }
}

function always(): true {
  return true
}

function unknown(): undefined {
  return undefined
}

function supersede(waiting: PendingOperation, later: PendingOperation, lane: Lane): void {
  const { bytes } = waiting
  waiting.supersedeBy(later)
  lane.counts.superseded++
  if (waiting.state === 'queued') lane.reweigh(waiting, bytes)
}
