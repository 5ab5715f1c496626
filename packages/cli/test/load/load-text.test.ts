import { describe, expect, it } from 'vitest'
import type { LoadProgress } from '@keystamp/load'
import { barOfLoad, lineOfLoad } from '../../src/load/load-text.ts'

const PROGRESS: LoadProgress = {
  records: 12_345,
  rejected: 0,
  recordsPerSecond: 40_000.4,
  ruPerSecond: 9_700,
  budgetRuPerSecond: 10_000,
  slowest: undefined,
  throttled: undefined,
  share: 0.129,
  secondsLeft: 245
}

describe('lineOfLoad', () => {
  it('shows records, request units, their share of the budget and the time left', () => {
    expect(lineOfLoad(PROGRESS)).toBe(
      ' 12 %  12,345 records  4:05 left  40,000 records/s  9,700 RU/s (97 % of the budget)'
    )
  })

  it('shows the number of rejected records, and the physical partition that slows the load', () => {
    expect(lineOfLoad({ ...PROGRESS, slowest: { range: '3', share: 0.414 }, rejected: 2 })).toContain(
      '12,345 records  2 rejected  4:05 left  slowed by partition 3 (41 %)  40,000 records/s'
    )
  })

  it.each([
    ['hot-key', 'partition 3 throttled: one key takes 84 % of it'],
    ['many-keys-in-one-range', 'partition 3 throttled: many keys share it'],
    ['container-full', 'partition 3 throttled: the container has too few RU/s'],
    ['other-clients', 'partition 3 throttled: other clients use it']
  ] as const)('shows why a physical partition is throttled: %s', (reason, text) => {
    const throttled = {
      range: '3',
      reason,
      ruPerSecond: 9900,
      limitRuPerSecond: 10_000,
      containerRuPerSecond: 12_000,
      provisionedRuPerSecond: 40_000,
      heaviestKey: { hash: '3AD5', share: 0.84 },
      explanation: ''
    }
    const line = lineOfLoad({ ...PROGRESS, slowest: { range: '3', share: 0.8 }, throttled })

    expect(line).toContain(`4:05 left  ${text}  40,000 records/s`)
  })

  it('leaves out figures that are not known', () => {
    const unknown = { ...PROGRESS, budgetRuPerSecond: undefined, share: undefined, secondsLeft: undefined }

    expect(lineOfLoad(unknown)).toBe('12,345 records  40,000 records/s  9,700 RU/s')
  })
})

describe('barOfLoad', () => {
  const long = {
    ...PROGRESS,
    records: 12_345_678,
    rejected: 123_456,
    secondsLeft: 3723,
    slowest: { range: '12', share: 0.414 }
  }

  it.each([20, 40, 80, 100, 120, 200])('is never wider than a terminal of %i columns', (columns) => {
    expect(barOfLoad(PROGRESS, columns).length).toBeLessThan(columns)
    expect(barOfLoad(long, columns).length).toBeLessThan(columns)
  })

  it.each([80, 100, 120])('shows bar, percentage, records, rejected records and time left in %i columns', (columns) => {
    expect(barOfLoad(long, columns)).toMatch(/^█+░{6,}   12 %  12,345,678 records  123,456 rejected  1:02:03 left/)
  })

  it('shows the slow partition, and then the rates, if the line is wide enough', () => {
    expect(barOfLoad(long, 80)).not.toContain('slowed')
    expect(barOfLoad({ ...long, records: 345_678, rejected: 0, secondsLeft: 245 }, 80)).toMatch(
      /left  slowed by partition 12 \(41 %\)$/
    )
    expect(barOfLoad(long, 120)).toMatch(/left  slowed by partition 12 \(41 %\)  40,000 records\/s$/)
    expect(barOfLoad(PROGRESS, 120)).toMatch(
      /^█+░+   12 %  .* left  40,000 records\/s  9,700 RU\/s \(97 % of the budget\)$/
    )
  })

  it('shows no bar if the size of the inputs is not known', () => {
    expect(barOfLoad({ ...PROGRESS, share: undefined, secondsLeft: undefined }, 80)).toMatch(/^12,345 records  40,000/)
  })
})
