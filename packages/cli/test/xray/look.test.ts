import { createLoadCounter } from '@keystamp/planner'
import { describe, expect, it } from 'vitest'
import { unseenOfPeriod } from '../../src/xray/look.ts'

const counted = createLoadCounter({ definition: { version: 2 }, ranges: [], windows: 1 }).finish()

describe('the writes of a period', () => {
  it('are named as not seen where only parts of the period were read', () => {
    const load = { source: 'changes', counted, seconds: 90, windowStarts: [] } as const

    expect(unseenOfPeriod(load, 900)).toEqual([
      {
        what: 'all writes of the period',
        why: expect.stringContaining('90 seconds of 15 minutes were read, in parts of equal length'),
        checks: []
      }
    ])
    expect(unseenOfPeriod({ ...load, seconds: 900 }, 900)).toEqual([])
  })
})
