import type { SystemClock } from '@keystamp/core/internal'
import type { LeaseDependencies } from '../../src/budget/lease.ts'
import { createLocalLedger } from '../../src/budget/ledger.ts'
import type { VirtualClock } from './virtual-clock.ts'

/** A process that shares a budget with others, as far as time goes. */
export interface Sharer {
  /** Time of its clock when the true time is 0. */
  readonly offsetMs: number
  /** How much faster than the true clock its own one runs. */
  readonly drift: number
}

export interface SharedSurroundingsOptions {
  readonly clock: VirtualClock
  readonly random: () => number
  /** How late timers are, in milliseconds; one in a hundred is ten times as late. */
  readonly latenessMs: number
  /** Milliseconds that a message to the store takes, or one from it. */
  readonly messageMs: () => number
}

/** The store and the time as one process sees them. */
export interface SharedSurroundings {
  readonly clock: SystemClock
  readonly lease: LeaseDependencies
}

/**
 * A store that several processes ask, which gives slots as the limiter in Redis does: by one clock, and never closer
 * together than they may be.
 */
export function shareSurroundings(
  options: SharedSurroundingsOptions
): (sharer: Sharer, name: string) => SharedSurroundings {
  const { clock, random, latenessMs, messageMs } = options
  const ledger = createLocalLedger(clock.now)
  let nextSlotMs = 0

  function schedule(ms: number, call: () => void): () => void {
    return clock.schedule(Math.ceil(ms) + random() * latenessMs * (random() < 0.01 ? 10 : 1), call)
  }

  async function nextSlot(everyMs: number): Promise<void> {
    await clock.sleep(messageMs())
    const waitMs = Math.max(0, nextSlotMs - clock.now())
    nextSlotMs = clock.now() + waitMs + everyMs
    await clock.sleep(messageMs())
    await new Promise<void>((resolve) => schedule(waitMs, resolve))
  }

  async function ask(name: string, ...[rangeId, asked]: Parameters<typeof ledger.ask>): ReturnType<typeof ledger.ask> {
    await clock.sleep(messageMs())
    const reports = asked.reports.map((report) => ({ ...report, id: `${name}:${report.id}` }))
    const entry = await ledger.ask(rangeId, { ...asked, id: `${name}:${asked.id}`, reports })
    await clock.sleep(messageMs())
    return entry
  }

  return ({ offsetMs, drift }, name) => {
    const now = (): number => offsetMs + clock.now() * (1 + drift)
    return {
      clock: { now, schedule, scheduleIdly: schedule },
      lease: {
        now,
        open: (everyMs) => ({
          ledger: { ask: (...asked) => ask(name, ...asked) },
          slots: { ready: Promise.resolve(), next: () => nextSlot(everyMs), retire: () => {}, close: async () => {} }
        })
      }
    }
  }
}
