import { createRandom } from '@keystamp/testkit'
import { expect, it } from 'vitest'
import { runRehomingSinks } from './simulation/run-rehoming.ts'

const CLEAN = { gone: [], early: [], wrong: [], failures: [], isFinished: true }
const SCHEDULES = Number(process.env['KEYSTAMP_SCHEDULES'] ?? 60)

// checks L1, L19
it('a group of sinks under random schedules stores each entity once, whatever keys it had, and never without a document', async () => {
  for (let seed = 1; seed <= SCHEDULES; seed++) {
    const verdict = await runRehomingSinks(createRandom(seed).next)
    expect({ seed, ...verdict }).toEqual({ seed, ...CLEAN })
  }
}, 900_000)
