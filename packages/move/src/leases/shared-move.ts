import { waitFor } from '@keystamp/core/internal'
import type { CopierOptions } from '../copy/copier.ts'
import { checkMove, type MoveIdentity } from '../journal/file-journal.ts'
import type { Direction, Phase } from '../journal/journal.ts'
import type { RunHook } from '../phases/hooks.ts'
import type { MoveCommand } from '../phases/move-command.ts'
import { Move, type MoveOptions } from '../phases/move.ts'
import type { MoveStatus } from '../phases/move-status.ts'
import { watched } from '../phases/own-content.ts'
import type { TurnResult } from '../phases/turn.ts'
import { HeldLease } from './held-lease.ts'
import { LeaseLostError } from './lease-lost-error.ts'
import { createMoveRecord, type MoveRecord, type Stored } from './lease-documents.ts'
import { LeaseJournal } from './lease-journal.ts'
import { askForAuthors, Member, type MemberOptions } from './member.ts'
import { SharedCopy } from './shared-copy.ts'

export interface SharedMoveOptions extends Omit<MoveOptions, 'journal' | 'createCopy' | 'authorsOf'> {
  readonly identity: MoveIdentity
  readonly member: Omit<MemberOptions, 'clock'>
}

/**
 * One of several processes that share a move. One of them coordinates: it changes the phase, compares, and runs the
 * hooks. All of them copy.
 */
export class SharedMove {
  readonly #options: SharedMoveOptions
  readonly #member: Member
  readonly journal: LeaseJournal
  #move: Move | undefined
  #copy: SharedCopy | undefined
  #pausedFor: string | undefined
  #whenLedEnds: (() => void)[] = []
  /** The lease of the move, which this process has taken while it copied for another one. */
  #won: HeldLease<MoveRecord> | undefined
  readonly #startedAt: string

