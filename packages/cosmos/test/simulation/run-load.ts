import { createRandom } from '@keystamp/lab'
import { NO_TERMS, Pending } from '../../src/batch/pending.ts'
import { BOTTOMLESS } from '../../src/governor/purse.ts'
import { TimedPurse } from '../../src/governor/timed-purse.ts'
import { Router } from '../../src/router/router.ts'
import { BudgetedService } from './budgeted-service.ts'
import { VirtualClock } from './virtual-clock.ts'

export interface LoadOptions {
  readonly seed: number
  readonly ruPerSecond: number
  readonly seconds: number
  readonly isBudgetKnown: boolean
  readonly mostRetryAfterMs: number
  /** How late timers are, in milliseconds; one in a hundred is ten times as late. */
  readonly latenessMs: number
  readonly chargeRu: (random: () => number) => number
}

export interface LoadResult {
  /** Share of the bought RU that did work, the first second left out. */
  readonly usedShare: number
  readonly throttledShare: number
  readonly sent: readonly { readonly atMs: number; readonly ru: number }[]
}

/** Keeps one range busy for some seconds of a clock that does not have to be waited for. */
export async function runLoad({
  seed,
  ruPerSecond,
  seconds,
  isBudgetKnown,
  mostRetryAfterMs,
  latenessMs,
  chargeRu
}: LoadOptions): Promise<LoadResult> {
  const { next: random } = createRandom(seed)
  const clock = new VirtualClock()
  const lateClock = {
    ...clock,
    now: clock.now,
    schedule: (ms: number, call: () => void) => clock.schedule(Math.ceil(ms) + random() * latenessMs * (random() < 0.01 ? 10 : 1), call)
  }
  const service = new BudgetedService({
    clock,
    random,
    ruPerSecond,
    chargeRu: () => chargeRu(random),
    latencyMs: () => 8 + random() * 4 + (random() < 0.01 ? 30 : 0),
    mostRetryAfterMs
  })
  const router = new Router({
    ranges: [{ id: '0', min: '', max: 'FF', parents: [] }],
    transport: service,
    clock: lateClock,
    random,
    maxBytes: 1e9,
    retryForMs: 1e9,
    createPurse: () => (isBudgetKnown ? new TimedPurse(ruPerSecond, clock.now()) : BOTTOMLESS),
    refreshRanges: () => Promise.reject(new Error('Nothing moves here.')),
    checkContainer: () => Promise.resolve(),
    renewSignatures: () => {},
    refreshEndpoints: () => {},
    onStop: (error) => {
      throw error
    }
  })
  for (let id = 0; id < WAITING; id++) submit(id)
  await clock.runUntil(() => false, 1000)
  const before = { usedRu: service.usedRu, operations: service.operations, throttled: service.throttled }
  await clock.runUntil(() => false, (seconds + 1) * 1000)
  return {
    usedShare: (service.usedRu - before.usedRu) / seconds / ruPerSecond,
    throttledShare: (service.throttled - before.throttled) / (service.operations - before.operations),
    sent: service.arrivals
  }

  function submit(id: number): void {
    const facts = {
      type: 'Upsert',
      values: ['k'],
      id: `d${id}`,
      epk: '1F',
      body: '{}',
      terms: NO_TERMS
    } as const
    router.submit(
      new Pending(facts, (outcome) => {
        if (outcome instanceof Error) throw outcome
        submit(id)
      })
    )
  }
}

const WAITING = 1500
