import type { Account } from './account.ts'
import { expireItem } from './apply-decision.ts'
import { isExpired } from './expiry.ts'

/** Takes expired items out of all containers; reads do not see them even before. */
export function sweepExpired(account: Account, nowMs: number): void {
  for (const database of account.databases.values()) {
    for (const container of database.containers.values()) {
      const { defaultTtl } = container.definition
      if (defaultTtl === undefined) continue
      const expired = [...container.items()].filter((item) => isExpired(item, defaultTtl, nowMs))
      for (const item of expired) expireItem(container, item)
    }
  }
}
