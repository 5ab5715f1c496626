import { describe, expect, it } from 'vitest'
import { countLateRequests, judge } from './judge.ts'
import { readScenarios } from './read-scenarios.ts'
import { runScenario } from './run-scenario.ts'
import { sharedKafka } from '../../e2e/shared-kafka.ts'

const { isMissing, why, brokers } = await sharedKafka()
const SEEDS = Number(process.env['KEYSTAMP_SEEDS'] ?? 1)
const SECONDS_A_SEED = 150

describe.skipIf(isMissing).concurrent(`a sink, in each scenario of faults${why}`, () => {
  for (const scenario of readScenarios().filter(({ onlyInSoak }) => onlyInSoak === undefined)) {
    // checks L5
    it(`${scenario.title} (${scenario.name})`, { timeout: SEEDS * SECONDS_A_SEED * 1000 }, async ({ annotate }) => {
      for (let seed = 1; seed <= SEEDS; seed++) {
        const result = await runScenario(scenario, seed, brokers)
        const late = countLateRequests(scenario, result)
        if (late > 0) await annotate(`Late requests, seed ${seed}: ${late}.`)
        expect({ seed, wrong: judge(scenario, result) }).toEqual({ seed, wrong: [] })
      }
    })
  }
})
