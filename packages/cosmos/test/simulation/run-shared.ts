import { createRandom, maxInASecond, type Spent, VirtualClock } from '@keystamp/testkit'
import { NO_CONDITIONS, PendingOperation } from '../../src/dispatch/pending-operation.ts'
import { SharedRuBudget } from '../../src/budget/shared-ru-budget.ts'
import { createLease } from '../../src/budget/lease.ts'
import { Router } from '../../src/dispatch/router.ts'
import type { Transport } from '../../src/client/transport.ts'
import { BudgetedService } from './budgeted-service.ts'
import { type Sharer, type SharedDependencies, createSharedDependencies } from './shared-dependencies.ts'

export interface SharedLoadOptions {
  readonly seed: number
  readonly ruPerSecond: number
  readonly seconds: number
  readonly sharers: readonly Sharer[]
  /** Delay of timers, in milliseconds. One timer in a hundred has ten times this delay. */
  readonly latenessMs: number
  readonly messageMs: (random: () => number) => number
  readonly chargeRu: (random: () => number) => number
}

export interface SharedLoadResult {
  /** Share of the provisioned RU that was used, without the first second. */
  readonly usedShare: number
  readonly throttledShare: number
  /** Maximum charge of all processes together in any sliding second, as a share of the budget. */
  readonly maxShare: number
  /** Share of each process in the total charge. */
  readonly parts: readonly number[]
}

/** Runs several processes that share a budget and keep one range busy for some seconds of virtual time. */
export async function runShared(options: SharedLoadOptions): Promise<SharedLoadResult> {
  const { seed, ruPerSecond, seconds, sharers, latenessMs } = options
  const { next: random } = createRandom(seed)
  const clock = new VirtualClock()
  const service = new BudgetedService({
    clock,
    random,
    ruPerSecond,
    chargeRu: () => options.chargeRu(random),
    latencyMs: () => 5 + random() * 4 + (random() < 0.01 ? 30 : 0),
    maxRetryAfterMs: 1000
  })
  const share = createSharedDependencies({ clock, random, latenessMs, messageMs: () => options.messageMs(random) })
  const sent = sharers.map((): Spent[] => [])
  for (const [index, sharer] of sharers.entries()) {
    const name = `p${index}`
    keepBusy(
      openRouter({
        ruPerSecond,
        random,
        transport: watch(service, clock, sent[index]),
        dependencies: share(sharer, name)
      }),
      name
    )
  }
  await clock.runUntil(() => false, 1000)
  const { usedRu } = service
  await clock.runUntil(() => false, (seconds + 1) * 1000)
  const all = sent.map((some) => some.reduce((sum, { ru }) => sum + ru, 0))
  return {
    usedShare: (service.usedRu - usedRu) / seconds / ruPerSecond,
    throttledShare: service.throttled / service.operations,
    maxShare: maxInASecond(sent.flat()) / ruPerSecond,
    parts: all.map((ru) => ru / all.reduce((sum, other) => sum + other, 0))
  }
}

/** Records the time and the charge of requests. */
function watch(service: BudgetedService, clock: VirtualClock, sent: Spent[]): Transport {
  return {
    send: async (request) => {
      const atMs = clock.now()
      const answer = await service.send(request)
      const operations = answer.kind === 'answered' ? answer.operations : []
      sent.push({ atMs, ru: operations.reduce((sum, { requestCharge }) => sum + (requestCharge ?? 0), 0) })
      return answer
    },
    close: () => {}
  }
}

interface RouterOfOne {
  readonly ruPerSecond: number
  readonly random: () => number
  readonly transport: Transport
  readonly dependencies: SharedDependencies
}

function openRouter({ ruPerSecond, random, transport, dependencies }: RouterOfOne): Router {
  const lease = createLease({ ruPerSecond }, dependencies.lease)
  return new Router({
    ranges: [{ id: '0', min: '', max: 'FF', parents: [] }],
    transport,
    clock: dependencies.clock,
    random,
    maxBytes: 1e9,
    retryForMs: 1e9,
    createBudget: (range, _, wake) => new SharedRuBudget({ lease, rangeId: range.id, ruPerSecond, wake }),
    refreshRanges: () => Promise.reject(new Error('Nothing moves here.')),
    checkContainer: () => Promise.resolve(),
    renewSignatures: () => {},
    refreshEndpoints: () => {},
    onStop: (error) => {
      throw error
    }
  })
}

function keepBusy(router: Router, name: string): void {
  for (let id = 0; id < WAITING; id++) submit(id)

  function submit(id: number): void {
    const facts = {
      type: 'Upsert',
      values: ['k'],
      id: `${name}-${id}`,
      definition: {},
      head: 0x1f000000,
      body: '{}',
      conditions: NO_CONDITIONS
    } as const
    router.submit(
      new PendingOperation(facts, (outcome) => {
        if (outcome instanceof Error) throw outcome
        submit(id)
      })
    )
  }
}

// for some seconds, waiting operations still have prices from before the writer has learned the right ones
const WAITING = 800
