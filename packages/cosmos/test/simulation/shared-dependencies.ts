import type { SystemClock } from '@keystamp/core/internal'
import type { LeaseDependencies } from '../../src/budget/lease.ts'
import { createLocalLedger } from '../../src/budget/ledger.ts'
import type { VirtualClock } from '@keystamp/testkit'

/** The clock of a process that shares a budget. */
export interface Sharer {
  /** Time of the clock when the true time is 0. */
  readonly offsetMs: number
  /** Factor by which the clock runs faster than true time, minus 1. */
  readonly drift: number
}

export interface SharedDependenciesOptions {
  readonly clock: VirtualClock
  readonly random: () => number
  /** Delay of timers, in milliseconds. One timer in a hundred has ten times this delay. */
  readonly latenessMs: number
  /** Milliseconds for a message to the store or from the store. */
  readonly messageMs: () => number
}

/** The store and the clock as one process sees them. */
export interface SharedDependencies {
  readonly clock: SystemClock
  readonly lease: LeaseDependencies
}

/**
 * Creates a store for several processes. It provides slots like the limiter in Redis: with one clock, and with the
 * minimum time between two slots.
 */
export function createSharedDependencies(
  options: SharedDependenciesOptions
): (sharer: Sharer, name: string) => SharedDependencies {
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
