import type { Clock } from '@keystamp/core/internal'
import type { OpenMoveContainer } from '../containers/open-container.ts'
import type { ThroughputLimit } from './throughput-use.ts'

/**
 * Reasons why a move waits. `source`, `target`: a container that does not answer. `source_share`, `target_share`: its
 * throughput is used up while the lag grows. `pause`, `postpone`: a file that an operator has created. `processes`: the
 * other processes of the move.
 */
export const WAIT_REASONS = [
  'source',
  'target',
  'source_share',
  'target_share',
  'pause',
  'postpone',
  'processes'
] as const

export type WaitReason = (typeof WAIT_REASONS)[number]

/** A wait that lasts. */
export interface MoveWait {
  readonly reason: WaitReason
  /** Sentence with the details. */
  readonly detail: string
  /** Time at which the wait began. */
  readonly since: string
}

/** The state of a move at one moment. */
export interface WaitFacts {
  readonly source: Pick<OpenMoveContainer, 'name' | 'waiting'>
  readonly target: Pick<OpenMoveContainer, 'name' | 'waiting'>
  readonly limits: Readonly<Record<'source' | 'target', ThroughputLimit | undefined>>
  /** Undefined while documents are copied for the first time: a lag then says nothing. */
  readonly lagSeconds: number | undefined
  readonly pausedFor: string | undefined
  /** Kind of wait that the present step is. */
  readonly stepWait: { readonly reason: 'postpone' | 'processes'; readonly detail: string } | undefined
}

interface Options {
  readonly clock: Pick<Clock, 'now'>
  /** Milliseconds since 1970. */
  readonly wallMs: () => number
  /** Called with a sentence when a wait has lasted 5 seconds, then once a minute, and when it ends. */
  readonly onWait: (sentence: string) => void
}

interface Entry {
  readonly sinceMs: number
  detail: string
  saidMs: number | undefined
}

/** A wait that is shorter is usual. */
const SAID_MS = 5000
const REPEATED_MS = 60_000
/** The lag grows if it is larger by this than some time ago. */
const GROWTH_SECONDS = 2
const LAG_WINDOW_MS = 10_000

/** Notices what a move waits for, and says it. */
export class MoveWaits {
  readonly #options: Options
  readonly #entries: Map<WaitReason, Entry> = new Map()
  #lags: readonly { readonly atMs: number; readonly seconds: number }[] = []

  constructor(options: Options) {
    this.#options = options
  }

  /** The waits that have lasted 5 seconds, in the order of their reasons; a pause at once. */
  get current(): readonly MoveWait[] {
    const { clock, wallMs } = this.#options
    const wallAt = (ms: number): string => new Date(wallMs() - (clock.now() - ms)).toISOString()
    return WAIT_REASONS.flatMap((reason) => {
      const entry = this.#entries.get(reason)
      if (entry?.saidMs === undefined) return []
      return [{ reason, detail: entry.detail, since: wallAt(entry.sinceMs) }]
    })
  }

  /** Must be called about twice a second. */
  look(facts: WaitFacts): void {
    const nowMs = this.#options.clock.now()
    const found = this.#find(facts, nowMs)
    for (const [reason, { sinceMs, detail }] of found) {
      const entry = this.#entries.get(reason) ?? { sinceMs, detail, saidMs: undefined }
      entry.detail = detail
      this.#entries.set(reason, entry)
      this.#say(reason, entry, nowMs)
    }
    for (const [reason, { sinceMs, saidMs }] of this.#entries) {
      if (found.has(reason)) continue
      this.#entries.delete(reason)
      const seconds = Math.round((nowMs - sinceMs) / 1000)
      if (saidMs !== undefined) this.#options.onWait(`${ENDS[reason]} after ${seconds} s`)
    }
  }

  #say(reason: WaitReason, entry: Entry, nowMs: number): void {
    const { sinceMs, saidMs, detail } = entry
    if (saidMs === undefined ? nowMs - sinceMs < (AT_ONCE.has(reason) ? 0 : SAID_MS) : nowMs - saidMs < REPEATED_MS)
      return
    entry.saidMs = nowMs
    const { wallMs } = this.#options
    const since = new Date(wallMs() - (nowMs - sinceMs)).toISOString().slice(11, 19)
    this.#options.onWait(`waiting since ${since} UTC: ${detail}`)
  }

  #find(
    facts: WaitFacts,
    nowMs: number
  ): ReadonlyMap<WaitReason, { readonly sinceMs: number; readonly detail: string }> {
    const found = new Map<WaitReason, { readonly sinceMs: number; readonly detail: string }>()
    const { pausedFor, stepWait, limits } = facts
    const isGrowing = this.#isGrowing(facts.lagSeconds, nowMs)
    for (const side of ['source', 'target'] as const) {
      const { name } = facts[side]
      const wait = facts[side].waiting()
      if (wait !== undefined) found.set(side, { sinceMs: wait.sinceMs, detail: `${name}: ${wait.detail}` })
      const limit = limits[side]
      if (limit === undefined || !isGrowing) continue
      found.set(`${side}_share`, { sinceMs: nowMs, detail: `${name}: ${shareText(side, limit)}` })
    }
    if (pausedFor !== undefined) found.set('pause', { sinceMs: nowMs, detail: `${pausedFor}, so nothing is copied` })
    if (stepWait !== undefined) found.set(stepWait.reason, { sinceMs: nowMs, detail: stepWait.detail })
    return found
  }

  /** A lag that has grown counts until it gets smaller. */
  #isGrowing(seconds: number | undefined, atMs: number): boolean {
    if (seconds === undefined) {
      this.#lags = []
      return false
    }
    this.#lags = [...this.#lags.filter((lag) => atMs - lag.atMs <= LAG_WINDOW_MS), { atMs, seconds }]
    const growth = seconds - this.#lags[0].seconds
    const isShown = this.#entries.has('source_share') || this.#entries.has('target_share')
    return growth >= (isShown ? 0 : GROWTH_SECONDS)
  }
}

const AT_ONCE: ReadonlySet<WaitReason> = new Set(['pause', 'postpone', 'processes'])

const ENDS: Readonly<Record<WaitReason, string>> = {
  source: 'the source answers again',
  target: 'the target answers again',
  source_share: 'the lag does not grow any more',
  target_share: 'the lag does not grow any more',
  pause: 'copying continues',
  postpone: 'the step continues',
  processes: 'the other processes have stopped'
}

function shareText(side: 'source' | 'target', limit: ThroughputLimit): string {
  const option = side === 'source' ? '--share-from' : '--share-to'
  return limit === 'share'
    ? `its share is used up while the lag grows. Start the move again with a larger ${option}.`
    : `Cosmos DB throttles while the lag grows. Provision more throughput, or let other programs use less.`
}
