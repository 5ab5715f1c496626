import { describe, expect, it } from 'vitest'
import { judge } from '../fault/cosmos/judge.ts'
import { runScenario } from '../fault/cosmos/run-scenario.ts'
import { SCENARIOS } from '../fault/cosmos/scenarios.ts'

const SEEDS = Number(process.env['KEYSTAMP_SEEDS'] ?? 1)

describe('the writer', () => {
  for (const [name, scenario] of Object.entries(SCENARIOS)) {
    it(`${scenario.title} (${name})`, async () => {
      for (let seed = 1; seed <= SEEDS; seed++) {
        const result = await runScenario(scenario, seed)
        expect({ seed, wrong: judge(scenario, result) }).toEqual({ seed, wrong: [] })
      }
    })
  }
})
