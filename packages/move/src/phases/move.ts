import { type Backoff, backoffMs, type Clock, waitFor } from '@keystamp/core/internal'
import { Copier, type CopierOptions, type CopyLimits } from '../copy/copier.ts'
import type { MoveCopy } from '../copy/move-copy.ts'
import type { Direction, Journal } from '../journal/journal.ts'
import { enterPhase } from '../journal/older-journal.ts'
import type { WrittenContents } from '../journal/written-contents.ts'
import { compareAndRepair } from './compare-containers.ts'
import { endCopy } from './end-copy.ts'
import { lagSeconds } from './gates.ts'
import type { RunHook } from './hooks.ts'
import type { MoveStatus } from './move-status.ts'
import { endOf, type MoveCommand, refusalOf, resultOfComparison } from './move-command.ts'
import { answerRequest, StepRequests } from './step-requests.ts'
import { OwnContent, watched } from './own-content.ts'
import { type AuthorsOf, StragglerWatch } from './straggler-watch.ts'
import {
  callOff,
  DEFAULT_MOVE_LIMITS,
  gatesOf,
  moveApplication,
  type MoveLimits,
  turn,
  type TurnOptions,
  type TurnResult
} from './turn.ts'

export interface MoveOptions extends Pick<
  CopierOptions,
  'random' | 'hashOf' | 'onRejected' | 'wallMs' | 'onVersionsLost' | 'isFenced'
> {
  readonly sides: TurnOptions['sides']
  readonly journal: Journal
  readonly clock: Clock
  readonly runHook: RunHook
  readonly notPostponed: TurnOptions['notPostponed']
  readonly limits?: Partial<MoveLimits>
  readonly copyLimits?: Partial<CopyLimits>
  /** Default: this process copies all ranges. */
  readonly createCopy?: (options: CopierOptions) => MoveCopy
  /** Which ETags other processes have written. Default: there are no other processes. */
  readonly authorsOf?: AuthorsOf
  /** Contents that this process and the one before have written to the source. Default: none is known. */
  readonly written?: WrittenContents
  /** Called with each step, and with what the move waits for. */
  readonly onStep: (sentence: string) => void
}

/** One move from its first document to its end, over any number of processes with the same journal. */
export class Move {
  readonly #options: MoveOptions
  readonly #limits: MoveLimits
  #copier: MoveCopy | undefined
  #watch: StragglerWatch | undefined
  readonly #requests: StepRequests = new StepRequests()
  #wake: () => void = () => {}
  /** Ends the comparison that is running. */
  #comparison: AbortController | undefined
  #step = 'starting'
  #stepAtMs: number
  #nextComparisonMs = Number.NEGATIVE_INFINITY
  /** Comparisons in a row that found differences. */
  #unequal = 0

  constructor(options: MoveOptions) {
    this.#options = options
    this.#stepAtMs = options.wallMs()
    this.#limits = { ...DEFAULT_MOVE_LIMITS, ...options.limits }
  }

