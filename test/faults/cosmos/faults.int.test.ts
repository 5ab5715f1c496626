import { describe, expect, it } from 'vitest'
import { judge } from './judge.ts'
import { readScenarios } from './read-scenarios.ts'
import { runScenario } from './run-scenario.ts'

const SEEDS = Number(process.env['KEYSTAMP_SEEDS'] ?? 1)
const SECONDS_A_SEED = 30

describe('the writer, in each scenario of faults', () => {
  for (const scenario of readScenarios()) {
    // checks L2, L4, L6, L8
    it(`${scenario.title} (${scenario.name})`, { timeout: SEEDS * SECONDS_A_SEED * 1000 }, async () => {
      for (let seed = 1; seed <= SEEDS; seed++) {
        const result = await runScenario(scenario, seed)
        expect({ seed, wrong: judge(scenario, result) }).toEqual({ seed, wrong: [] })
      }
    })
  }
})
