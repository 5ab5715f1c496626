import { type Clock, createClock, waitFor } from '@keystamp/core/internal'

export { type Clock, waitFor, withTimeout } from '@keystamp/core/internal'

export const MACHINE_CLOCK: Clock = createClock(globalThis)

/** Waits in short steps, and ends early once `isNeeded` returns false. */
export async function waitWhile(isNeeded: () => boolean, ms: number, clock: Pick<Clock, 'schedule'>): Promise<void> {
  for (let leftMs = ms; leftMs > 0; leftMs -= STEP_MS) {
    await waitFor(Math.min(leftMs, STEP_MS), clock)
    if (!isNeeded()) return
  }
}

const STEP_MS = 200

/** Passes each sentence on at most once a minute, so that retries do not fill the log. */
export function rateLimited(clock: Pick<Clock, 'now'>, say: (sentence: string) => void): (sentence: string) => void {
  const saidMs = new Map<string, number>()
  return (sentence) => {
    const nowMs = clock.now()
    const before = saidMs.get(sentence)
    if (before !== undefined && nowMs - before < REPEAT_MS) return
    // a sentence with a number in it differs each time: without this limit the map would grow without end
    if (saidMs.size >= MAX_SENTENCES) saidMs.clear()
    saidMs.set(sentence, nowMs)
    say(sentence)
  }
}

const REPEAT_MS = 60_000
const MAX_SENTENCES = 100
