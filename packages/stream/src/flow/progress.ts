import type { Counts } from '../counts.ts'

/** Progress of a stage. */
export interface Progress extends Readonly<Counts> {
  readonly seconds: number
  /** Average since the start. */
  readonly recordsPerSecond: number
  readonly bytesPerSecond: number
}

/** Reports the progress at most once in `everyMs`, and once at the end. */
export interface ProgressReporter {
  readonly tick: () => void
  readonly finish: () => void
}

export function createProgressReporter(
  counts: Counts,
  { everyMs = 1000, now }: { readonly everyMs?: number; readonly now: () => number },
  report: (progress: Progress) => void
): ProgressReporter {
  const start = now()
  let last = start
  return {
    tick: () => {
      const time = now()
      if (time - last < everyMs) return
      last = time
      report(progressAt(time))
    },
    finish: () => report(progressAt(now()))
  }

  function progressAt(time: number): Progress {
    const seconds = (time - start) / 1000
    const perSecond = (count: number): number => (seconds > 0 ? count / seconds : 0)
    return {
      ...counts,
      seconds,
      recordsPerSecond: perSecond(counts.records),
      bytesPerSecond: perSecond(counts.bytesIn)
    }
  }
}
