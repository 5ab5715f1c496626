import { NO_CONDITIONS, PendingOperation } from '../../src/dispatch/pending-operation.ts'
import { type BudgetOptions, openBudgetedRanges } from './budgeted-ranges.ts'

export interface LoadOptions extends BudgetOptions {
  readonly seconds: number
}

export interface LoadResult {
  /** Share of the provisioned RU that was used, without the first second. */
  readonly usedShare: number
  readonly throttledShare: number
  readonly sent: readonly { readonly atMs: number; readonly ru: number }[]
}

/** Keeps one range busy for some seconds of virtual time. */
export async function runLoad({ seconds, ...options }: LoadOptions): Promise<LoadResult> {
  const { ruPerSecond } = options
  const { clock, services, router } = openBudgetedRanges({
    ...options,
    ranges: 1,
    maxBytes: 1e9,
    onStop: (error) => {
      throw error
    }
  })
  const [service] = services
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

const WAITING = 1500
