import type { ContainerRange } from '../client/container.ts'
import type { Clock } from '@keystamp/core/internal'
import type * as SharedRuBudgetModule from './shared-ru-budget.ts'
import { LocalRuBudget, type RuBudget, UNLIMITED } from './ru-budget.ts'
import type * as LeaseModule from './lease.ts'
import type { Throughput, SharedBudget } from './throughput-share.ts'

/** Creates the RU budgets of ranges from the throughput of all ranges. */
export interface RuBudgets {
  readonly ready: Promise<void>
  readonly create: (range: ContainerRange, count: number, wake: () => void) => RuBudget
  readonly close: () => Promise<void>
}

export interface RuBudgetsOptions {
  /** The ledger that several processes share; undefined where this process has the budget alone. */
  readonly sharedThrough: SharedBudget | undefined
  /** Called when the ledger cannot be reached. */
  readonly onError: ((error: Error) => void) | undefined
  readonly clock: Clock
  readonly throughput: Throughput
  /** The ranges of the container when the writer opens it. */
  readonly ranges: readonly ContainerRange[]
}

/** Divides the throughput evenly between ranges; processes that share it lease it. */
export async function createRuBudgets({
  sharedThrough,
  onError,
  clock,
  throughput,
  ranges
}: RuBudgetsOptions): Promise<RuBudgets> {
  const leasing = sharedThrough === undefined || throughput.ruPerSecond === undefined ? undefined : await loadLeasing()
  const lease = leasing?.createLease({
    ruPerSecond: throughput.ruPerSecond!,
    shared: sharedThrough!,
    ...(onError === undefined ? {} : { onError })
  })
  // a budget that replaces the former one of its range must not pay again for what the former one has paid
  const unopened = new Set(ranges.map(({ id }) => id))

  function create(range: ContainerRange, count: number, wake: () => void): RuBudget {
    if (throughput.ruPerSecond === undefined) return UNLIMITED
    const ruPerSecond = throughput.ruPerSecond / count
    if (leasing === undefined || lease === undefined) {
      return new LocalRuBudget(ruPerSecond, clock.now(), { isFirst: unopened.delete(range.id) })
    }
    lease.setBudget(ruPerSecond)
    return new leasing.SharedRuBudget({ lease, rangeId: range.id, ruPerSecond, wake })
  }

  return {
    ready: lease?.ready ?? Promise.resolve(),
    create,
    close: async () => lease?.close()
  }
}

// most writers share no budget, and loading this takes as long as several requests
async function loadLeasing(): Promise<Leasing> {
  const [{ createLease }, { SharedRuBudget }] = await Promise.all([
    import('./lease.ts'),
    import('./shared-ru-budget.ts')
  ])
  return { createLease, SharedRuBudget }
}

type Leasing = Pick<typeof LeaseModule, 'createLease'> & Pick<typeof SharedRuBudgetModule, 'SharedRuBudget'>
