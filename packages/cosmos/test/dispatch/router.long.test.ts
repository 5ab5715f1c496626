import { describe, expect, it } from 'vitest'
import { judge } from '../simulation/judge.ts'
import { runSchedule } from '../simulation/run-schedule.ts'

const SCHEDULES = Number(process.env['KEYSTAMP_SCHEDULES'] ?? 400)

describe('random schedules of answers, faults, splits and merges', () => {
  // checks L2, L4, L8
  it('leave no document stale, lost, duplicated or in flight twice', { timeout: 600_000 }, async () => {
    for (let seed = 1; seed <= SCHEDULES; seed++) {
      const result = await runSchedule(seed)
      expect({ seed, wrong: judge(result) }).toEqual({ seed, wrong: [] })
    }
  })
})
