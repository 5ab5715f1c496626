import { createScenarioReader, type ScenarioReader } from '../scenario-reader.ts'
import type { Expectation, Happening, Scenario } from './scenario.ts'

/** Reads what may happen to sinks. */
export const { readScenarios, parseScenario }: ScenarioReader<Scenario> = createScenarioReader<
  Scenario,
  Happening,
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
    'happenings',
    'expect'
  ],
  ofHappenings: ['after', 'hold', 'do'],
  ofExpect: [
    'ends',
    'says',
    'saysNot',
    'mostAssignments',
    'isReplayed',
    'leastStruck',
    'isTopicGone',
    'isNeverReplayed',
    'lateFrom',
    'namesLate',
    'takenFrom'
  ]
})
