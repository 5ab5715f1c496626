import type { SentBatch } from './work.ts'

/** The most request units that were sent to one range within any sliding second. */
export function mostInASecond(sent: readonly SentBatch[]): number {
  const ranges = new Set(sent.map(({ rangeId }) => rangeId))
  return Math.max(0, ...[...ranges].map((id) => mostOfRange(sent.filter(({ rangeId }) => rangeId === id))))
}

function mostOfRange(batches: readonly SentBatch[]): number {
  const sorted = batches.toSorted((a, b) => a.atMs - b.atMs)
  let most = 0
  let sum = 0
  let first = 0
  for (const { atMs, chargedRu } of sorted) {
    sum += chargedRu
    while (sorted[first].atMs <= atMs - 1000) sum -= sorted[first++].chargedRu
    most = Math.max(most, sum)
  }
  return most
}
