import { describe, expect, it } from 'vitest'
import { BEGINNING } from '../../src/load/place.ts'
import { createProgressMeter } from '../../src/load/progress-meter.ts'
import { barOfLoad, lineOfLoad, type LoadProgress } from '../../src/load/progress-line.ts'

const PROGRESS: LoadProgress = {
  records: 12_345,
  rejected: 0,
  recordsPerSecond: 40_000.4,
  ruPerSecond: 9_700,
  budgetRuPerSecond: 10_000,
  slowest: undefined,
  share: 0.129,
  secondsLeft: 245
}

describe('lineOfLoad', () => {
  it('says records, request units, their share of the budget and the time left', () => {
    expect(lineOfLoad(PROGRESS)).toBe(' 12 %  12,345 records  4:05 left  40,000 records/s  9,700 RU/s (97 % of the budget)')
  })

  it('says how much was rejected, and which physical partition the others wait for', () => {
    expect(lineOfLoad({ ...PROGRESS, slowest: { range: '3', share: 0.414 }, rejected: 2 })).toContain(
      '12,345 records  2 rejected  4:05 left  slowed by partition 3 (41 %)  40,000 records/s'
    )
  })

  it('leaves out what is not known', () => {
    const unknown = { ...PROGRESS, budgetRuPerSecond: undefined, share: undefined, secondsLeft: undefined }

    expect(lineOfLoad(unknown)).toBe('12,345 records  40,000 records/s  9,700 RU/s')
  })
})

describe('barOfLoad', () => {
  const long = { ...PROGRESS, records: 12_345_678, rejected: 123_456, secondsLeft: 3723, slowest: { range: '12', share: 0.414 } }

  it.each([20, 40, 80, 100, 120, 200])('is never wider than a terminal of %i columns', (columns) => {
    expect(barOfLoad(PROGRESS, columns).length).toBeLessThan(columns)
    expect(barOfLoad(long, columns).length).toBeLessThan(columns)
  })

  it.each([80, 100, 120])('shows bar, percentage, records, rejected and time left in %i columns', (columns) => {
    expect(barOfLoad(long, columns)).toMatch(/^█+░{6,}   12 %  12,345,678 records  123,456 rejected  1:02:03 left/)
  })

  it('adds what slows the load, and then the rates, where there is room', () => {
    expect(barOfLoad(long, 80)).not.toContain('slowed')
    expect(barOfLoad({ ...long, records: 345_678, rejected: 0, secondsLeft: 245 }, 80)).toMatch(/left  slowed by partition 12 \(41 %\)$/)
    expect(barOfLoad(long, 120)).toMatch(/left  slowed by partition 12 \(41 %\)  40,000 records\/s$/)
    expect(barOfLoad(PROGRESS, 120)).toMatch(/^█+░+   12 %  .* left  40,000 records\/s  9,700 RU\/s \(97 % of the budget\)$/)
  })

  it('shows no bar where the size of the inputs is not known', () => {
    expect(barOfLoad({ ...PROGRESS, share: undefined, secondsLeft: undefined }, 80)).toMatch(/^12,345 records  40,000/)
  })
})

describe('createProgressMeter', () => {
  it('takes rates since the last look, and the time left from all that was done in this run', () => {
    const clock = { ms: 0 }
    const counts = { records: 0, written: 0, unchanged: 0, rejected: 0, bytes: 0 }
    const stats = { chargedRu: 0, budgetRuPerSecond: 1000, busyRanges: 0, ranges: [] }
    const measure = createProgressMeter({
      inputs: [
        { name: 'a', bytes: 1000, changedMs: 0 },
        { name: 'b', bytes: 3000, changedMs: 0 }
      ],
      counts,
      begin: { input: 1, line: 5, from: { line: 0, byte: 0 } },
      stats: () => stats,
      now: () => clock.ms
    })

    Object.assign(counts, { written: 90, rejected: 10, bytes: 1000 })
    Object.assign(stats, { chargedRu: 500 })
    clock.ms = 2000

    expect(measure()).toMatchObject({ records: 100, recordsPerSecond: 50, ruPerSecond: 250, share: 0.5, secondsLeft: 4 })
    clock.ms = 3000
    expect(measure()).toMatchObject({ recordsPerSecond: 0, ruPerSecond: 0, share: 0.5, secondsLeft: 6 })
  })

  it('names the physical partition that gets more than its part, while records wait for it', () => {
    const stats = { chargedRu: 0, budgetRuPerSecond: 1000, busyRanges: 0, ranges: [] as { id: string; chargedRu: number }[] }
    const counts = { records: 0, written: 0, unchanged: 0, rejected: 0, bytes: 0 }
    const measure = createProgressMeter({ inputs: [], counts, begin: BEGINNING, stats: () => stats, now: () => 0 })
    const look = (busyRanges: number, ...charged: readonly number[]) => {
      Object.assign(stats, { busyRanges, ranges: charged.map((chargedRu, id) => ({ id: String(id), chargedRu })) })
      return measure().slowest
    }

    // 27/26/24/23 percent is even, also where a queue is full
    expect(look(1, 270, 260, 240, 230)).toBeUndefined()
    expect(look(0, 1270, 360, 340, 330)).toBeUndefined()
    expect(look(1, 2270, 460, 440, 430)).toEqual({ range: '0', share: expect.closeTo(0.68, 1) })
    // what was long ago does not count
    for (let n = 1; n < 20; n++) look(1, 2270 + n * 100, 460 + n * 100, 440 + n * 100, 430 + n * 100)
    expect(look(1, 4270, 2460, 2440, 2430)).toBeUndefined()
  })

  it('knows no share of what is compressed or comes through a pipe', () => {
    const counts = { records: 1, written: 1, unchanged: 0, rejected: 0, bytes: 10 }
    for (const input of [
      { name: 'a.gz', bytes: 5, changedMs: 0 },
      { name: '-', bytes: null, changedMs: null }
    ]) {
      const measure = createProgressMeter({ inputs: [input], counts, begin: BEGINNING, stats: noStats, now: () => 0 })

      expect(measure()).toMatchObject({ share: undefined, secondsLeft: undefined })
    }
  })
})

function noStats() {
  return { chargedRu: 0, budgetRuPerSecond: undefined, busyRanges: 0, ranges: [] }
}