  get status(): MoveStatus {
    const { journal, wallMs } = this.#options
    const { phase, phaseAt, rejected, compared } = journal.state()
    const copier = this.#copier
    return {
      phase,
      phaseAt,
      step: this.#step,
      stepAt: new Date(this.#stepAtMs).toISOString(),
      copy: copier?.status,
      lagSeconds: copier === undefined ? undefined : lagSeconds(copier.status, wallMs()),
      rejected: rejected[this.#direction].size,
      compared,
      gates:
        copier === undefined
          ? []
          : gatesOf({ direction: this.#direction, journal, copier, wallMs, limits: this.#limits }),
      stragglers: this.#watch?.count ?? 0
    }
  }

  /** Runs until the move is finished or aborted, or until the signal aborts. Rejects if a container fails. */
  async run(signal: AbortSignal): Promise<void> {
    const { journal } = this.#options
    for (;;) {
      const { phase, isHookBegun } = journal.state()
      if (phase === 'finished' || phase === 'aborted') return this.#requests.end(phase)
      if (signal.aborted) return
      if (phase === 'switch' || phase === 'back') {
        // the process before has ended during a turn
        const turning = { ...this.#options, direction: this.#direction, onStep: this.#note }
        if (isHookBegun) await moveApplication(turning)
        else await callOff(turning, 'The process ended during the switch.')
      } else
        await this.#follow(signal).catch((error: unknown) => {
          // the end that the caller asked for, during a comparison or a switch
          if (!signal.aborted || error !== signal.reason) throw error
        })
    }
  }

  pause(reason: string): void {
    this.#copier?.pause(reason)
  }

  resume(): void {
    this.#copier?.resume()
  }

  /** Asks for a step; resolves with its result. */
  request(command: MoveCommand): Promise<TurnResult> {
    // an end does not wait for a comparison
    if (command === 'finish' || command === 'abort') this.#comparison?.abort(STOPPED)
    this.#wake()
    return this.#requests.ask(command)
  }

  get #direction(): Direction {
    const { phase } = this.#options.journal.state()
    return phase === 'reverse' || phase === 'back' || phase === 'finished' ? 'back' : 'forward'
  }

  /** Copies and follows in one direction, until a request or the signal ends it. */
  async #follow(signal: AbortSignal): Promise<void> {
    const direction = this.#direction
    const stop = new AbortController()
    const stopping = AbortSignal.any([signal, stop.signal])
    const copier = this.#createCopier(direction)
    this.#copier = copier
    const watch = direction === 'back' ? this.#createWatch(copier) : undefined
    this.#watch = watch
    const running = Promise.all([copier.run(stopping), watch?.run(stopping)])
    // never resolves: a step that stops the copy goes on after it
    const failed = running.then(() => new Promise<never>(() => {}))
    failed.catch(() => this.#wake())
    const stopCopy = async (): Promise<void> => {
      stop.abort(STOPPED)
      await running
    }
    this.#nextComparisonMs = Number.NEGATIVE_INFINITY
    const broken = new AbortController()
    const turning = { direction, copier, stopCopy, signal: AbortSignal.any([signal, broken.signal]) }
    try {
      while (!stopping.aborted) {
        const attended = this.#attend(turning)
        try {
          await Promise.race([attended, failed])
        } catch (error) {
          broken.abort(error)
          // a switch is called off first: the application must not wait for the next process
          await attended.catch(() => {})
          throw error
        }
      }
      await running
    } finally {
      stop.abort(STOPPED)
      this.#copier = undefined
      this.#watch = undefined
    }
  }

  /** Handles what is due: a finished copy, a comparison, a request. */
  async #attend(turning: Turning): Promise<void> {
    const { journal, clock } = this.#options
    const { copier } = turning
    const { phase } = journal.state()
    const request = this.#requests.take()
    if (request !== undefined) return answerRequest(request, () => this.#handle(request.command, turning))
    if (phase === 'copy' && copier.status.isCopied) return enterPhase(this.#options, 'follow')
    const isCompared = clock.now() < this.#nextComparisonMs
    if (phase !== 'copy' && copier.status.isCopied && !isCompared) return this.#compare(turning)
    this.#note(phase === 'copy' ? 'copying' : 'following changes')
    await this.#idle()
  }

  async #handle(command: MoveCommand, turning: Turning): Promise<TurnResult> {
    const { journal } = this.#options
    const refusal = refusalOf(command, journal.state().phase)
    if (refusal !== undefined) return { isDone: false, message: refusal }
    switch (command) {
      case 'switch':
      case 'back':
        return this.#turn(turning)
      case 'compare':
        await this.#compare(turning)
        return resultOfComparison(journal.state().compared)
      case 'finish':
      case 'abort': {
        const { source: old, target: created } = this.#options.sides.forward
        const ending = { ...this.#options, ...turning, source: created, limits: this.#limits, onStep: this.#note }
        const problem = await endCopy(command, ending)
        if (problem !== undefined) return { isDone: false, message: problem }
        await enterPhase(this.#options, command === 'finish' ? 'finished' : 'aborted')
        return { isDone: true, message: endOf(command, old.name, created.name) }
      }
    }
  }

  async #turn(turning: Turning): Promise<TurnResult> {
    const [watch, onStep] = [this.#watch, this.#note]
    const result = await turn({ ...this.#options, ...turning, limits: this.#limits, watch, onStep })
    if (!result.isDone) await turning.copier.scatter?.()
    return result
  }

  /** Compares the containers, and has the differences read again. */
  async #compare({ direction, copier, signal }: Turning): Promise<void> {
    const { sides, clock } = this.#options
    this.#note('comparing the containers')
    const comparison = new AbortController()
    this.#comparison = comparison
    const compared = await compareAndRepair({
      ...this.#options,
      direction,
      compare: sides[direction].compare,
      copier,
      watch: this.#watch,
      signal: AbortSignal.any([signal, comparison.signal]),
      onStep: this.#note
    }).catch((error: unknown) => {
      if (!comparison.signal.aborted) throw error
    })
    this.#comparison = undefined
    if (compared === undefined) return
    const { isEqual } = compared
    this.#unequal = isEqual ? 0 : this.#unequal + 1
    // at once, so that the switch does not wait; but not again and again for differences that stay
    const soonMs = this.#unequal === 1 ? 0 : backoffMs(this.#unequal - 2, COMPARE_AGAIN)
    const waitMs = isEqual ? this.#limits.compareEveryMs : soonMs
    this.#nextComparisonMs = clock.now() + Math.min(this.#limits.compareEveryMs, waitMs)
  }

  /** Waits a moment, or for a request or the end of the copy. */
  async #idle(): Promise<void> {
    const woken = new Promise<void>((resolve) => {
      this.#wake = resolve
    })
    const timer = new AbortController()
    await Promise.race([waitFor(TICK_MS, this.#options.clock, timer.signal).catch(() => {}), woken])
    timer.abort()
  }

  readonly #note = (step: string): void => {
    if (step === this.#step) return
    this.#options.onStep(step)
    this.#step = step
    this.#stepAtMs = this.#options.wallMs()
  }

  #createWatch(copier: MoveCopy): StragglerWatch {
    const { sides, authorsOf, ...rest } = this.#options
    const { wallMs } = rest
    const content = new OwnContent({ container: sides.back.source, mapper: sides.back.mapper, wallMs })
    const readToEndMs = (): number => copier.status.readToEndMs
    return new StragglerWatch({ ...rest, container: sides.forward.source, content, authorsOf, readToEndMs })
  }

  #createCopier(direction: Direction): MoveCopy {
    const { sides, copyLimits, createCopy = (options) => new Copier(options), ...rest } = this.#options
    const { compare: _, ...side } = sides[direction]
    return createCopy({
      ...rest,
      ...side,
      target: direction === 'forward' ? side.target : watched(side.target, (...done) => this.#watch?.expect(...done)),
      direction,
      begin: direction === 'forward' ? 'beginning' : 'now',
      limits: copyLimits ?? {}
    })
  }
}

interface Turning {
  readonly direction: Direction
  readonly copier: MoveCopy
  readonly stopCopy: () => Promise<void>
  readonly signal: AbortSignal
}

const TICK_MS = 200
/** Waits before the third and later comparisons of containers that differ. */
const COMPARE_AGAIN: Backoff = { firstMs: 10_000, maxMs: 600_000 }
const STOPPED = new Error('The phase has ended.')
