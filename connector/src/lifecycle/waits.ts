import { KeystampError } from '@keystamp/core'
import type { Log } from '../log.ts'
import type { Clock } from './clock.ts'

/**
 * Values of the metric label `reason`. A new kind of wait needs an entry here, in `NAMES` and in docs/sink.md, and a
 * source in `currentWaits` that names it.
 */
export const WAIT_REASONS = [
  'cosmos',
  'throttled',
  'contention',
  'redis',
  'kafka',
  'handover',
  'switch',
  'registry',
  'dead_letter_topic',
  'dead_letter_file',
  'auth'
] as const

export type WaitReason = (typeof WAIT_REASONS)[number]

/** A wait, as its source reports it while it lasts. */
export interface Wait {
  readonly reason: WaitReason
  /** Distinguishes waits of one reason, such as two containers. */
  readonly subject?: string
  /** Details; they complete the sentence "waits for Cosmos DB: ...". */
  readonly detail: string
  /** When the wait began, by the clock of the sink. Default: when the wait was first seen. */
  readonly sinceMs?: number
}

/** One wait of a sink, as statistics show it. */
export interface SinkWait {
  readonly reason: WaitReason
  readonly detail: string
  readonly durationMs: number
}

interface WaitsOptions {
  readonly clock: Clock
  readonly log: Log
  /** Returns all current waits. */
  readonly sources: () => Iterable<Wait>
}

interface Entry {
  readonly reason: WaitReason
  readonly sinceMs: number
  detail: string
  seenMs: number
}

/** A wait that was logged and has not ended. */
interface Logged {
  readonly sinceMs: number
  seenMs: number
  loggedMs: number
}

/**
 * Samples all sources of waits and logs each wait when it starts, once a minute, and when it ends. Sources log nothing
 * themselves.
 */
export class Waits {
  readonly #options: WaitsOptions
  readonly #entries: Map<string, Entry> = new Map()
  readonly #logged: Map<WaitReason, Logged> = new Map()
  #cancel: (() => void) | undefined

  constructor(options: WaitsOptions) {
    this.#options = options
  }

  /** Every wait of this moment, in the order of the sources. */
  get current(): readonly SinkWait[] {
    const nowMs = this.#options.clock.now()
    return this.#sample(nowMs).map(({ reason, detail, sinceMs }) => ({ reason, detail, durationMs: nowMs - sinceMs }))
  }

  /** Samples and logs on a timer from now on. */
  begin(): void {
    this.#cancel = this.#options.clock.schedule(SAMPLE_MS, () => {
      this.#look()
      this.begin()
    })
  }

  stop(): void {
    this.#cancel?.()
  }

  #look(): void {
    const nowMs = this.#options.clock.now()
    const current = this.#sample(nowMs)
    for (const reason of WAIT_REASONS) {
      this.#report(
        reason,
        current.filter((entry) => entry.reason === reason),
        nowMs
      )
    }
  }

  #sample(nowMs: number): readonly Entry[] {
    const current = new Set<Entry>()
    for (const { reason, subject = '', detail: given, sinceMs = nowMs } of this.#options.sources()) {
      // a detail is often the message of an error, and becomes a part of a sentence
      const detail = given.replace(/\.+$/, '')
      const key = `${reason} ${subject}`
      let entry = this.#entries.get(key)
      if (entry === undefined) this.#entries.set(key, (entry = { reason, sinceMs, detail, seenMs: nowMs }))
      entry.detail = detail
      entry.seenMs = nowMs
      current.add(entry)
    }
    for (const [key, { seenMs }] of this.#entries) if (nowMs - seenMs >= ENDED_MS) this.#entries.delete(key)
    return [...current]
  }

  #report(reason: WaitReason, current: readonly Entry[], nowMs: number): void {
    const { log } = this.#options
    const logged = this.#logged.get(reason)
    if (logged !== undefined && current.length > 0) logged.seenMs = nowMs
    if (logged === undefined) {
      if (current.length === 0) return
      const sinceMs = Math.min(...current.map((entry) => entry.sinceMs))
      if (nowMs - sinceMs < (reason === 'kafka' ? REBALANCE_MS : SHORT_MS)) return
      this.#logged.set(reason, { sinceMs, seenMs: nowMs, loggedMs: nowMs })
      log.warn(factsOf(reason, nowMs - sinceMs), `wait started: ${describe(reason, current)}`)
    } else if (nowMs - logged.seenMs >= ENDED_MS) {
      this.#logged.delete(reason)
      const ms = logged.seenMs - logged.sinceMs
      log.info(factsOf(reason, ms), `wait ended: ${NAMES[reason]}, after ${inSeconds(ms)} s`)
    } else if (nowMs - logged.loggedMs >= REPEAT_MS && current.length > 0) {
      logged.loggedMs = nowMs
      const ms = nowMs - logged.sinceMs
      log.warn(factsOf(reason, ms), `still waiting after ${inSeconds(ms)} s: ${describe(reason, current)}`)
    }
  }
}

