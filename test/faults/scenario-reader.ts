import { readdirSync, readFileSync } from 'node:fs'
import { parse } from 'yaml'

/** Where the scenarios of a kind lie, and which members they may have. */
export interface ScenarioForm<Scenario, Happening, Expectation> {
  readonly folder: URL
  readonly members: readonly (keyof Scenario)[]
  readonly ofHappenings: readonly (keyof Happening)[]
  readonly ofExpect: readonly (keyof Expectation)[]
}

/** How scenarios of a form are read. */
export interface ScenarioReader<Scenario> {
  /** Reads all, each from its file. */
  readonly readScenarios: () => readonly Scenario[]
  /** Reads one; a name that means nothing would be a scenario that tests nothing. */
  readonly parseScenario: (file: string, text: string) => Scenario
}

/** A form that a scenario does not fit is an error by name. */
export function createScenarioReader<Scenario, Happening, Expectation>({
  folder,
  members,
  ofHappenings,
  ofExpect
}: ScenarioForm<Scenario, Happening, Expectation>): ScenarioReader<Scenario> {
  function parseScenario(file: string, text: string): Scenario {
    const scenario = parse(text) as Readonly<Record<string, unknown>>
    if (typeof scenario['title'] !== 'string') throw new Error(`${file} has no title.`)
    refuseUnknown(file, scenario, members)
    refuseUnknown(file, scenario['expect'] ?? {}, ofExpect)
    for (const happening of (scenario['happenings'] ?? []) as object[]) refuseUnknown(file, happening, ofHappenings)
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
    if (!known.includes(name)) throw new Error(`${file} has a member ${name}, which nobody reads.`)
}
