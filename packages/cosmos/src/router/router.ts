import { KeystampError } from '@keystamp/core'
import type { ContainerRange } from '../account/container-range.ts'
import { CosmosError } from '../account/cosmos-error.ts'
import type { Pending } from '../batch/pending.ts'
import type { Outcome } from '../classify/outcome.ts'
import type { Clock } from '../governor/clock.ts'
import { Prices } from '../governor/prices.ts'
import type { Purse } from '../governor/purse.ts'
import { RangeGovernor } from '../governor/range-governor.ts'
import { AnswerHandler } from '../lane/answer-handler.ts'
import type { AnswerHost } from '../lane/answer-host.ts'
import type { BatchEvent } from '../lane/batch-event.ts'
import { Dispatcher } from '../lane/dispatcher.ts'
import { Lane } from '../lane/lane.ts'
import { LaneCounts } from '../lane/lane-counts.ts'
import type { Transport } from '../transport/transport.ts'
import { Flushes } from './flushes.ts'
import { Mover } from './mover.ts'
import { Register } from './register.ts'
import { Room } from './room.ts'
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
  readonly refreshEndpoints: () => void
  readonly onBatch?: ((event: BatchEvent) => void) | undefined
  /** The work stopped by itself. */
  readonly onStop: (error: Error) => void
}

/** Brings operations into their lanes, in the order of their documents, and sees them through to their outcomes. */
export class Router {
  readonly room: Room
  readonly prices: Prices = new Prices()
  /** What lanes counted whose ranges are no longer listed. */
  readonly retired: LaneCounts = new LaneCounts()
  /** Outcomes so far. */
  readonly outcomes: Record<Outcome['kind'], number> = { written: 0, unchanged: 0, rejected: 0 }
  readonly #options: RouterOptions
  readonly #register: Register = new Register()
  readonly #table: RouteTable
  readonly #dispatcher: Dispatcher
  readonly #mover: Mover
  readonly #flushes: Flushes = new Flushes()
  readonly #delayed: Set<() => void> = new Set()
  #flushing = 0
  #stoppedBy: Error | undefined
  #renewedMs = Number.NEGATIVE_INFINITY

