import { describe, expect, it } from 'vitest'
import { runNewest } from '../simulation/run-newest.ts'

const SCHEDULES = Number(process.env['KEYSTAMP_SCHEDULES'] ?? 400)
const FIRST_SEED = Number(process.env['KEYSTAMP_FIRST_SEED'] ?? 1)

describe('changes in any order, under faults, late requests, slow replicas, splits, crashes and other writers', () => {
  // checks L2, L4, L23
  it('leave the newest version of each document, and never replace a newer one', { timeout: 600_000 }, async () => {
    const total = { older: 0, reads: 0, conflicts: 0, superseded: 0, crashes: 0, appliedLate: 0 }
    for (let seed = FIRST_SEED; seed < FIRST_SEED + SCHEDULES; seed++) {
      const { wrong, ...counts } = await runNewest(seed)
      expect({ seed, wrong }).toEqual({ seed, wrong: [] })
      for (const name of ['older', 'reads', 'conflicts', 'superseded', 'crashes', 'appliedLate'] as const)
        total[name] += counts[name]
    }
    // the schedules contain what they are about
    for (const count of Object.values(total)) expect(count).toBeGreaterThan(SCHEDULES / 10)
  })
})
