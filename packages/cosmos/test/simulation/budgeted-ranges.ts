import { createRandom, VirtualClock } from '@keystamp/testkit'
import { LocalRuBudget, UNLIMITED } from '../../src/budget/ru-budget.ts'
import { Router } from '../../src/dispatch/router.ts'
import { BudgetedService } from './budgeted-service.ts'

/** Options for ranges with a budget, and for the timers of their callers. */
export interface BudgetOptions {
  readonly seed: number
  readonly ruPerSecond: number
  readonly isBudgetKnown: boolean
  readonly maxRetryAfterMs: number
  /** Delay of timers, in milliseconds. One timer in a hundred has ten times this delay. */
  readonly latenessMs: number
  readonly chargeRu: (random: () => number) => number
}

export interface RangesOptions extends BudgetOptions {
  readonly ranges: number
  readonly maxBytes: number
  readonly onStop: (error: Error) => void
}

export interface BudgetedRanges {
  readonly clock: VirtualClock
  readonly random: () => number
  /** One service for each range, in order. */
  readonly services: readonly BudgetedService[]
  readonly router: Router
}

/** Creates ranges that each have a budget and never move, and a router that writes into them in virtual time. */
export function openBudgetedRanges(options: RangesOptions): BudgetedRanges {
  const { seed, ranges, ruPerSecond, isBudgetKnown, latenessMs, maxBytes, onStop } = options
  const { next: random } = createRandom(seed)
  const clock = new VirtualClock()
  const services = Array.from({ length: ranges }, () => serviceOf(options, clock, random))
  const schedule = (ms: number, call: () => void): (() => void) =>
    clock.schedule(Math.ceil(ms) + random() * latenessMs * (random() < 0.01 ? 10 : 1), call)
  const router = new Router({
    ranges: services.map((_, index) => ({
      id: String(index),
      min: minOf(index),
      max: index + 1 === ranges ? 'FF' : minOf(index + 1),
      parents: []
    })),
    transport: { send: (request) => services[Number(request.rangeId)].send(request), close: () => {} },
    clock: { ...clock, now: clock.now, schedule },
    random,
    maxBytes,
    retryForMs: 1e9,
    createBudget: () => (isBudgetKnown ? new LocalRuBudget(ruPerSecond, clock.now(), { isFirst: true }) : UNLIMITED),
    refreshRanges: () => Promise.reject(new Error('Nothing moves here.')),
    checkContainer: () => Promise.resolve(),
    renewSignatures: () => {},
    refreshEndpoints: () => {},
    onStop
  })
  return { clock, random, services, router }
}

/** Lower boundary of a range. */
export function minOf(range: number): string {
  return range === 0 ? '' : range.toString(16).padStart(2, '0').toUpperCase()
}

function serviceOf(
  { ruPerSecond, chargeRu, maxRetryAfterMs }: BudgetOptions,
  clock: VirtualClock,
  random: () => number
): BudgetedService {
  return new BudgetedService({
    clock,
    random,
    ruPerSecond,
    chargeRu: () => chargeRu(random),
    latencyMs: () => 8 + random() * 4 + (random() < 0.01 ? 30 : 0),
    maxRetryAfterMs
  })
}