  constructor(options: SharedMoveOptions) {
    const { member, clock, wallMs, written } = options
    this.#startedAt = new Date(wallMs()).toISOString()
    this.#options = options
    this.#member = new Member({ ...member, clock, contents: written })
    this.journal = new LeaseJournal(this.#member)
  }

  get isCoordinator(): boolean {
    return this.#move !== undefined
  }

  /** Number of ranges that this process copies now. */
  get held(): number {
    return this.#copy?.held ?? 0
  }

  /** Part of the shares of the move that this process may use: the other processes use the rest. */
  get part(): number {
    return this.#copy?.part ?? 1
  }

  /** As the coordinator sees it; other workers know less. */
  get status(): MoveStatus {
    if (this.#move !== undefined) return this.#move.status
    const { phase, phaseAt, rejected, compared } = this.journal.state()
    return {
      phase,
      phaseAt,
      step: 'copying for another process, which coordinates',
      stepAt: this.#startedAt,
      copy: this.#copy?.status,
      lagSeconds: undefined,
      rejected: rejected.forward.size,
      compared,
      gates: [],
      stragglers: 0
    }
  }

  /** Runs until the move has ended, or until the signal aborts. Rejects if a container fails. */
  async run(signal: AbortSignal): Promise<void> {
    const ended = new AbortController()
    const renewing = this.#member.run(ended.signal)
    try {
      await this.#open()
      while (!signal.aborted && !isOver(this.journal.state().phase)) {
        await this.#member.refresh()
        const lease = this.#won ?? (await this.#coordinate())
        this.#won = undefined
        if (lease === undefined) await this.#follow(signal)
        else await this.#lead(lease, signal)
      }
      await this.#member.leave()
    } finally {
      ended.abort(STOPPED)
      await renewing
    }
  }

  pause(reason: string): void {
    this.#pausedFor = reason
    this.#move?.pause(reason)
    this.#copy?.pause(reason)
  }

  resume(): void {
    this.#pausedFor = undefined
    this.#move?.resume()
    this.#copy?.resume()
  }

  /** Asks for a step, which only the coordinator can do. */
  request(command: MoveCommand): Promise<TurnResult> {
    if (this.#move === undefined) {
      const owner = this.journal.record?.owner ?? 'none yet'
      return Promise.resolve({ isDone: false, message: `Another process coordinates the move: ${owner}. Ask there.` })
    }
    const ended = new Promise<TurnResult>((resolve) => {
      this.#whenLedEnds.push(() => resolve({ isDone: false, message: LED_ELSEWHERE }))
    })
    return Promise.race([this.#move.request(command), ended])
  }

  /** Finds the record of the move, or creates it. */
  async #open(): Promise<void> {
    const { identity, wallMs } = this.#options
    const { store } = this.#member.options
    await this.#member.join()
    for (;;) {
      await this.#member.refresh()
      if (this.#member.move !== undefined) break
      await store.create(createMoveRecord([{ type: 'begin', at: new Date(wallMs()).toISOString(), ...identity }]))
    }
    checkMove(`in ${store.name}`, this.journal.state().begin, identity, 'Name another container with `--leases`')
  }

  /** Takes the lease of the move if no worker has it. */
  async #coordinate(): Promise<HeldLease<MoveRecord> | undefined> {
    const { move } = this.#member
    if (move === undefined || !this.#isFree(move) || isOver(this.journal.state().phase)) return undefined
    const lease = await HeldLease.take(this.#member.options, move)
    if (lease !== undefined) this.#member.keep(lease)
    return lease
  }

  #isFree(move: Stored<MoveRecord>): boolean {
    const { owner } = move.document
    return owner === null || owner === this.#member.name || !this.#member.isAlive(move)
  }

  /** Coordinates until the move has ended, or the lease is lost. */
  async #lead(lease: HeldLease<MoveRecord>, signal: AbortSignal): Promise<void> {
    const stop = new AbortController()
    const ended = AbortSignal.any([signal, stop.signal])
    this.journal.coordinate(lease)
    const watching = this.#watch(lease, stop)
    try {
      await this.#waitForPositions(ended)
      this.#move = new Move({
        ...this.#options,
        journal: this.journal,
        runHook: this.#guardHook(lease),
        authorsOf: (changes, aborted) => askForAuthors(changes, { lease, member: this.#member }, aborted),
        createCopy: (copier) => this.#createCopy(copier)
      })
      await this.#move.run(ended)
    } catch (error) {
      if (!(error instanceof LeaseLostError) && !lease.isLost && !ended.aborted) throw error
    } finally {
      this.#move = undefined
      stop.abort(STOPPED)
      await watching
      if (!lease.isLost) await lease.release().catch(() => {})
      this.journal.coordinate(undefined)
      for (const end of this.#whenLedEnds.splice(0)) end()
    }
  }

  /** A replica may be behind the worker that coordinated before. */
  async #waitForPositions(signal: AbortSignal): Promise<void> {
    while (this.journal.isBehind('forward') || this.journal.isBehind('back')) {
      await waitFor(this.#member.options.limits.pollMs, this.#options.clock, signal)
      await this.#member.refresh()
    }
  }

  async #watch(lease: HeldLease<MoveRecord>, stop: AbortController): Promise<void> {
    const { clock, member } = this.#options
    while (!stop.signal.aborted) {
      if (lease.isLost) stop.abort(new LeaseLostError(lease.document.id))
      await waitFor(member.limits.pollMs, clock, stop.signal).catch(() => {})
    }
  }

  #guardHook(lease: HeldLease<MoveRecord>): RunHook {
    const { runHook } = this.#options
    // another process may have moved the application already
    return async (hook, facts, signal) =>
      lease.isLost
        ? { isDone: false, reason: 'another process coordinates the move now' }
        : runHook(hook, facts, signal)
  }

  #createCopy(options: CopierOptions, onPass: () => Promise<void> = async () => {}): SharedCopy {
    const target = watched(options.target, (_, etag) => this.#member.written.add(etag))
    const copier = options.direction === 'back' ? { ...options, target } : options
    const copy = new SharedCopy({ copier, member: this.#member, journal: this.journal, onPass })
    if (this.#pausedFor !== undefined) copy.pause(this.#pausedFor)
    this.#copy = copy
    return copy
  }

  /** Copies ranges for the coordinator, until this process coordinates, or until the direction changes. */
  async #follow(signal: AbortSignal): Promise<void> {
    const stop = new AbortController()
    const direction = directionOf(this.journal.state().phase)
    const look = async (): Promise<void> => {
      const { phase } = this.journal.state()
      this.#won = await this.#coordinate()
      if (this.#won !== undefined || isOver(phase) || directionOf(phase) !== direction) stop.abort(STOPPED)
    }
    const { sides, copyLimits = {}, ...rest } = this.#options
    const { compare: _, ...side } = sides[direction]
    const begin = direction === 'forward' ? 'beginning' : 'now'
    const facts = { ...rest, ...side, journal: this.journal, direction, begin, limits: copyLimits } as const
    await this.#createCopy(facts, look).run(AbortSignal.any([signal, stop.signal]))
  }
}

function isOver(phase: Phase): boolean {
  return phase === 'finished' || phase === 'aborted'
}

function directionOf(phase: Phase): Direction {
  return phase === 'copy' || phase === 'follow' || phase === 'switch' ? 'forward' : 'back'
}

const LED_ELSEWHERE =
  'This process does not coordinate the move any more. See the phase with `keystamp rekey status`, and repeat the step if it was not done.'
const STOPPED = new Error('The copy was stopped.')
