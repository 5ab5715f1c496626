/** Monotonic time: it never goes back, whatever happens to the wall clock. */
export interface Clock {
  /** Milliseconds since an arbitrary moment. */
  readonly now: () => number
  /** Calls back after `ms`; the returned function cancels the call. */
  readonly schedule: (ms: number, call: () => void) => () => void
  /** The same, without keeping the process alive. */
  readonly scheduleIdly: (ms: number, call: () => void) => () => void
}

/** The clock of this machine. */
export const SYSTEM_CLOCK: Clock = {
  now: () => performance.now(),
  schedule: (ms, call) => {
    // a timer takes at least a millisecond
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
