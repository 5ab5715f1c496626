import { describe, expect, it } from 'vitest'
import { runMoving } from '../simulation/run-moving.ts'

const SCHEDULES = Number(process.env['KEYSTAMP_SCHEDULES'] ?? 200)

describe('partitions that move while requests wait for their connections', () => {
  // checks L2, L4, L5, L7
  it('cause no write that is late, lost, duplicated, reordered or paid twice', { timeout: 600_000 }, async () => {
    let withheld = 0
    for (let seed = 1; seed <= SCHEDULES; seed++) {
      const result = await runMoving(seed)
      expect({ seed, wrong: result.wrong }).toEqual({ seed, wrong: [] })
      withheld += result.withheld
    }
    // a simulation without withheld requests would prove nothing
    expect(withheld).toBeGreaterThan(SCHEDULES)
  })
})
