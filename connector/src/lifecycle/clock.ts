/** Time as the sink sees it. */
export interface Clock {
  /** Milliseconds that never go back. */
  readonly now: () => number
  /** Calls once; the answer cancels. */
  readonly schedule: (ms: number, run: () => void) => () => void
}

export const MACHINE_CLOCK: Clock = {
  now: () => performance.now(),
  schedule: (ms, run) => {
    const timer = setTimeout(run, ms)
    return () => clearTimeout(timer)
  }
}

/** Resolves after a while. */
export function waitFor(ms: number, clock: Pick<Clock, 'schedule'>): Promise<void> {
  return new Promise((resolve) => {
    clock.schedule(ms, resolve)
  })
}

/** Waits in short steps, and ends soon after the wait is needed no more. */
export async function waitWhile(isNeeded: () => boolean, ms: number, clock: Pick<Clock, 'schedule'>): Promise<void> {
  for (let leftMs = ms; leftMs > 0; leftMs -= STEP_MS) {
    // oxlint-disable-next-line no-await-in-loop -- one step after the other
    await waitFor(Math.min(leftMs, STEP_MS), clock)
    if (!isNeeded()) return
  }
}

const STEP_MS = 200
