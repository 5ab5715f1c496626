import type { ContainerRange } from '../client/container.ts'
import type { Clock } from './clock.ts'
import type * as LeasedPurseModule from './shared-ru-budget.ts'
import { BOTTOMLESS, type Purse } from './ru-budget.ts'
import { TimedPurse } from './local-ru-budget.ts'
import type * as LeaseModule from './lease.ts'
import type { Budget, SharedBudget } from './throughput-share.ts'

/** Makes the purses of ranges from what may be spent over all. */
export interface Purses {
  readonly ready: Promise<void>
  readonly create: (range: ContainerRange, count: number, wake: () => void) => Purse
  readonly close: () => Promise<void>
}

export interface PursesOptions {
  /** The ledger that several processes share; undefined where this process has the budget alone. */
  readonly sharedThrough: SharedBudget | undefined
  /** Called when the ledger cannot be reached. */
  readonly onTrouble: ((error: Error) => void) | undefined
  readonly clock: Clock
  readonly budget: Budget
  /** The ranges that the container has when the writer opens it. */
  readonly ranges: readonly ContainerRange[]
}

/** What was bought is the same for each range; processes that share it lease it. */
export async function createPurses({ sharedThrough, onTrouble, clock, budget, ranges }: PursesOptions): Promise<Purses> {
  const leasing = sharedThrough === undefined || budget.ruPerSecond === undefined ? undefined : await loadLeasing()
  const lease = leasing?.createLease({
    ruPerSecond: budget.ruPerSecond!,
    shared: sharedThrough!,
    ...(onTrouble === undefined ? {} : { onTrouble })
  })
  // a purse that replaces another one of its range must not give a second time what that one gave
  const unopened = new Set(ranges.map(({ id }) => id))

  function create(range: ContainerRange, count: number, wake: () => void): Purse {
    if (budget.ruPerSecond === undefined) return BOTTOMLESS
    const ruPerSecond = budget.ruPerSecond / count
    if (leasing === undefined || lease === undefined) {
      return new TimedPurse(ruPerSecond, clock.now(), { isFirst: unopened.delete(range.id) })
    }
    lease.setBudget(ruPerSecond)
    return new leasing.LeasedPurse({ lease, rangeId: range.id, ruPerSecond, wake })
  }

  return {
    ready: lease?.ready ?? Promise.resolve(),
    create,
    close: async () => lease?.close()
  }
}

// most writers share no budget, and loading this takes as long as several requests
async function loadLeasing(): Promise<Leasing> {
  const [{ createLease }, { LeasedPurse }] = await Promise.all([import('./lease.ts'), import('./shared-ru-budget.ts')])
  return { createLease, LeasedPurse }
}

type Leasing = Pick<typeof LeaseModule, 'createLease'> & Pick<typeof LeasedPurseModule, 'LeasedPurse'>
