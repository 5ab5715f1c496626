import { createScenarioReader, type ScenarioReader } from '../scenario-reader.ts'
import type { Expectation, Happening, Scenario } from './scenario.ts'

/** Reads what may happen to a writer. */
export const { readScenarios, parseScenario }: ScenarioReader<Scenario> = createScenarioReader<
  Scenario,
  Happening,
  Expectation
>({
  folder: new URL('scenarios/', import.meta.url),
  members: ['title', 'emulator', 'writer', 'writes', 'onlyUpserts', 'faults', 'calmAfterMs', 'happenings', 'expect'],
  ofHappenings: ['after', 'do'],
  ofExpect: ['mayReject', 'stops', 'meets', 'leastThrottled']
})
