import { sliceOf } from './slice-of.ts'

const MAX_COUNT = 10_000

/**
 * One label for each of `count` equal slices of the hash space: `result[j - 1]` is the smallest whole number from 1 on
 * with which `prefix + number` falls into slice j. The prefix carries the separator already.
 */
export function evenLabels(prefix: string, count: number, hashVersion: 1 | 2): Int32Array {
  if (!Number.isInteger(count) || count < 1 || count > MAX_COUNT) throw new RangeError(`Even labels need a count from 1 to ${MAX_COUNT}.`)
  const labels = new Int32Array(count)
  let missing = count
  for (let number = 1; missing > 0; number++) {
    const slice = sliceOf(prefix + number, count, hashVersion)
    if (labels[slice - 1] !== 0) continue
    labels[slice - 1] = number
    missing--
  }
  return labels
}
