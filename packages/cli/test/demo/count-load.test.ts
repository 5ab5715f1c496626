import { describe, expect, it } from 'vitest'
import { countLoad } from '../../src/demo/count-load.ts'
import { showLoad } from '../../src/demo/show-load.ts'

const records = Array.from({ length: 4000 }, (_, index) => Buffer.from(JSON.stringify({ day: '2018-08-09', VIN: `VIN${index}` })))
const from = [{ field: '/day' }] as const

function ticking(): () => number {
  let now = 0
  return () => (now += 500)
}

describe('the load of a key', () => {
  it('lies on one range when the key is a date alone', () => {
    const load = countLoad({ into: '/pk', from }, records, 20, ticking())

    expect(load).toMatchObject({ keys: 1, usable: 0.05, recordsPerSecond: 8000 })
    expect(load.counts.filter((count) => count > 0)).toEqual([4000])
  })

  it('lies on all ranges alike when the suffixes have even labels', () => {
    const load = countLoad({ into: '/pk', from, suffix: { by: '/VIN', count: 400, labels: 'even' } }, records, 20, ticking())

    expect(load.keys).toBe(400)
    expect(load.usable).toBeGreaterThan(0.85)
  })

  it('is shown with a bar for each range and a sentence', () => {
    const lines = showLoad({ counts: [2, 1], keys: 1, recordsPerSecond: 8000, usable: 0.75 })

    expect(lines).toHaveLength(3)
    expect(lines[1]).toContain('50 %')
    expect(lines[2]).toContain('1 logical partition; 75 % of the bought RU/s can be used.')
  })
})
