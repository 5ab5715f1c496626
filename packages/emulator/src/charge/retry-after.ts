import type { Budget } from './budget.ts'
import type { RetryAfterPolicy } from './throttle-options.ts'

const LONG_TAIL_MS = 2000
const LONG_TAIL_SHARE = 0.05

/** The wait that a throttled client is told, in milliseconds. */
export function retryAfterMs(budget: Budget, policy: RetryAfterPolicy, nowMs: number, random: () => number): number {
  if (policy === 'window') return budget.waitMs(nowMs)
  if (policy === 'overdraft') return budget.overdraftMs()
  if (policy === 'long-tail') return random() < LONG_TAIL_SHARE ? LONG_TAIL_MS : budget.waitMs(nowMs)
  return 'fixedMs' in policy ? policy.fixedMs : Math.min(policy.cappedMs, budget.waitMs(nowMs))
}
