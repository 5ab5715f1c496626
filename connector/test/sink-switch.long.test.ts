import { createRandom } from '@keystamp/testkit'
import { describe, expect, it } from 'vitest'
import { runSwitch } from './simulation/run-switch.ts'

const SCHEDULES = Number(process.env['KEYSTAMP_SCHEDULES'] ?? 60)
const CLEAN = { stale: [], misplaced: [], early: [], failures: [], isFinished: true }

describe('a group of sinks that is switched to another container and back', () => {
  // checks L1, L3, L5
  it('writes each record to the container in charge only, and loses none, while members join, leave and crash', async () => {
    let switched = 0
    let canceled = 0
    for (let seed = 1; seed <= SCHEDULES; seed++) {
      const verdict = await runSwitch(createRandom(seed).next)
      expect({ seed, ...verdict }).toMatchObject({ seed, ...CLEAN })
      switched += verdict.switched
      canceled += verdict.canceled
    }
    expect(switched).toBeGreaterThan(SCHEDULES)
    expect(canceled).toBeGreaterThan(SCHEDULES / 10)
  }, 900_000)
})