  constructor(options: RouterOptions) {
    const { transport, clock, random } = options
    this.#options = options
    this.room = new Room(options.maxBytes)
    this.#table = new RouteTable((range, count) => this.#createLane(range, count))
    const handler = new AnswerHandler(this.#createHost())
    this.#dispatcher = new Dispatcher({
      transport,
      clock,
      onAnswer: (batch, answer) => {
        handler.handle(batch, answer)
        this.#afterAnswer(batch.lane)
      }
    })
    const { refreshRanges } = options
    this.#mover = new Mover({
      clock,
      random,
      refreshRanges,
      apply: (ranges) => this.#reroute(ranges),
      wake: (lane) => this.#dispatcher.pump(lane)
    })
    this.#reroute(options.ranges)
  }

  get lanes(): Iterable<Lane> {
    return this.#table.lanes
  }

  get stoppedBy(): Error | undefined {
    return this.#stoppedBy
  }

  /** Takes an operation in. Its outcome comes by its `settle`, or what stopped the work by its `fail`. Gives its lane. */
  submit(pending: Pending): Lane {
    const lane = this.#table.laneOf(pending.epk)
    this.#open(pending, lane)
    const place = this.#register.enter(pending)
    if (place === 'first') this.#queue(pending)
    else if (place !== 'behind') this.#supersede(place.inPlaceOf, pending)
    return lane
  }

  /** The same for an atomic batch: it waits until each of its documents is free. */
  submitGroup(group: Pending): Lane {
    const lane = this.#table.laneOf(group.epk)
    this.#open(group, lane)
    for (const first of group.group!.firsts) if (this.#register.enter(first) !== 'first') group.documentsBehind++
    if (group.documentsBehind === 0) this.#queue(group)
    return lane
  }

  /** Resolves when all that was taken in so far has its outcome. */
  async flush(): Promise<void> {
    this.#flushing++
    this.#dispatcher.isHurried = true
    for (const lane of this.#table.lanes) this.#dispatcher.wake(lane)
    await this.#flushes.flush()
    this.#flushing--
    this.#dispatcher.isHurried = this.#flushing > 0
  }

  /** What a range may spend has changed. */
  renewPurses(): void {
    const { size } = this.#table
    for (const lane of this.#table.lanes) lane.governor.purse = this.#createPurse(lane.range, size, () => this.#dispatcher.pump(lane))
  }

  /** Ends everything: what has no outcome fails with this error. */
  stop(error: Error): void {
    if (this.#stoppedBy !== undefined) return
    this.#stoppedBy = error
    this.#dispatcher.stop()
    this.#mover.stop()
    for (const cancel of this.#delayed) cancel()
    for (const lane of this.#table.lanes) lane.cancelWake?.()
    const open = [...this.#register.all()]
    this.#register.clear()
    for (const pending of open) this.#fail(pending.owner ?? pending, error)
    this.room.open()
    this.#options.onStop(error)
  }

  #createLane(range: ContainerRange, count: number): Lane {
    const governor = new RangeGovernor(this.#createPurse(range, count, () => this.#dispatcher.pump(lane)))
    const lane: Lane = new Lane(range, governor, this.prices)
    return lane
  }

  #createPurse(range: ContainerRange, count: number, wake: () => void): Purse {
    return this.#options.createPurse(range, count, wake)
  }

  #createHost(): AnswerHost {
    const { clock, random, retryForMs, onBatch, refreshEndpoints } = this.#options
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
      settle: (pending, outcome) => this.#settle(pending, outcome),
      settleGroup: (pending, outcomes) => this.#settleGroup(pending, outcomes),
      giveUp: (pending, reason) => this.#giveUp(pending, reason),
      giveBack: (lane, operations) => this.#giveBack(lane, operations),
      delay: (pending, ms) => this.#delay(pending, ms),
      resend: (lane, operations) => this.#dispatcher.send(lane, operations, 0),
      moved: (lane, how) => this.#moved(lane, how),
      pauseAll: (ms) => this.#dispatcher.pauseUntil(clock.now() + ms),
      renewSignatures: () => {
        this.#renewedMs = clock.now()
        this.#options.renewSignatures()
      },
      refreshEndpoints,
      lookForContainer: (lane, times) => void this.#lookForContainer(lane, times),
      stop: (error) => this.stop(error)
    }
  }

  #open(pending: Pending, lane: Lane): void {
    pending.home = lane
    this.room.enter(lane, pending.bytes)
    pending.epoch = this.#flushes.current
    pending.epoch.open++
  }

  #queue(pending: Pending): void {
    const lane = this.#table.laneOf(pending.epk)
    pending.state = 'queued'
    lane.push(pending)
    this.#dispatcher.wake(lane)
  }

  #supersede(waiting: Pending, later: Pending): void {
    const bytes = waiting.bytes
    const lane = this.#table.laneOf(waiting.epk)
    waiting.supersedeBy(later)
    lane.counts.superseded++
    if (waiting.state === 'queued') lane.reweigh(waiting, bytes)
  }

  #settle(pending: Pending, outcome: Outcome): void {
    const { older } = pending
    if (outcome.kind === 'rejected' && older !== undefined) {
      this.#tell(pending, outcome)
      pending.restoreOlder()
      // the body that is left is a write of its own, ahead of whatever came later
      this.#giveBack(this.#table.laneOf(pending.epk), [pending])
      return
    }
    this.#leave(pending)
    this.#tell(pending, outcome)
    if (older !== undefined) this.#settleSuperseded(pending, outcome)
  }

  #settleSuperseded(pending: Pending, outcome: Outcome): void {
    const theirs: Outcome = outcome.kind === 'written' ? { ...outcome, chargeRu: 0, isSuperseded: true } : outcome
    while (pending.older !== undefined) {
      pending.restoreOlder()
      this.#tell(pending, theirs)
    }
  }

  #tell(pending: Pending, outcome: Outcome): void {
    this.outcomes[outcome.kind]++
    pending.home!.counts.settled++
    this.#close(pending)
    pending.settle(outcome)
  }

  #settleGroup(pending: Pending, outcomes: readonly Outcome[]): void {
    for (const first of pending.group!.firsts) this.#leave(first)
    pending.home!.counts.settled += outcomes.length
    for (const { kind } of outcomes) this.outcomes[kind]++
    this.#close(pending)
    pending.group!.settle(outcomes)
  }

  /** Lets the next operation on the document come forward. */
  #leave(pending: Pending): void {
    const next = this.#register.leave(pending)
    if (next === undefined) return
    if (next.owner === undefined) this.#queue(next)
    else if (--next.owner.documentsBehind === 0) this.#queue(next.owner)
  }

  #close(pending: Pending): void {
    this.room.leave(pending.home!, pending.bytes)
    this.#flushes.close(pending.epoch!)
  }

  #giveUp(pending: Pending, reason: string): void {
    const seconds = Math.round(this.#options.retryForMs / 1000)
    const message = `Cosmos DB did not take a write in ${seconds} s (last: ${reason}). Whether it was applied is not known.`
    for (const first of pending.group?.firsts ?? [pending]) this.#leave(first)
    this.#fail(pending, new CosmosError('COSMOS_UNAVAILABLE', message, { retriable: true }))
  }

  #fail(pending: Pending, error: Error): void {
    if (pending.isClosed) return
    pending.isClosed = true
    this.#close(pending)
    pending.fail(error)
    while (pending.older !== undefined) {
      pending.restoreOlder()
      this.#close(pending)
      pending.fail(error)
    }
  }

  #giveBack(from: Lane, operations: readonly Pending[]): void {
    if (operations.length === 0 || this.#stoppedBy !== undefined) return
    for (const pending of operations) {
      pending.state = 'queued'
      if (pending.isPlain) this.#giveWay(pending)
    }
    if (!from.isRetired) return from.giveBack(operations)
    // by position, so that the order is kept in each of the lanes that took over
    for (let index = operations.length - 1; index >= 0; index--) {
      const lane = this.#table.laneOf(operations[index].epk)
      lane.giveBack([operations[index]])
      this.#dispatcher.wake(lane)
    }
  }

  #giveWay(pending: Pending): void {
    for (const later of this.#register.giveWay(pending)) {
      pending.supersedeBy(later)
      pending.home!.counts.superseded++
    }
  }

  #delay(pending: Pending, ms: number): void {
    pending.state = 'delayed'
    const cancel = this.#options.clock.schedule(ms, () => {
      this.#delayed.delete(cancel)
      const lane = this.#table.laneOf(pending.epk)
      this.#giveBack(lane, [pending])
      this.#dispatcher.wake(lane)
    })
    this.#delayed.add(cancel)
  }

  #moved(lane: Lane, { isMoving, isNew }: { readonly isMoving: boolean; readonly isNew: boolean }): void {
    if (lane.isRetired) return
    if (isNew) void this.#lookForContainer(lane, 1)
    this.#mover.follow(lane, isMoving)
  }

  async #lookForContainer(lane: Lane, times: number): Promise<void> {
    try {
      await this.#options.checkContainer()
    } catch (error) {
      // a look that failed says nothing; the next answer asks for another
      if (error instanceof KeystampError && error.retriable) return
      return this.stop(error as Error)
    }
    if (times > MOST_MISSING) {
      return this.stop(new CosmosError('CONTAINER_MISSING', 'Cosmos DB does not know the container when writing, though it lists it.'))
    }
    // created anew: the ranges may have the same names and other bounds
    this.#mover.follow(lane, false)
  }

  #reroute(ranges: readonly ContainerRange[]): void {
    const retired = this.#table.update(ranges)
    this.room.setLanes(this.#table.size)
    if (retired.length === 0) return
    for (const lane of retired) {
      lane.cancelWake?.()
      lane.cancelWake = undefined
      if (lane.inFlight === 0) this.retired.add(lane.counts)
      for (const pending of lane.takeAll()) this.#moveTo(this.#table.laneOf(pending.epk), pending)
    }
    this.renewPurses()
    for (const lane of this.#table.lanes) this.#dispatcher.pump(lane)
  }

  #moveTo(lane: Lane, pending: Pending): void {
    this.room.move(pending.home!, lane, pending.bytes)
    pending.home = lane
    lane.push(pending)
  }

  #afterAnswer(lane: Lane): void {
    if (!lane.isRetired) return this.#dispatcher.pump(lane)
    if (lane.inFlight > 0) return
    this.retired.add(lane.counts)
    // lanes that took over wait for the last answer of those before them
    for (const heir of this.#table.lanes) if (heir.parents.includes(lane)) this.#dispatcher.pump(heir)
  }
}

const MOST_MISSING = 20
