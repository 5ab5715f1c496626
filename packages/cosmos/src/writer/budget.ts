import type { Account } from '../account/account.ts'
import type { Clock } from '../governor/clock.ts'
import { type Share, toBudget } from '../governor/share.ts'

/** What may be spent in a second over all ranges. */
export interface Budget {
  readonly ruPerSecond: number | undefined
  /** Only this part of it counts from now on. */
  readonly usePart: (part: number) => void
  /** Why it is not known. */
  readonly unknown: string | undefined
  /** Looks again now and then, and calls back when it has changed. */
  readonly follow: (onChange: () => void) => void
  readonly stop: () => void
}

export interface BudgetOptions {
  readonly account: Pick<Account, 'offer'>
  readonly share: Share
  readonly everyMs: number
  readonly clock: Clock
}

/** Reads what was bought; a share in RU/s needs no look. */
export async function readBudget({ account, share, everyMs, clock }: BudgetOptions): Promise<Budget> {
  let ruPerSecond: number | undefined
  let unknown: string | undefined
  let part = 1
  let cancel: (() => void) | undefined
  let isStopped = false

  async function look(): Promise<void> {
    const offer = await account.offer()
    unknown = 'unknown' in offer ? offer.unknown : undefined
    ruPerSecond = 'unknown' in offer ? undefined : toBudget(share, offer.ruPerSecond)
  }

  function follow(onChange: () => void): void {
    if (isStopped || typeof share === 'number') return
    cancel = clock.scheduleIdly(everyMs, () => {
      const before = ruPerSecond
      const goOn = (): void => {
        if (before !== ruPerSecond && !isStopped) onChange()
        follow(onChange)
      }
      // what was bought does not change because it cannot be read for a while
      look().then(goOn, goOn)
    })
  }

  if (typeof share === 'number') ruPerSecond = share
  else await look()
  return {
    follow,
    get ruPerSecond() {
      return ruPerSecond === undefined ? undefined : ruPerSecond * part
    },
    usePart: (used) => {
      part = used
    },
    get unknown() {
      return unknown
    },
    stop: () => {
      isStopped = true
      cancel?.()
    }
  }
}
