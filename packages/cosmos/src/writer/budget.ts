import type { Account } from '../account/account.ts'
import type { Clock } from '../governor/clock.ts'
import { type Share, toBudget } from '../governor/share.ts'

/** What may be spent in a second over all ranges. */
export interface Budget {
  readonly ruPerSecond: number | undefined
  /** Why it is not known. */
  readonly unknown: string | undefined
  readonly stop: () => void
}

export interface BudgetOptions {
  readonly account: Pick<Account, 'offer'>
  readonly share: Share
  readonly everyMs: number
  readonly clock: Clock
  readonly onChange: () => void
}

/** Reads what was bought, and follows it while it is changed; a share in RU/s needs no look. */
export async function followBudget({ account, share, everyMs, clock, onChange }: BudgetOptions): Promise<Budget> {
  let ruPerSecond: number | undefined
  let unknown: string | undefined
  let cancel: (() => void) | undefined
  let isStopped = false

  async function look(): Promise<void> {
    const offer = await account.offer()
    const before = ruPerSecond
    unknown = 'unknown' in offer ? offer.unknown : undefined
    ruPerSecond = 'unknown' in offer ? undefined : toBudget(share, offer.ruPerSecond)
    if (before !== ruPerSecond) onChange()
  }

  function lookLater(): void {
    if (isStopped) return
    cancel = clock.scheduleIdly(everyMs, () => {
      // what was bought does not change because it cannot be read for a while
      look().then(lookLater, lookLater)
    })
  }

  if (typeof share === 'number') ruPerSecond = share
  else {
    await look()
    lookLater()
  }
  return {
    get ruPerSecond() {
      return ruPerSecond
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
