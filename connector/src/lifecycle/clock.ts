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
