import type { ItemState } from './stored-item.ts'

/** Whether an item's time to live is over; without a default on the container nothing expires. */
export function isExpired(item: ItemState, defaultTtl: number | undefined, nowMs: number): boolean {
  if (defaultTtl === undefined) return false
  const ttl = item.ttl ?? defaultTtl
  return ttl !== -1 && nowMs >= (item.timestamp + ttl) * 1000
}
