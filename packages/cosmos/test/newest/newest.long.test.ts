import { describe, expect, it } from 'vitest'
import { type NewestRunCounts, runNewest } from '../simulation/run-newest.ts'

const SCHEDULES = Number(process.env['KEYSTAMP_SCHEDULES'] ?? 100)
const FIRST_SEED = Number(process.env['KEYSTAMP_FIRST_SEED'] ?? 1)

describe('changes in any order, under faults, late requests, slow replicas, splits, crashes and other writers', () => {
  // checks L2, L4, L19, L23
  it(
    'leave the newest version of each document, and never replace a newer one',
    { timeout: Math.max(600_000, SCHEDULES * 500) },
    async () => {
      const total: Partial<NewestRunCounts> = {}
      for (let seed = FIRST_SEED; seed < FIRST_SEED + SCHEDULES; seed++) {
        const { wrong, counts } = await runNewest(seed)
        expect({ seed, wrong }).toEqual({ seed, wrong: [] })
        for (const [name, count] of Object.entries(counts) as [keyof NewestRunCounts, number][])
          total[name] = (total[name] ?? 0) + count
      }
      // the schedules contain what they are about; a few of them need not
      const least = SCHEDULES < 50 ? -1 : SCHEDULES / 10
      for (const count of Object.values(total)) expect(count).toBeGreaterThan(least)
    }
  )
})