/** Text for a wait: its name and its details. */
export function waitText({ reason, detail }: Pick<SinkWait, 'reason' | 'detail'>): string {
  return `${NAMES[reason]}: ${detail}`
}

const NAMES: Readonly<Record<WaitReason, string>> = {
  cosmos: 'Cosmos DB',
  throttled: 'request units',
  contention: 'other writers of the same documents',
  redis: 'Redis',
  kafka: 'Kafka',
  handover: 'the handover of partitions',
  switch: 'the switch to another container',
  registry: 'the schema registry',
  dead_letter_topic: 'the dead-letter topic',
  dead_letter_file: 'the file of rejected records',
  auth: 'valid credentials'
}

const SAMPLE_MS = 1000
/**
 * A wait that begins again within this time after its end counts as the same wait, so that a service that fails now and
 * then does not fill the log.
 */
const ENDED_MS = 2000
const REPEAT_MS = 60_000

/** A wait shorter than this is not logged. */
const SHORT_MS = 2000
/** Joining the group and a rebalance take several seconds in a normal run. */
const REBALANCE_MS = 10_000

function factsOf(reason: WaitReason, ms: number): object {
  return { event: 'wait', reason, seconds: inSeconds(ms) }
}

function inSeconds(ms: number): number {
  return Math.round(ms / 1000)
}

function describe(reason: WaitReason, entries: readonly Entry[]): string {
  const shown = entries.slice(0, MAX_DETAILS).map(({ detail }) => detail)
  const more = entries.length - shown.length
  return `${NAMES[reason]}: ${shown.join('; ')}${more > 0 ? `; and ${more} more` : ''}`
}

const MAX_DETAILS = 3

interface StallWatchOptions {
  readonly clock: Clock
  readonly stallMs: number
  /** Count that rises while the sink progresses. */
  readonly progress: () => number
  /** Oldest record in flight, named by topic, partition and offset; undefined if none is. */
  readonly oldestOpen: () => string | undefined
  /** Known reason to wait, such as throttling; undefined if there is none. */
  readonly waitingFor: () => string | undefined
  readonly onStall: (error: Error) => void
}

/**
 * Fails the sink when there was no progress for `stallMs` and no part reports a reason to wait. Checks six times in
 * that time.
 */
export function watchForStalls(options: StallWatchOptions): { readonly stop: () => void } {
  const { clock, stallMs, progress, oldestOpen, waitingFor, onStall } = options
  let lastProgress = progress()
  let lastMs = clock.now()
  let idleChecks = 0
  let cancel = clock.schedule(intervalMs(), check)

  // counts checks in addition to the time: a process that got no processor time is not stuck
  function check(): void {
    const nowMs = clock.now()
    const open = oldestOpen()
    const isFine = open === undefined || progress() !== lastProgress || waitingFor() !== undefined
    idleChecks = isFine ? 0 : idleChecks + 1
    if (isFine) lastMs = nowMs
    lastProgress = progress()
    if (idleChecks >= CHECKS && nowMs - lastMs >= stallMs) return onStall(stalled(open!, nowMs - lastMs))
    cancel = clock.schedule(intervalMs(), check)
  }

  function intervalMs(): number {
    return stallMs / CHECKS
  }

  return { stop: () => cancel() }
}

const CHECKS = 6

function stalled(open: string, idleMs: number): KeystampError {
  const seconds = Math.round(idleMs / 1000)
  return new KeystampError(
    'SINK_STALLED',
    `No progress for ${seconds} s, for no known reason. The oldest record without an outcome is ${open}.`
  )
}
