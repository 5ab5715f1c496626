import type { SinkState } from './lifecycle/states.ts'
import type { SinkStats } from './sink-stats.ts'

/** A running sink. */
export interface Sink {
  readonly name: string
  readonly state: SinkState
  /** Connects and begins, once. Rejects with what stands in the way; resolves also when it is stopped meanwhile. */
  readonly start: () => Promise<void>
  /** Opens nothing new, waits until all that is open is settled, commits, and leaves the group. Resolves when that is done. */
  readonly stop: () => Promise<void>
  /** How it ended; resolves in any case. */
  readonly ended: Promise<SinkEnd>
  readonly stats: () => SinkStats
}

/** `error` says why a sink failed, or what it left behind when it was stopped. */
export interface SinkEnd {
  readonly state: 'stopped' | 'failed'
  readonly error: Error | undefined
}
