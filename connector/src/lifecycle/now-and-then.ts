import type { Clock } from './clock.ts'

/** Lets the same sentence through only now and then: what stays broken is asked again more often than anybody wants to read of it. */
export function nowAndThen(clock: Pick<Clock, 'now'>, say: (sentence: string) => void): (sentence: string) => void {
  const saidMs = new Map<string, number>()
  return (sentence) => {
    const nowMs = clock.now()
    const before = saidMs.get(sentence)
    if (before !== undefined && nowMs - before < AGAIN_MS) return
    // sentences with a number in them must not pile up
    if (saidMs.size >= MOST_KEPT) saidMs.clear()
    saidMs.set(sentence, nowMs)
    say(sentence)
  }
}

const AGAIN_MS = 60_000
const MOST_KEPT = 100
