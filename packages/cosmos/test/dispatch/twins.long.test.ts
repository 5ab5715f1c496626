import { describe, expect, it } from 'vitest'
import { runRehoming } from '../simulation/run-rehoming.ts'

const SCHEDULES = Number(process.env['KEYSTAMP_SCHEDULES'] ?? 400)

describe('entities that change their key, under faults, splits, merges, crashes and redeliveries', () => {
  // checks L2, L4, L19
  it('are stored once, in their last version, and are never without a document', { timeout: 600_000 }, async () => {
    const total = { crashes: 0, twinsDeleted: 0, superseded: 0 }
    for (let seed = 1; seed <= SCHEDULES; seed++) {
      const { wrong, ...counts } = await runRehoming(seed)
      expect({ seed, wrong }).toEqual({ seed, wrong: [] })
      for (const name of ['crashes', 'twinsDeleted', 'superseded'] as const) total[name] += counts[name]
    }
    // the schedules contain what they are about
    for (const count of Object.values(total)) expect(count).toBeGreaterThan(SCHEDULES / 2)
  })
})
