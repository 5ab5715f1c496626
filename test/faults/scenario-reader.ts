import { readdirSync, readFileSync } from 'node:fs'
import { parse } from 'yaml'

/** Folder of one kind of scenarios, and the keys that they may have. */
export interface ScenarioForm<Scenario, ScenarioEvent, Expectation> {
  readonly folder: URL
  readonly members: readonly (keyof Scenario)[]
  readonly ofEvents: readonly (keyof ScenarioEvent)[]
  readonly ofExpect: readonly (keyof Expectation)[]
}

/** Reader for one kind of scenarios. */
export interface ScenarioReader<Scenario> {
  /** Reads all scenarios, each from its file. */
  readonly readScenarios: () => readonly Scenario[]
  /** Reads one scenario. Throws on an unknown key: a misspelled key would test nothing. */
  readonly parseScenario: (file: string, text: string) => Scenario
}

/** Creates a reader that refuses unknown keys. */
export function createScenarioReader<Scenario, ScenarioEvent, Expectation>({
  folder,
  members,
  ofEvents,
  ofExpect
}: ScenarioForm<Scenario, ScenarioEvent, Expectation>): ScenarioReader<Scenario> {
  function parseScenario(file: string, text: string): Scenario {
    const scenario = parse(text) as Readonly<Record<string, unknown>>
    if (typeof scenario['title'] !== 'string') throw new Error(`${file} has no title.`)
    refuseUnknown(file, scenario, members)
    refuseUnknown(file, scenario['expect'] ?? {}, ofExpect)
    for (const event of (scenario['events'] ?? []) as object[]) refuseUnknown(file, event, ofEvents)
    return { ...scenario, name: file.replace(/\.yaml$/, '') } as Scenario
  }

  const readScenarios = (): readonly Scenario[] =>
    readdirSync(folder)
      .toSorted()
      .map((file) => parseScenario(file, readFileSync(new URL(file, folder), 'utf8')))

  return { readScenarios, parseScenario }
}

function refuseUnknown(file: string, value: object, known: readonly PropertyKey[]): void {
  for (const name of Object.keys(value))
    if (!known.includes(name)) throw new Error(`${file} has the unknown key ${name}.`)
}
