import type { ContainerRange } from '../account/container-range.ts'
import type { Clock } from '../governor/clock.ts'
import { LeasedPurse } from '../governor/leased-purse.ts'
import { BOTTOMLESS, type Purse } from '../governor/purse.ts'
import { TimedPurse } from '../governor/timed-purse.ts'
import { createLease } from '../lease/lease.ts'
import type { Budget } from './budget.ts'
import type { WriterSettings } from './writer-options.ts'

/** Makes the purses of ranges from what may be spent over all. */
export interface Purses {
  readonly ready: Promise<void>
  readonly create: (range: ContainerRange, count: number, wake: () => void) => Purse
  readonly close: () => Promise<void>
}

export interface PursesOptions {
  readonly settings: WriterSettings
  readonly clock: Clock
  readonly budget: Budget
}

/** What was bought is the same for each range; processes that share it lease it. */
export function createPurses({ settings: { sharedThrough, onTrouble }, clock, budget }: PursesOptions): Purses {
  const isLeased = sharedThrough !== undefined && budget.ruPerSecond !== undefined
  const lease = isLeased
    ? createLease({ ruPerSecond: budget.ruPerSecond, shared: sharedThrough, ...(onTrouble === undefined ? {} : { onTrouble }) })
    : undefined

  function create(range: ContainerRange, count: number, wake: () => void): Purse {
    if (budget.ruPerSecond === undefined) return BOTTOMLESS
    const ruPerSecond = budget.ruPerSecond / count
    if (lease === undefined) return new TimedPurse(ruPerSecond, clock.now())
    lease.setBudget(ruPerSecond)
    return new LeasedPurse({ lease, rangeId: range.id, ruPerSecond, wake })
  }

  return {
    ready: lease?.ready ?? Promise.resolve(),
    create,
    close: async () => lease?.close()
  }
}
