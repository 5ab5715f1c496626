import { createRandom } from '@keystamp/lab'
import { describe, expect, it } from 'vitest'
import { runSimulation } from './simulation/run-simulation.ts'

const SCHEDULES = Number(process.env['KEYSTAMP_SCHEDULES'] ?? 150)

describe('a group of sinks under random schedules', () => {
  it('loses nothing, keeps the newest of every document, commits nothing early, and copies exactly the poison', async () => {
    for (let seed = 1; seed <= SCHEDULES; seed++) {
      // oxlint-disable-next-line no-await-in-loop -- one schedule after the other
      const verdict = await runSimulation(createRandom(seed).next)
      expect({ seed, ...verdict }).toEqual({ seed, lost: [], stale: [], early: [], misjudged: [], failures: [], isFinished: true })
    }
  }, 900_000)
})
