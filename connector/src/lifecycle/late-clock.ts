import type { Clock } from './clock.ts'

/** A clock that rings for nobody before `begin`: what is made and never used must not keep its process alive. */
export interface LateClock extends Clock {
  /** What was asked for until now is counted from here. */
  readonly begin: () => void
}

export function createLateClock({ now, schedule }: Clock): LateClock {
  const waiting = new Set<() => void>()
  let hasBegun = false

  function later(ms: number, run: () => void): () => void {
    let cancel: (() => void) | undefined
    const set = (): void => {
      cancel = schedule(ms, run)
    }
    waiting.add(set)
    return () => {
      waiting.delete(set)
      cancel?.()
    }
  }

  return {
    now,
    schedule: (ms, run) => (hasBegun ? schedule(ms, run) : later(ms, run)),
    begin: () => {
      hasBegun = true
      for (const set of waiting) set()
      waiting.clear()
    }
  }
}
