import type { AllKeys, Halves, KeyCount, KeyCounts, KeyProfile } from '../../src/sample/key-profile.ts'

/** A key in the sample: its position in the hash space, and its records. */
export type Counted = readonly [position: number, records: number]

/** Profile of keys that were all counted. */
export function profileOf(keys: readonly Counted[], halves: Halves | null = null): KeyProfile {
  const records = keys.reduce((sum, [, count]) => sum + count, 0)
  const heavy = keys
    .toSorted((a, b) => b[1] - a[1])
    .map(([position, count]): KeyCount => ({ hash: '', values: null, position, records: count, bytes: 0, error: 0 }))
  const frequencies = [...new Set(keys.map(([, count]) => count))]
    .toSorted((a, b) => a - b)
    .map((count) => ({ records: count, keys: keys.filter((key) => key[1] === count).length }))
  const all: AllKeys = {
    positions: Uint32Array.from(keys, ([position]) => position * 2 ** 32),
    records: Uint32Array.from(keys, ([, count]) => count)
  }
  const once = keys.filter(([, count]) => count === 1).length
  const counts: KeyCounts = {
    distinct: keys.length,
    once,
    atLeast: keys.length,
    isExact: true,
    heavy: heavy.slice(0, 1000),
    frequencies,
    all
  }
  const none = { rejected: 0, rejections: [], missing: 0, bytes: 0 }
  const slices = new Float64Array(4096)
  for (const [position, count] of keys) slices[Math.floor(position * 4096)] += count
  return { ...counts, ...none, records, placed: counts, slices, sliceBytes: slices, halves }
}
