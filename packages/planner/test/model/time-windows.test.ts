import { describe, expect, test } from 'vitest'

import { effectiveKeys, timeHeat, type WindowOptions, worstMinute } from '../../src/model/time-windows.ts'
import { NO_KEY, type Reservoir } from '../../src/sample/reservoir.ts'
import { createRandom } from '../../src/sample/random.ts'

const START = Date.UTC(2026, 10, 18)

/** Records as second and number of the key; the keys lie evenly in the hash space. */
function reservoirOf(records: readonly (readonly [second: number, key: number | null])[], keys: number): Reservoir {
  const size = records.length
  const positions = Uint32Array.from(records, ([, key]) => (key === null ? NO_KEY : (key / keys) * 2 ** 32))
  const ids = Uint32Array.from(records, ([, key]) => (key ?? 0) + 1)
  const times = Float64Array.from(records, ([second]) => (second < 0 ? Number.NaN : START + second * 1000))
  return { size, records: size, times, bytes: new Uint32Array(size), keys: [{ ids, positions }, null] }
}

const options = (ranges: number, more: Partial<WindowOptions> = {}): WindowOptions => ({
  method: 'whole',
  population: null,
  candidate: 0,
  ranges,
  random: createRandom(1),
  ...more
})

const random = createRandom(4)
/** 200 records per minute with 50 keys, but in the third minute 400 records with one of five keys. */
const HOT = Array.from({ length: 10 }, (_, minute) =>
  Array.from({ length: minute === 2 ? 400 : 200 }, (): [number, number] => [
    minute * 60 + Math.floor(random() * 60),
    Math.floor(random() * (minute === 2 ? 5 : 50))
  ])
).flat()

describe('effectiveKeys', () => {
  test('is the effective number of keys within one window of time', () => {
    const { value } = effectiveKeys(reservoirOf(HOT, 50), { ...options(4), seconds: 60 })
    expect(value?.windows).toBe(10)
    expect(value?.p01).toBeCloseTo(5, 0)
    expect(value?.median).toBeGreaterThan(42)
    expect(value?.median).toBeLessThan(60)
  })

  test('is 1 for a key that depends only on the time', () => {
    const seconds = Array.from({ length: 1200 }, (_, index) => Math.floor(index / 10))
    const keyOfMinute = seconds.map((second): [number, number] => [second, Math.floor(second / 60)])
    const { value } = effectiveKeys(reservoirOf(keyOfMinute, 2), { ...options(1), seconds: 60 })
    expect(value).toEqual({ p01: 1, median: 1, windows: 2 })
    const { reason } = effectiveKeys(reservoirOf(keyOfMinute, 2), { ...options(1), seconds: 1 })
    expect(reason).toBe('No second has 100 records in the sample, which is the least for a statement on 1 range.')
  })

  test('uses only windows that have ten records for each physical partition, and only records with a key and a time', () => {
    expect(effectiveKeys(reservoirOf(HOT, 50), { ...options(30), seconds: 60 }).value?.windows).toBe(1)
    expect(effectiveKeys(reservoirOf(HOT, 50), { ...options(50), seconds: 60 }).reason).toBe(
      'No minute has 500 records in the sample, which is the least for a statement on 50 ranges.'
    )
    const lost = HOT.map(([second, key]): [number, number | null] => [
      second % 2 === 0 ? -1 : second,
      second % 3 === 0 ? null : key
    ])
    expect(effectiveKeys(reservoirOf(lost, 50), { ...options(1), seconds: 60 }).value?.windows).toBe(1)
  })

  test.each([
    [{ candidate: 1 }, 'The candidate was dropped before the whole sample was read.'],
    [{ method: 'head' as const }, 'The sample is the beginning of the data, which has only the first windows of time.'],
    [{ method: 'described' as const }, 'The sample is generated, and has no time of its own.']
  ])('is returned with a reason if it is unknown: %j', (more, reason) => {
    expect(effectiveKeys(reservoirOf(HOT, 50), { ...options(1, more), seconds: 60 })).toEqual({ value: null, reason })
  })

  test('is unknown without a time field', () => {
    const { reason } = effectiveKeys({ ...reservoirOf(HOT, 50), times: null }, { ...options(1), seconds: 60 })
    expect(reason).toContain('No time field is known')
  })
})

describe('worstMinute', () => {
  test('is the minute with the highest load of its busiest physical partition, not the minute with the fewest keys', () => {
    const { value } = worstMinute(reservoirOf(HOT, 50), options(10))
    expect(value?.at).toBe('2026-11-18T00:02:00.000Z')
    expect(value?.usableShare).toBeCloseTo(0.1, 1)
    expect(value?.relativeLoad).toBeCloseTo(400 / 220, 5)
    const quiet = HOT.filter(([second], index) => Math.floor(second / 60) !== 2 || index % 3 === 0)
    const busy = [
      ...quiet,
      ...Array.from({ length: 3000 }, (_, index): [number, number] => [300 + (index % 60), index % 50])
    ]
    expect(worstMinute(reservoirOf(busy, 50), options(10)).value?.at).toBe('2026-11-18T00:05:00.000Z')
  })
})

describe('timeHeat', () => {
  test('contains the share of each physical partition in the load of each minute', () => {
    const { value } = timeHeat(
      reservoirOf(
        [
          [0, 0],
          [1, 1],
          [59, 1],
          [60, 3]
        ],
        4
      ),
      options(4)
    )
    expect(value).toEqual({
      minutes: ['2026-11-18T00:00:00.000Z', '2026-11-18T00:01:00.000Z'],
      ranges: 4,
      values: [
        [1 / 3, 2 / 3, 0, 0],
        [0, 0, 0, 1]
      ]
    })
  })

  test('contains at most 240 windows and 100 physical partitions', () => {
    const long = Array.from({ length: 500_000 }, (_, index): [number, number] => [index * 9.77, index % 7])
    const { minutes, ranges, values } = timeHeat(reservoirOf(long, 7), options(1000)).value!
    expect(minutes.length).toBeLessThanOrEqual(240)
    expect(minutes.length).toBeGreaterThan(120)
    expect(ranges).toBe(100)
    expect(
      values.every((row) => row.length === 100 && Math.abs(row.reduce((sum, share) => sum + share, 0) - 1) < 1e-9)
    ).toBe(true)
  })

  test('contains fewer physical partitions for a small sample, since its cells would show little but chance', () => {
    const few = Array.from({ length: 5000 }, (_, index): [number, number] => [index * 977, index % 7])

    expect(timeHeat(reservoirOf(few, 7), options(1000)).value!.ranges).toBe(10)
    expect(timeHeat(reservoirOf(few, 7), options(4)).value!.ranges).toBe(4)
  })
})
