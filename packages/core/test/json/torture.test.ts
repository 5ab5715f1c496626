import { expect, test } from 'vitest'
import { torture } from './torture/torture.ts'

// The long run is packages/core/test/json/torture/run.ts.
// checks L12
test.each([1, 2, 3])(
  'a stamper accepts and rejects hostile and damaged documents like JSON.parse after a strict UTF-8 decode, seed %i',
  (seed) => {
    const report = torture(seed, 5000)

    expect(report.complaints).toEqual([])
    expect(report.survivors).toBeGreaterThan(300)
  }
)
