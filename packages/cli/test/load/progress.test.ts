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
  busyRanges: 0,
  ranges: 20,
  share: 0.129,
  secondsLeft: 245
}

describe('lineOfLoad', () => {
  it('says records, request units, their share of the budget and the time left', () => {
    expect(lineOfLoad(PROGRESS)).toBe(' 12 %  12,345 records  40,000 records/s  9,700 RU/s (97 % of the budget)  4:05 left')
  })

  it('says which part of the ranges holds the load up, and how much was rejected', () => {
    expect(lineOfLoad({ ...PROGRESS, busyRanges: 1, rejected: 2 })).toContain('1 of 20 ranges busy  2 rejected')
  })

  it('leaves out what is not known', () => {
    const unknown = { ...PROGRESS, budgetRuPerSecond: undefined, share: undefined, secondsLeft: undefined }

    expect(lineOfLoad(unknown)).toBe('12,345 records  40,000 records/s  9,700 RU/s')
  })
})

describe('barOfLoad', () => {
  it.each([20, 80, 200])('is never wider than a terminal of %i columns', (columns) => {
    expect(barOfLoad(PROGRESS, columns).length).toBeLessThan(columns)
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
