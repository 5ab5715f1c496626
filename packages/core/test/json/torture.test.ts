import { expect, test } from 'vitest'
import { torture } from './torture/torture.ts'

// The long run is packages/core/test/json/torture/run.ts.
test.each([1, 2, 3])(
  'treats hostile and damaged documents as JSON.parse after a strict decode does, seed %i',
  (seed) => {
    const report = torture(seed, 5000)

    expect(report.complaints).toEqual([])
    expect(report.survivors).toBeGreaterThan(300)
  }
)
