import { describe, expect, it } from 'vitest'
import { sharedKafka } from '../../e2e/shared-kafka.ts'
import { judge } from './judge.ts'
import { readScenarios } from './read-scenarios.ts'
import { runScenario } from './run-scenario.ts'
import type { Scenario } from './scenario.ts'

const { isMissing, why, brokers } = await sharedKafka()
const SEEDS = Number(process.env['KEYSTAMP_SEEDS'] ?? 1)
/** Scenarios with late requests and records that are read again; `npm run test:faults` runs all. */
const USUAL = /^(answers-lost|frozen-|killed-before-commit|request-applied-long)/
const isUsual = ({ name }: Scenario): boolean => process.env['KEYSTAMP_SEEDS'] !== undefined || USUAL.test(name)
const SECONDS_A_SEED = 150

describe.skipIf(isMissing).concurrent(`a sink with \`write.newerBy\`, in each scenario of faults${why}`, () => {
  for (const scenario of readScenarios().filter((each) => each.onlyInSoak === undefined && isUsual(each))) {
    // checks L23
    it(
      `leaves nothing stale (${scenario.name})`,
      {
        timeout: SEEDS * SECONDS_A_SEED * 1000
      },
      async () => {
        for (let seed = 1; seed <= SEEDS; seed++) {
          const newest = { ...scenario, isNewest: true }
          const result = await runScenario(newest, seed, brokers)
          expect({ seed, wrong: judge(newest, result) }).toEqual({ seed, wrong: [] })
        }
      }
    )
  }
})
