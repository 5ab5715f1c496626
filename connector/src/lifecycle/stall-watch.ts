import { KeystampError } from '@keystamp/core'
import type { Clock } from './clock.ts'

export interface StallWatchOptions {
  readonly clock: Clock
  readonly stallMs: number
  /** Count that rises while the sink progresses. */
  readonly progress: () => number
  /** Oldest record in flight, named by topic, partition and offset; undefined where none is. */
  readonly oldestOpen: () => string | undefined
  /** Known reason to wait, such as throttling; undefined where there is none. */
  readonly waitingFor: () => string | undefined
  readonly onStall: (error: Error) => void
}

/** Fails the sink when nothing has progressed for `stallMs` and no part reports a reason to wait. Looks six times in that time. */
export function watchForStalls(options: StallWatchOptions): { readonly stop: () => void } {
  const { clock, stallMs, progress, oldestOpen, waitingFor, onStall } = options
  let lastProgress = progress()
  let lastMs = clock.now()
  let idleLooks = 0
  let cancel = clock.schedule(lookMs(), look)

  // counts looks as well as time: a process that got no processor time is not stuck
  function look(): void {
    const nowMs = clock.now()
    const open = oldestOpen()
    const isFine = open === undefined || progress() !== lastProgress || waitingFor() !== undefined
    idleLooks = isFine ? 0 : idleLooks + 1
    if (isFine) lastMs = nowMs
    lastProgress = progress()
    if (idleLooks >= LOOKS && nowMs - lastMs >= stallMs) return onStall(stalled(open!, nowMs - lastMs))
    cancel = clock.schedule(lookMs(), look)
  }

  function lookMs(): number {
    return stallMs / LOOKS
  }

  return { stop: () => cancel() }
}

const LOOKS = 6

function stalled(open: string, idleMs: number): KeystampError {
  const seconds = Math.round(idleMs / 1000)
  return new KeystampError(
    'SINK_STALLED',
    `No progress for ${seconds} s, for no known reason. The oldest record without an outcome is ${open}.`
  )
}
