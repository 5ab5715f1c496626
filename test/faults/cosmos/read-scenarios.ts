import { createScenarioReader, type ScenarioReader } from '../scenario-reader.ts'
import type { Expectation, ScenarioEvent, Scenario } from './scenario.ts'

/** Reads the scenarios for a writer. */
export const { readScenarios, parseScenario }: ScenarioReader<Scenario> = createScenarioReader<
  Scenario,
  ScenarioEvent,
  Expectation
>({
  folder: new URL('scenarios/', import.meta.url),
  members: ['title', 'emulator', 'writer', 'writes', 'onlyUpserts', 'faults', 'calmAfterMs', 'events', 'expect'],
  ofEvents: ['after', 'do'],
  ofExpect: ['mayReject', 'stops', 'meets', 'minThrottled']
})
