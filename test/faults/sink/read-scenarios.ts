import { createScenarioReader, type ScenarioReader } from '../scenario-reader.ts'
import type { Expectation, ScenarioEvent, Scenario } from './scenario.ts'

/** Reads the scenarios for sinks. */
export const { readScenarios, parseScenario }: ScenarioReader<Scenario> = createScenarioReader<
  Scenario,
  ScenarioEvent,
  Expectation
>({
  folder: new URL('scenarios/', import.meta.url),
  members: [
    'title',
    'emulator',
    'onlyInSoak',
    'gates',
    'sink',
    'topic',
    'ownBrokers',
    'registry',
    'records',
    'poison',
    'transactions',
    'faults',
    'events',
    'expect'
  ],
  ofEvents: ['after', 'hold', 'do'],
  ofExpect: [
    'ends',
    'prints',
    'neverPrints',
    'maxAssignments',
    'isReplayed',
    'minStruck',
    'isTopicGone',
    'isNeverReplayed',
    'lateFrom',
    'namesLate',
    'takenFrom'
  ]
})
