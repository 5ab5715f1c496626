import { isKeystampError, KeystampError } from '@keystamp/core'
import { type Clock, withTimeout } from './lifecycle/clock.ts'
import type { Log } from './log.ts'
import type { Partitions } from './partition/partitions.ts'

/** State of a sink. */
export type SinkState = 'starting' | 'running' | 'draining' | 'stopped' | 'failed'

/** Event that may change the state of a sink. */
export type SinkEvent = 'started' | 'stopAsked' | 'drained' | 'closed' | 'broken'

/** `closing` is the part of `draining` in which nothing can fail any more. */
type Phase = SinkState | 'closing'

/**
 * Next phase for each phase and event; an event without effect leads to the same phase. The last two phases are final.
 */
const NEXT_PHASE: Readonly<Record<Phase, Readonly<Record<SinkEvent, Phase>>>> = {
  starting: { started: 'running', stopAsked: 'draining', drained: 'starting', closed: 'starting', broken: 'failed' },
  running: { started: 'running', stopAsked: 'draining', drained: 'running', closed: 'running', broken: 'failed' },
  draining: { started: 'draining', stopAsked: 'draining', drained: 'closing', closed: 'draining', broken: 'failed' },
  closing: { started: 'closing', stopAsked: 'closing', drained: 'closing', closed: 'stopped', broken: 'closing' },
  stopped: { started: 'stopped', stopAsked: 'stopped', drained: 'stopped', closed: 'stopped', broken: 'stopped' },
  failed: { started: 'failed', stopAsked: 'failed', drained: 'failed', closed: 'failed', broken: 'failed' }
}

/** State of one sink. */
interface States {
  readonly state: SinkState
  /** True once the sink has begun to leave its group. */
  readonly isClosing: boolean
  /** Applies the event. Returns whether it changed anything. */
  readonly on: (event: SinkEvent) => boolean
}

/** Begins with `starting`. Calls `onChange` with every new state. */
export function createStates(onChange: (state: SinkState, before: SinkState) => void): States {
  let phase: Phase = 'starting'
  return {
    get state() {
      return stateOf(phase)
    },
    get isClosing() {
      return phase === 'closing' || phase === 'stopped' || phase === 'failed'
    },
    on: (event) => {
      const before = phase
      phase = NEXT_PHASE[before][event]
      if (phase === before) return false
      if (stateOf(phase) !== stateOf(before)) onChange(stateOf(phase), stateOf(before))
      return true
    }
  }
}

function stateOf(phase: Phase): SinkState {
  return phase === 'closing' ? 'draining' : phase
}

/** How a sink ended. `error`: why it failed, or that records had no outcome when it was stopped. */
export interface SinkEnd {
  readonly state: 'stopped' | 'failed'
  readonly error: Error | undefined
}

interface SinkLifecycleOptions {
  readonly clock: Clock
  readonly log: Log
  /** Longest time that a shutdown waits for outcomes, in milliseconds. */
  readonly shutdownMs: number
  /** Starts the timers of the sink; each is stopped before the sink closes. */
  readonly startTimers: () => readonly { readonly stop: () => void }[]
  /** Makes sure that rejected records can be copied. */
  readonly checkRejects: () => Promise<void>
  /** Opens the containers of the topics that are known before the group is joined. */
  readonly openContainers: () => Promise<void>
  readonly joinGroup: () => Promise<void>
  /** Stops delivery, and waits for the open records. */
  readonly partitions: () => Pick<Partitions, 'openCount' | 'giveUp' | 'stop' | 'whenDone'>
  /**
   * Commits the offsets of the settled records. Retries until the group has stored them, or until `loseAll` is called.
   * `hasLeft`: this sink has no request in flight any more.
   */
  readonly commitLast: (hasLeft: boolean) => Promise<void>
  /** Gives all partitions up. */
  readonly loseAll: () => void
  /** Parts to close, in this order. Writers that hold operations give up after `deadlineMs`. */
  readonly closings: (deadlineMs: number) => readonly (() => Promise<void> | void | undefined)[]
  /** Everything that the sink waits for, as a sentence part; undefined while it waits for nothing. */
  readonly waitingFor: () => string | undefined
}

/** Start, shutdown, failure and closing of one sink. */
export class SinkLifecycle {
  readonly #options: SinkLifecycleOptions
  readonly #states: States
  /** Resolves when the sink was stopped or has failed. */
  readonly ended: Promise<SinkEnd>
  readonly #end: (how: SinkEnd) => void
  #timers: readonly { readonly stop: () => void }[] = []
  #failure: Error | undefined
  #starting: Promise<void> | undefined
  /** Whether the consumer group is being joined. */
  isJoining = false

  constructor(options: SinkLifecycleOptions) {
    this.#options = options
    this.#states = createStates((state, before) => options.log.info({ state, before }, 'sink changed its state'))
    let end!: (how: SinkEnd) => void
    this.ended = new Promise<SinkEnd>((resolve) => {
      end = resolve
    })
    this.#end = end
  }

