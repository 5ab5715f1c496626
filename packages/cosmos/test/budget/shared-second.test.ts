import { createRandom, maxInASecond, type Spent, VirtualClock } from '@keystamp/testkit'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { SharedRuBudget } from '../../src/budget/shared-ru-budget.ts'
import { createLease } from '../../src/budget/lease.ts'
import { type SharedDependencies, createSharedDependencies } from '../simulation/shared-dependencies.ts'

const BUDGET = 1000

interface Demand {
  readonly afterMs: number
  readonly ru: number
}

const demands = fc.array(
  fc.record({
    afterMs: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 60 }), fc.integer({ min: 0, max: 1500 })),
    ru: fc.oneof(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: BUDGET }))
  }),
  { minLength: 1, maxLength: 80 }
)

const sharers = fc.array(
  fc.record({
    offsetMs: fc.integer({ min: -1e7, max: 1e7 }),
    drift: fc.double({ min: -0.0005, max: 0.0005, noNaN: true }),
    demands
  }),
  { minLength: 1, maxLength: 5 }
)

const world = fc.record({
  sharers,
  seed: fc.integer(),
  latenessMs: fc.constantFrom(0, 2, 10, 40),
  // a nearby store, a distant store, and a store that sometimes does not answer for a while
  messages: fc.constantFrom(
    { ms: 0.3, stall: 0 },
    { ms: 0.3, stall: 0.05 },
    { ms: 30, stall: 0 },
    { ms: 200, stall: 0 },
    { ms: 5, stall: 0.02 }
  )
})

describe('budgets of several processes', () => {
  // checks L7
  it('together pay no more than the budget in each sliding second, even with late responses and late timers', async () => {
    await fc.assert(
      fc.asyncProperty(world, async ({ sharers: all, seed, latenessMs, messages }) => {
        const { next: random } = createRandom(seed)
        const clock = new VirtualClock()
        const messageMs = (): number => random() * messages.ms + (random() < messages.stall ? random() * 3000 : 0)
        const share = createSharedDependencies({ clock, random, latenessMs, messageMs })
        const spent: Spent[] = []
        const ended = all.map(({ demands: steps, ...sharer }, index) => {
          const spend = (ru: number): void => void spent.push({ atMs: clock.now(), ru })
          return spendAll(share(sharer, `p${index}`), steps, clock, spend)
        })
        let areDone = false
        void Promise.all(ended).then(() => (areDone = true))

        // no request waits forever
        expect(await clock.runUntil(() => areDone, 3.6e6)).toBe(true)
        expect(maxInASecond(spent)).toBeLessThanOrEqual(BUDGET + 0.001)
      }),
      { numRuns: 150 }
    )
  })

  it('allow a payment above the budget of a second if no other payment is in that second', async () => {
    const { next: random } = createRandom(1)
    const clock = new VirtualClock()
    const share = createSharedDependencies({ clock, random, latenessMs: 2, messageMs: () => 0.3 })
    const busy = Array.from({ length: 400 }, () => ({ afterMs: 0, ru: 36 }))
    const spent: Spent[] = []
    const large: Spent[] = []
    const both = [busy, [{ afterMs: 500, ru: 2500 }]].map((steps, index) =>
      spendAll(share({ offsetMs: 0, drift: 0 }, `p${index}`), steps, clock, (ru) => {
        spent.push({ atMs: clock.now(), ru })
        if (ru > BUDGET) large.push({ atMs: clock.now(), ru })
      })
    )
    let areDone = false
    void Promise.all(both).then(() => (areDone = true))
    await clock.runUntil(() => areDone, 60_000)

    expect(large).toHaveLength(1)
    expect(large[0].atMs).toBeLessThan(10_000)
    expect(maxInASecond(spent)).toBe(2500)
  })
})

/** Pays each cost as soon as the budget allows it, one after the other, as the dispatcher does. */
async function spendAll(
  { clock, lease: dependencies }: SharedDependencies,
  steps: readonly Demand[],
  time: VirtualClock,
  onSpent: (ru: number) => void
): Promise<void> {
  const lease = createLease({ ruPerSecond: BUDGET }, dependencies)
  let wake: (() => void) | undefined
  const budget = new SharedRuBudget({ lease, rangeId: '0', ruPerSecond: BUDGET, wake: () => wake?.() })
  const pay = (ru: number): void => {
    budget.pay(clock.now(), ru)
    onSpent(ru)
  }
  for (const { afterMs, ru } of steps) {
    await time.sleep(afterMs)
    for (let waitMs = budget.waitMs(clock.now(), ru); waitMs > 0; waitMs = budget.waitMs(clock.now(), ru)) {
      const part = budget.partRu(clock.now(), ru)
      if (part > 0 && ru <= budget.batchRu) pay(part)
      else if (waitMs < Number.POSITIVE_INFINITY) await new Promise<void>((resolve) => clock.schedule(waitMs, resolve))
      else await new Promise<void>((resolve) => (wake = resolve))
    }
    pay(ru)
    // the charges equal the payments
    budget.correct(clock.now(), 0)
  }
}
