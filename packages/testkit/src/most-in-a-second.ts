/** An amount that was spent, and its time. */
export interface Spent {
  readonly atMs: number
  readonly ru: number
}

/** Maximum that was spent within any sliding second. */
export function mostInASecond(spent: readonly Spent[]): number {
  const sorted = spent.toSorted((a, b) => a.atMs - b.atMs)
  let most = 0
  let sum = 0
  let first = 0
  for (const { atMs, ru } of sorted) {
    sum += ru
    while (sorted[first].atMs <= atMs - 1000) sum -= sorted[first++].ru
    most = Math.max(most, sum)
  }
  return most
}
