import type { CosmosError } from '../client/cosmos-error.ts'
import type { ContainerRange } from '../client/container.ts'
import type { Pending } from './pending-operation.ts'
import type { Outcome } from './outcome.ts'
import type { Clock } from '../budget/clock.ts'
import { Prices } from '../budget/prices.ts'
import type { Purse } from '../budget/ru-budget.ts'
import { AnswerHandler } from './answer-handler.ts'
import type { AnswerHost } from './answer-host.ts'
import type { BatchEvent } from './batch-event.ts'
import { type Batch, Dispatcher } from './dispatcher.ts'
import { Lane } from './lane.ts'
import type { LateRequest } from './send-permit.ts'
import type { Answer, Transport } from '../client/transport.ts'
import { Appetite, Room } from './byte-budget.ts'
import { Flushes, Settlement } from './completion.ts'
import { Register } from './document-order.ts'
import { Relocation, type RetiredLane } from './range-refresh.ts'
import { Returns } from './requeue.ts'
import { RouteTable } from './route-table.ts'

export interface RouterOptions {
  readonly ranges: readonly ContainerRange[]
  readonly transport: Transport
  readonly clock: Clock
  /** From 0 up to, but not including, 1. */
  readonly random: () => number
  readonly maxBytes: number
  readonly retryForMs: number
  /** What a range of so many may spend; `wake` is to be called when a purse that gave no time can pay again. */
  readonly createPurse: (range: ContainerRange, count: number, wake: () => void) => Purse
  readonly refreshRanges: () => Promise<readonly ContainerRange[]>
  /** Looks whether the container is there and is still the same; throws what stops the work. */
  readonly checkContainer: () => Promise<void>
  readonly renewSignatures: () => void
  /** Whether refused credentials are waited out. Default: signatures are renewed once. */
  readonly onUnauthorized?: ((error: CosmosError) => boolean) | undefined
  /** Credentials are accepted again. */
  readonly onAuthorized?: (() => void) | undefined
  readonly refreshEndpoints: () => void
  /** While it answers no, nothing is sent. Default: it never does. */
  readonly maySend?: (() => boolean) | undefined
  readonly onBatch?: ((event: BatchEvent) => void) | undefined
  readonly onLate?: ((late: LateRequest) => void) | undefined
  /** The work stopped by itself. */
  readonly onStop: (error: Error) => void
}

/** Brings operations into their lanes, in the order of their documents, and sees them through to their outcomes. */
export class Router {
  readonly room: Room
  readonly prices: Prices = new Prices()
  /** Lanes whose ranges are no longer listed. */
  readonly retired: RetiredLane[] = []
  readonly #options: RouterOptions
  readonly #register: Register = new Register()
  readonly #flushes: Flushes = new Flushes()
  readonly #appetite: Appetite = new Appetite()
  readonly #table: RouteTable
  readonly #dispatcher: Dispatcher
  readonly #settlement: Settlement
  readonly #returns: Returns
  readonly #relocation: Relocation
  readonly #handler: AnswerHandler
  #stoppedBy: Error | undefined
  #renewedMs = Number.NEGATIVE_INFINITY

