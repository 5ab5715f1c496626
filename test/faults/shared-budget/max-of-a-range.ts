import { maxInASecond } from '@keystamp/testkit'
import type { SentBatch } from './work.ts'

/** Maximum of the request units that were charged for one range within any sliding second. */
export function maxOfARange(sent: readonly SentBatch[]): number {
  const ranges = new Set(sent.map(({ rangeId }) => rangeId))
  const ofRange = (id: string): number => maxInASecond(sent.filter(({ rangeId }) => rangeId === id).map(toSpent))
  return Math.max(0, ...[...ranges].map(ofRange))
}

function toSpent({ atMs, chargedRu }: SentBatch): { readonly atMs: number; readonly ru: number } {
  return { atMs, ru: chargedRu }
}
