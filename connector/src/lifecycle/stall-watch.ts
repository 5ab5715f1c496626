import { KeystampError } from '@keystamp/core'
import type { Clock } from './clock.ts'

export interface StallWatchOptions {
  readonly clock: Clock
  readonly stallMs: number
  /** Counts whatever shows that the work goes on. */
  readonly progress: () => number
  /** What is open, named by topic, partition and offset; undefined while nothing is. */
  readonly oldestOpen: () => string | undefined
  /** Why work waits: throttled, Cosmos DB down, the reject sink down. Undefined where nothing explains a wait. */
  readonly waitingFor: () => string | undefined
  readonly onStall: (error: Error) => void
}

/** Tells the stuck from the patient: a record that has waited too long, and nobody knows what for. */
export function watchForStalls(options: StallWatchOptions): { readonly stop: () => void } {
  const { clock, stallMs, progress, oldestOpen, waitingFor, onStall } = options
  let lastProgress = progress()
  let lastMs = clock.now()
  let idleLooks = 0
  let cancel = clock.schedule(lookMs(), look)

  // a process that got no time to run is not one whose work is stuck: it is given as many looks as any other
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
    `For ${seconds} s nothing has moved, and nothing explains why. The oldest open record is ${open}.`
  )
}
