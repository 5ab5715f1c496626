import { BEGINNING } from '@keystamp/files/internal'
import { describe, expect, it } from 'vitest'
import { createProgressMeter } from '../src/progress-meter.ts'

describe('createProgressMeter', () => {
  it('computes rates since the last call, and the remaining time from the rate of the whole run', () => {
    const clock = { ms: 0 }
    const counts = { records: 0, written: 0, unchanged: 0, rejected: 0, bytes: 0 }
    const stats = { chargedRu: 0, budgetRuPerSecond: 1000, busyRanges: 0, throttledRanges: [], ranges: [] }
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

    expect(measure()).toMatchObject({
      records: 100,
      recordsPerSecond: 50,
      ruPerSecond: 250,
      share: 0.5,
      secondsLeft: 4
    })
    clock.ms = 3000
    expect(measure()).toMatchObject({ recordsPerSecond: 0, ruPerSecond: 0, share: 0.5, secondsLeft: 6 })
  })

  it('reports the physical partition that uses more than its share of the RU while records wait', () => {
    const stats = {
      chargedRu: 0,
      budgetRuPerSecond: 1000,
      busyRanges: 0,
      throttledRanges: [],
      ranges: [] as { id: string; chargedRu: number }[]
    }
    const counts = { records: 0, written: 0, unchanged: 0, rejected: 0, bytes: 0 }
    const measure = createProgressMeter({ inputs: [], counts, begin: BEGINNING, stats: () => stats, now: () => 0 })
    const look = (busyRanges: number, ...charged: readonly number[]) => {
      Object.assign(stats, { busyRanges, ranges: charged.map((chargedRu, id) => ({ id: String(id), chargedRu })) })
      return measure().slowest
    }

    // 27/26/24/23 percent is even, although records wait
    expect(look(1, 270, 260, 240, 230)).toBeUndefined()
    expect(look(0, 1270, 360, 340, 330)).toBeUndefined()
    expect(look(1, 2270, 460, 440, 430)).toEqual({ range: '0', share: expect.closeTo(0.68, 1) })
    // the RU of early calls no longer counts
    for (let n = 1; n < 20; n++) look(1, 2270 + n * 100, 460 + n * 100, 440 + n * 100, 430 + n * 100)
    expect(look(1, 4270, 2460, 2440, 2430)).toBeUndefined()
  })

  it('reports no share of completed work for compressed inputs and standard input', () => {
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
  return { chargedRu: 0, budgetRuPerSecond: undefined, busyRanges: 0, throttledRanges: [], ranges: [] }
}