  constructor(options: RouterOptions) {
    const { transport, clock, maxBytes, retryForMs } = options
    const { retired } = this
    const register = this.#register
    const flushes = this.#flushes
    this.#options = options
    this.room = new Room({ maxBytes, isWanted: () => this.#appetite.isThere(), clock })
    const { room } = this
    const table = (this.#table = new RouteTable((range, count) => this.#createLane(range, count)))
    this.#dispatcher = new Dispatcher({
      transport,
      clock,
      onAnswer: (batch, answer) => this.#onAnswer(batch, answer),
      onPumped: () => room.letIn(),
      maySend: options.maySend ?? always,
      onFenced: (pending) => this.#settlement.withdraw(pending),
      onLate: options.onLate
    })
    const wake = (lane: Lane): void => this.#dispatcher.wake(lane)
    const pump = (lane: Lane): void => this.#dispatcher.pump(lane)
    this.#returns = new Returns({ register, table, flushes, clock, wake })
    this.#settlement = new Settlement({
      register,
      room,
      flushes,
      retryForMs,
      comeForward: (pending) => this.#queue(pending, table.laneOf(pending)),
      bringBack: (pending) => this.#returns.giveBack(table.laneOf(pending), [pending])
    })
    const stop = (error: Error): void => this.stop(error)
    this.#relocation = new Relocation({
      ...options,
      table,
      room,
      retired,
      pump,
      stop,
      renewPurses: () => this.renewPurses(),
      onLanes: (lanes) => this.#appetite.setLanes(lanes)
    })
    this.#handler = new AnswerHandler(this.#createHost())
    this.#relocation.apply(options.ranges)
  }

  get lanes(): readonly Lane[] {
    return this.#table.lanes
  }

  /** Outcomes so far. */
  get outcomes(): Readonly<Record<Outcome['kind'], number>> {
    return this.#settlement.outcomes
  }

  /** Counts operations that were rejected before they got here. */
  countRejected(count: number): void {
    this.#settlement.outcomes.rejected += count
  }

  /** The end of the turn in which something was sent; undefined when nothing was. */
  get leaving(): Promise<void> | undefined {
    return this.#dispatcher.leaving
  }

  get stoppedBy(): Error | undefined {
    return this.#stoppedBy
  }

  /** Takes an operation in. It is told what became of it, or of what stopped the work. Gives its lane. */
  submit(pending: Pending): Lane {
    const lane = this.#table.laneOf(pending)
    this.#open(pending, lane)
    const place = this.#register.enter(pending)
    if (place === 'first') this.#queue(pending, lane)
    else if (place !== 'behind') supersede(place.inPlaceOf, pending, lane)
    return lane
  }

  /** The same for an atomic batch: it waits until each of its documents is free. */
  submitGroup(pending: Pending): Lane {
    const lane = this.#table.laneOf(pending)
    const group = pending.group!
    this.#open(pending, lane)
    for (const first of group.firsts) if (this.#register.enter(first) !== 'first') group.documentsBehind++
    if (group.documentsBehind === 0) this.#queue(pending, lane)
    return lane
  }

  /** Resolves when all that was taken in so far has its outcome. */
  flush(): Promise<void> {
    const flushed = this.#flushes.flush()
    for (const lane of this.#table.lanes) {
      lane.hurry()
      this.#dispatcher.wake(lane)
    }
    return flushed
  }

  /** What a range may spend has changed. */
  renewPurses(): void {
    const { size } = this.#table
    for (const lane of this.#table.lanes) {
      lane.governor.purse = this.#createPurse(lane, size)
      // the purse that it waited for is gone
      if (lane.isWaitingForPurse) this.#dispatcher.pump(lane)
    }
  }

  /** Ends everything: what has no outcome fails with this error. */
  stop(error: Error): void {
    if (this.#stoppedBy !== undefined) return
    this.#stoppedBy = error
    this.#dispatcher.stop()
    this.#relocation.stop()
    this.#returns.stop()
    for (const lane of this.#table.lanes) lane.cancelWake?.()
    const open = [...this.#register.all()]
    this.#register.clear()
    for (const pending of open) this.#settlement.fail(pending.owner ?? pending, error)
    this.room.open()
    this.#options.onStop(error)
  }

  #createLane(range: ContainerRange, count: number): Lane {
    const lane = new Lane(range, this.prices)
    lane.governor.purse = this.#createPurse(lane, count)
    return lane
  }

  #createPurse(lane: Lane, count: number): Purse {
    return this.#options.createPurse(lane.range, count, () => this.#dispatcher.pump(lane))
  }

  #createHost(): AnswerHost {
    const { clock, random, retryForMs, onBatch, refreshEndpoints } = this.#options
    const settlement = this.#settlement
    const returns = this.#returns
    const relocation = this.#relocation
    const renewedMs = (): number => this.#renewedMs
    return {
      clock,
      random,
      prices: this.prices,
      retryForMs,
      onBatch,
      get renewedMs() {
        return renewedMs()
      },
      settle: (pending, outcome) => settlement.settle(pending, outcome),
      settleGroup: (pending, outcomes) => settlement.settleGroup(pending, outcomes),
      withdraw: (pending) => settlement.withdraw(pending),
      giveUp: (pending, reason) => settlement.giveUp(pending, reason),
      giveBack: (lane, operations) => returns.giveBack(lane, operations),
      delay: (pending, ms) => returns.delay(pending, ms),
      resend: (lane, operations) => {
        if (!this.#dispatcher.resend(lane, operations)) returns.giveBack(lane, operations)
      },
      moved: (lane, how) => relocation.moved(lane, how),
      pauseAll: (ms) => this.#dispatcher.pauseUntil(clock.now() + ms),
      renewSignatures: () => {
        this.#renewedMs = clock.now()
        this.#options.renewSignatures()
      },
      onUnauthorized: this.#options.onUnauthorized,
      onAuthorized: this.#options.onAuthorized,
      refreshEndpoints,
      lookForContainer: (lane, times) => void relocation.lookForContainer(lane, times),
      stop: (error) => this.stop(error)
    }
  }

  #open(pending: Pending, lane: Lane): void {
    pending.home = lane
    this.room.enter(lane, pending.bytes)
    pending.epoch = this.#flushes.current
    pending.epoch.open++
  }

  #queue(pending: Pending, lane: Lane): void {
    pending.state = 'queued'
    lane.push(pending)
    if (pending.epoch !== this.#flushes.current) lane.hurry()
    this.#dispatcher.wake(lane)
  }

  #onAnswer(batch: Batch, answer: Answer): void {
    const { lane } = batch
    this.#handler.handle(batch, answer)
    if (!lane.isRetired) return this.#dispatcher.pump(lane)
    if (lane.inFlight === 0) this.#relocation.ended(lane)
    this.room.letIn()
  }
}

function always(): true {
  return true
}

function supersede(waiting: Pending, later: Pending, lane: Lane): void {
  const { bytes } = waiting
  waiting.supersedeBy(later)
  lane.counts.superseded++
  if (waiting.state === 'queued') lane.reweigh(waiting, bytes)
}
