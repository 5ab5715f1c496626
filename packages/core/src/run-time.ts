import type { Clock } from './clock.ts'

/**
 * Measures the time in which this process runs. While the process is stopped, or the machine sleeps, it
 * waits for no service: such a time says nothing about a service that did not answer.
 */
export interface RunTime {
  /** Milliseconds since the creation in which this process ran. */
  readonly ms: () => number
  readonly stop: () => void
}

const MAX_STEP_MS = 5000
const MIN_STEP_MS = 20

/**
 * Creates a run time for a limit. It looks at the clock 20 times within the limit, at least every 5 seconds; a longer
 * time between two looks than two steps did not run.
 */
export function createRunTime(clock: Pick<Clock, 'now'>, limitMs: number, schedule: Clock['schedule']): RunTime {
  const stepMs = Math.max(MIN_STEP_MS, Math.min(MAX_STEP_MS, limitMs / 20))
  let countedMs = 0
  let seenMs = clock.now()
  let cancel = schedule(stepMs, look)

  function look(): void {
    countedMs = ms()
    seenMs = clock.now()
    cancel = schedule(stepMs, look)
  }

  function ms(): number {
    return countedMs + Math.min(clock.now() - seenMs, 2 * stepMs)
  }

  return { ms, stop: () => cancel() }
}
