import type { Clock } from '../src/clock.ts'

/** A clock whose time changes only when `advance` is called. */
export interface VirtualClock extends Clock {
  /** Runs all calls that are due within `ms`, in order, and the calls that they schedule in this time. */
  readonly advance: (ms: number) => Promise<void>
  /** Number of scheduled calls. */
  readonly scheduled: () => number
}

export function createVirtualClock(): VirtualClock {
  let nowMs = 0
  const calls = new Set<{ readonly atMs: number; readonly run: () => void }>()
  return {
    now: () => nowMs,
    schedule(ms, run) {
      const call = { atMs: nowMs + ms, run }
      calls.add(call)
      return () => calls.delete(call)
    },
    scheduled: () => calls.size,
    async advance(ms) {
      const endMs = nowMs + ms
      await settle()
      for (let next = earliest(endMs); next !== undefined; next = earliest(endMs)) {
        nowMs = next.atMs
        calls.delete(next)
        next.run()
        await settle()
      }
      nowMs = endMs
    }
  }

  function earliest(endMs: number): { readonly atMs: number; readonly run: () => void } | undefined {
    return [...calls].filter(({ atMs }) => atMs <= endMs).toSorted((a, b) => a.atMs - b.atMs)[0]
  }
}

async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve()
}