  get state(): SinkState {
    return this.#states.state
  }

  /** Whether the sink belongs to its group, or may belong to it again after a rebalance. */
  get isMember(): boolean {
    return (this.state === 'running' || this.state === 'draining') && !this.#states.isClosing
  }

  /** Whether new records are taken: false from the beginning of a shutdown on. */
  get isTaking(): boolean {
    return this.state === 'starting' || this.state === 'running'
  }

  /** Starts once, however often it is called. */
  start(): Promise<void> {
    if (!this.isTaking) return Promise.reject(cannotStart())
    this.#starting ??= this.#start()
    return this.#starting
  }

  async #start(): Promise<void> {
    const { startTimers, checkRejects, openContainers } = this.#options
    this.#timers = startTimers()
    try {
      for (const step of [checkRejects, openContainers, () => this.#join()]) {
        // stop() may have been called during the step before
        if (this.state === 'starting') await step()
      }
    } catch (error) {
      this.fail(error as Error)
    }
    // a start that stop() has interrupted is not a failure
    if (this.#failure !== undefined) throw this.#failure
  }

  async #join(): Promise<void> {
    this.isJoining = true
    try {
      await this.#options.joinGroup()
      this.#states.on('started')
    } finally {
      this.isJoining = false
    }
  }

  /** Shuts down. Resolves when the sink has ended. */
  async stop(): Promise<void> {
    if (this.#states.on('stopAsked')) void this.#drain()
    await this.ended
  }

  async #drain(): Promise<void> {
    const { clock, shutdownMs, partitions } = this.#options
    const endMs = clock.now() + shutdownMs
    partitions().stop()
    const isDone = await withTimeout(partitions().whenDone(), shutdownMs, clock)
    // from here on a failure does not end the sink a second time
    if (!this.#states.on('drained')) return
    // created before the parts are closed: closed parts report no waits
    const error = isDone ? undefined : this.#abandoned()
    await this.#close({ hasLeft: isDone, commitMs: Math.max(CLOSE_MS, endMs - clock.now()) })
    this.#states.on('closed')
    this.#end({ state: 'stopped', error })
  }

  /** Ends the sink with an error, unless it has ended or is closing. */
  fail(error: Error): void {
    if (!this.#states.on('broken')) return
    const { log, partitions } = this.#options
    this.#failure = error
    log.error({ code: codeOf(error) }, error.message)
    partitions().stop()
    if (!isOfRecord(error)) partitions().giveUp()
    void this.#endWith(error)
  }

  /**
   * If one record stopped the sink, waits for the outcomes of the other records first: otherwise the offsets before
   * that record could not be committed.
   */
  async #endWith(error: Error): Promise<void> {
    const { clock, shutdownMs, partitions } = this.#options
    if (isOfRecord(error)) await withTimeout(partitions().whenDone(), shutdownMs, clock)
    await this.#close({ hasLeft: false, commitMs: CLOSE_MS })
    this.#end({ state: 'failed', error })
  }

  /** Commits, then leaves the group and closes the other parts. Records without an outcome will be delivered again. */
  async #close({ hasLeft, commitMs }: { readonly hasLeft: boolean; readonly commitMs: number }): Promise<void> {
    const { clock, log, commitLast, loseAll, closings } = this.#options
    for (const timer of this.#timers) timer.stop()
    await withTimeout(commitLast(hasLeft), commitMs, clock)
    loseAll()
    for (const close of closings(hasLeft ? CLOSE_MS : 0)) {
      try {
        await close()
      } catch (error) {
        log.warn({ code: codeOf(error) }, `while closing: ${(error as Error).message}`)
      }
    }
  }

  #abandoned(): KeystampError {
    const { shutdownMs, partitions, waitingFor } = this.#options
    return new KeystampError(
      'SHUTDOWN_TIMEOUT',
      `After ${shutdownMs / 1000} s ${partitions().openCount} records still had no outcome (waiting for ${waitingFor() ?? 'no known reason'}). They are ` +
        'not committed and will be delivered again.'
    )
  }
}

/** Shortest time limit of the last commit, and time limit of writers that have nothing left to do, in milliseconds. */
const CLOSE_MS = 5000

function cannotStart(): KeystampError {
  return new KeystampError(
    'INVARIANT_BROKEN',
    'This sink has been stopped or has failed, and cannot be started again: create a new one.'
  )
}

/** Whether one record stopped the sink, which can still write the others. */
function isOfRecord(error: Error): boolean {
  return isKeystampError(error) && (error.code === 'RECORD_REJECTED' || error.code === 'TOLERANCE_EXCEEDED')
}

function codeOf(error: unknown): string | undefined {
  return isKeystampError(error) ? error.code : undefined
}
