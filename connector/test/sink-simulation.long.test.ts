import { createRandom } from '@keystamp/testkit'
import { describe, expect, it } from 'vitest'
import { runSimulation } from './simulation/run-simulation.ts'

const CLEAN = {
  lost: [],
  stale: [],
  rewound: [],
  movedBack: [],
  early: [],
  misjudged: [],
  failures: [],
  isFinished: true
}
const SCHEDULES = Number(process.env['KEYSTAMP_SCHEDULES'] ?? 60)

describe('a group of sinks under random schedules', () => {
  // checks L1, L2, L5, L9
  it('loses nothing, keeps the newest version of every document, commits nothing early, and copies exactly the invalid records', async () => {
    for (let seed = 1; seed <= SCHEDULES; seed++) {
      const verdict = await runSimulation(createRandom(seed).next)
      expect({ seed, ...verdict }).toEqual({ seed, ...CLEAN })
    }
  }, 900_000)

  it('L5 gives no document an older value than a value that was committed, even if members miss generations', async () => {
    for (let seed = 1; seed <= SCHEDULES; seed++) {
      const verdict = await runSimulation(createRandom(seed).next, { missShare: 0.5 })
      expect({ seed, ...verdict }).toEqual({ seed, ...CLEAN })
    }
  }, 900_000)
})
