import { readdirSync, readFileSync } from 'node:fs'
import { parse } from 'yaml'
import type { Expectation, Scenario } from './scenario.ts'

const FOLDER = new URL('scenarios/', import.meta.url)

/** Reads the scenarios, each from its file. */
export function readScenarios(): readonly Scenario[] {
  return readdirSync(FOLDER)
    .toSorted()
    .map((file) => parseScenario(file, readFileSync(new URL(file, FOLDER), 'utf8')))
}

/** Reads one scenario; a name that means nothing would be a scenario that tests nothing. */
export function parseScenario(file: string, text: string): Scenario {
  const scenario = parse(text) as Readonly<Record<string, unknown>>
  if (typeof scenario['title'] !== 'string') throw new Error(`${file} has no title.`)
  refuseUnknown(file, scenario, MEMBERS)
  refuseUnknown(file, scenario['expect'] ?? {}, EXPECTATIONS)
  for (const happening of (scenario['happenings'] ?? []) as object[]) refuseUnknown(file, happening, ['after', 'hold', 'do'])
  return { ...scenario, name: file.replace(/\.yaml$/, '') } as Scenario
}

const MEMBERS: readonly (keyof Scenario)[] = [
  'title',
  'emulator',
  'sink',
  'topic',
  'ownBroker',
  'registry',
  'records',
  'poison',
  'transactions',
  'faults',
  'happenings',
  'expect'
]
const EXPECTATIONS: readonly (keyof Expectation)[] = [
  'ends',
  'says',
  'saysNot',
  'mostAssignments',
  'isReplayed',
  'leastStruck',
  'isTopicGone',
  'isNeverReplayed',
  'lateFrom'
]

function refuseUnknown(file: string, value: object, known: readonly string[]): void {
  for (const name of Object.keys(value)) if (!known.includes(name)) throw new Error(`${file} has a member ${name}, which nobody reads.`)
}
