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
  /** Ledger that several processes share; undefined if only this process uses the budget. */
  readonly sharedThrough: SharedBudget | undefined
  /** Called when the ledger cannot be reached. */
  readonly onError: ((error: Error) => void) | undefined
  readonly clock: Clock
  readonly throughput: Throughput
  /** Ranges of the container at the time when the writer opens it. */
  readonly ranges: readonly ContainerRange[]
}

/** Divides the throughput evenly between ranges. Processes that share it lease their RU. */
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
  // a budget that replaces the former budget of a range must not spend again the RU that the former one has spent
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

// imported only when needed: most writers share no budget, and the import takes as long as several requests
async function loadLeasing(): Promise<Leasing> {
  const [{ createLease }, { SharedRuBudget }] = await Promise.all([
    import('./lease.ts'),
    import('./shared-ru-budget.ts')
  ])
  return { createLease, SharedRuBudget }
}

type Leasing = Pick<typeof LeaseModule, 'createLease'> & Pick<typeof SharedRuBudgetModule, 'SharedRuBudget'>
