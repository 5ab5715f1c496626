/** Time as an argument: programs pass the clock of their machine, tests pass a virtual one. */
export interface Clock {
  /** Milliseconds since an arbitrary moment; never decreases. */
  readonly now: () => number
  /** Calls `run` once after `ms`; the returned function cancels the call. */
  readonly schedule: (ms: number, run: () => void) => () => void
}

/** A clock with calls that do not keep a process alive. */
export interface SystemClock extends Clock {
  /** Like `schedule`, but the process may end before the call. */
  readonly scheduleIdly: (ms: number, run: () => void) => () => void
}

/** The part of `globalThis` that a clock needs. */
export interface Timers {
  readonly performance: { readonly now: () => number }
  setTimeout(run: () => void, ms: number): unknown
  clearTimeout(timer: unknown): void
  setImmediate?(run: () => void): unknown
  clearImmediate?(immediate: unknown): void
}

/** Creates the clock of a machine: `createClock(globalThis)`. */
export function createClock(timers: Timers): SystemClock {
  return {
    now: () => timers.performance.now(),
    schedule(ms, run) {
      // not a timer, which takes at least one millisecond
      if (ms <= 0 && timers.setImmediate !== undefined) {
        const immediate = timers.setImmediate(run)
        return () => timers.clearImmediate?.(immediate)
      }
      const timer = timers.setTimeout(run, Math.ceil(ms))
      return () => timers.clearTimeout(timer)
    },
    scheduleIdly(ms, run) {
      const timer = timers.setTimeout(run, Math.ceil(ms))
      const { unref } = timer as { unref?: () => unknown }
      unref?.call(timer)
      return () => timers.clearTimeout(timer)
    }
  }
}

/** The part of an AbortSignal that waiting needs. */
export interface StopSignal {
  readonly aborted: boolean
  readonly reason: unknown
  addEventListener(type: 'abort', listener: () => void, options?: { once: boolean }): void
  removeEventListener(type: 'abort', listener: () => void): void
}

/** Resolves after `ms`; rejects with the signal's reason when the signal aborts. */
export function waitFor(ms: number, clock: Pick<Clock, 'schedule'>, signal?: StopSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) {
      reject(toError(signal.reason))
      return
    }
    const cancel = clock.schedule(ms, () => {
      signal?.removeEventListener('abort', stop)
      resolve()
    })
    function stop(): void {
      cancel()
      reject(toError(signal?.reason))
    }
    signal?.addEventListener('abort', stop, { once: true })
  })
}

/**
 * Waits for the work, at most `ms`. Resolves with true if the work ends in time, otherwise with false; rejects if the
 * work fails in time.
 */
export async function withTimeout(
  work: Promise<unknown>,
  ms: number,
  clock: Pick<Clock, 'schedule'>
): Promise<boolean> {
  let cancel: (() => void) | undefined
  const timeout = new Promise<false>((resolve) => {
    cancel = clock.schedule(ms, () => resolve(false))
  })
  try {
    return await Promise.race([work.then(() => true), timeout])
  } finally {
    cancel?.()
  }
}

function toError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error('The wait was aborted.', { cause: reason })
}
