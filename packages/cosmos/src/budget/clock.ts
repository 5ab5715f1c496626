/** Time as the writer sees it: it never goes back, whatever happens to the clock on the wall. */
export interface Clock {
  /** Milliseconds since some moment. */
  readonly now: () => number
  /** Calls back after `ms`; the answer takes the call back. */
  readonly schedule: (ms: number, call: () => void) => () => void
  /** The same for what nobody waits for: it does not keep a process alive. */
  readonly scheduleIdly: (ms: number, call: () => void) => () => void
}

/** The clock of this machine. */
export const SYSTEM_CLOCK: Clock = {
  now: () => performance.now(),
  schedule: (ms, call) => {
    // a timer takes a millisecond at least
    if (ms <= 0) {
      const turn = setImmediate(call)
      return () => clearImmediate(turn)
    }
    const timer = setTimeout(call, Math.ceil(ms))
    return () => clearTimeout(timer)
  },
  scheduleIdly: (ms, call) => {
    const timer = setTimeout(call, Math.ceil(ms)).unref()
    return () => clearTimeout(timer)
  }
}
