import type { AnswerHost } from './answer-host.ts'
import type { Lane } from './lane.ts'

/** The service told operations of a lane to wait: one pause for all of them. */
export function throttle(host: AnswerHost, lane: Lane, operations: number, retryAfterMs: number): void {
  lane.counts.throttledBatches++
  lane.counts.throttledOperations += operations
  // some say zero, again and again: asking as fast as the network allows would only cost both sides
  const leastMs = Math.min(MIN_WAIT_MS, 2 ** lane.throttles++)
  lane.governor.throttled(host.clock.now(), Math.max(retryAfterMs, leastMs))
}

const MIN_WAIT_MS = 16

/** How long to wait where the service does not say it. */
export function unknownWait(random: () => number): number {
  return 20 + random() * 80
}
