import { dirname, resolve } from 'node:path'
import { checkPlan } from './check/check-plan.ts'
import { checkRules } from './check/rules.ts'
import { checkSchema, isPartOf } from './check/check-schema.ts'
import { checkSinks } from './check/check-sinks.ts'
import { warningsOf } from './check/warnings.ts'
import { ConfigError, type ConfigMistake, type Place } from './config-error.ts'
import { type ConfigPath, deleteAt, pathText, valueAt } from './config-path.ts'
import { fileSchema } from './published/file-schema.ts'
import type { CheckedService } from './schema/service-schema.ts'
import type { ServiceSettings } from './settings.ts'
import { applyEnvironment, originOf } from './source/environment.ts'
import { applyEventHubs } from './source/event-hubs.ts'
import { includeFiles } from './source/inclusions.ts'
import { parseSource } from './source/parse-source.ts'
import { resolveReferences } from './source/references.ts'
import { clearSecrets } from './source/clear-secrets.ts'

/** What reading a configuration touches of the machine. */
export interface ConfigSurroundings {
  readonly env: Readonly<Record<string, string | undefined>>
  /** Reads a file as text. Rejects with a sentence. */
  readonly readFile: (path: string) => Promise<string>
}

/** Where a configuration is: a file, or a text with the name that messages call it by. */
export type ConfigSource = string | { readonly text: string; readonly name: string }

/** Reads and checks a configuration. Throws a ConfigError that names every mistake at once; nothing has been connected by then. */
export async function readConfig(source: ConfigSource, surroundings: ConfigSurroundings): Promise<ServiceSettings> {
  const name = typeof source === 'string' ? source : source.name
  const folder = dirname(name)
  const readText = (path: string): Promise<string> => surroundings.readFile(resolve(folder, path))
  const text = typeof source === 'string' ? await readWhole(source, surroundings) : source.text
  const parsed = parseSource(text)
  if (!('value' in parsed)) {
    throw new ConfigError(
      name,
      parsed.map(({ place, message }) => ({ path: [], place, variable: undefined, message }))
    )
  }
  const { value, placeOf } = parsed
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new ConfigError(name, [
      { path: [], place: { line: 1, column: 1 }, variable: undefined, message: 'must hold keys with values, such as name: drives' }
    ])
  }
  return checked({ name, value, placeOf, folder, readText, env: surroundings.env })
}

interface Reading {
  readonly name: string
  readonly value: object
  readonly placeOf: (path: ConfigPath, of: 'key' | 'value') => Place
  readonly folder: string
  readonly readText: (path: string) => Promise<string>
  readonly env: ConfigSurroundings['env']
}

interface Found {
  readonly path: ConfigPath
  readonly kind?: 'unknown' | 'missing' | 'wrong'
  readonly message: string
}

async function checked({ name, value, placeOf, folder, readText, env }: Reading): Promise<ServiceSettings> {
  const schema = fileSchema('sinks' in value ? 'many' : 'one')
  const clear = clearSecrets(value, schema)
  const { origins, mistakes } = applyEnvironment(value, env, schema)
  const found: Found[] = []
  const broken: ConfigPath[] = []
  const miss = (missed: readonly Found[]): void => {
    found.push(...missed)
    for (const { path } of missed) {
      deleteAt(value, path)
      broken.push(path)
    }
  }
  const { outside, mistakes: unresolved } = await resolveReferences(value, schema, { env, readText })
  miss(unresolved)
  const files = new Map<string, string>()
  for (const sink of sinkPaths(value)) {
    applyEventHubs(value, sink)
    // oxlint-disable-next-line no-await-in-loop -- in the order of the file
    const included = await includeFiles(value, sink, readText)
    for (const [path, file] of included.files) files.set(path, file)
    miss(included.mistakes)
  }
  const isHidden = (path: ConfigPath): boolean =>
    isPartOf(
      path,
      [...outside].map((each) => [each])
    ) || originOf(origins, path) !== undefined
  const result = checkSchema(value, schema, broken, isHidden)
  found.push(...result.findings, ...plansOf(value).filter(({ path }) => !isPartOf(path, broken)))
  if (result.service !== undefined) found.push(...rulesOf(value, result.service, result.broken))
  if (found.length > 0 || mistakes.length > 0) {
    throw new ConfigError(name, [...mistakes, ...inOrder(found.map((each) => placed(each)))])
  }
  return complete(result.service!, folder, clear)

  function placed({ path, kind, message }: Found): ConfigMistake {
    const variable = originOf(origins, path)
    const file = [...files].find(([included]) => isPartOf(path, [[included]]))?.[1]
    const place = variable === undefined ? placeOf(path, kind === 'wrong' ? 'value' : 'key') : undefined
    return { path, place, variable, message: file === undefined || path.length === 1 ? message : `${message} (in ${file})` }
  }
}

function sinkPaths(value: object): readonly ConfigPath[] {
  if (!('sinks' in value)) return [[]]
  return Array.isArray(value.sinks) ? value.sinks.map((_sink, index) => ['sinks', index]) : []
}

function plansOf(value: object): readonly Found[] {
  return sinkPaths(value).flatMap((sink) => {
    const plan = valueAt(value, [...sink, 'plan'])
    if (typeof plan !== 'object' || plan === null || Array.isArray(plan)) return []
    return checkPlan(plan).map(({ path, message }) => ({ path: [...sink, 'plan', ...path], kind: 'wrong' as const, message }))
  })
}

function rulesOf(value: object, service: CheckedService, broken: readonly ConfigPath[]): readonly Found[] {
  const inSinks = sinkPaths(value).flatMap((at, index) => {
    const sink = service.sinks[index]
    if (sink === undefined) return []
    const hasBadPlan = sink.plan !== undefined && checkPlan(sink.plan).length > 0
    const isBroken = (path: ConfigPath): boolean =>
      (hasBadPlan && path[0] === 'plan') || broken.some((each) => isPartOf([...at, ...path], [each]) || isPartOf(each, [[...at, ...path]]))
    return checkRules(sink, (path) => valueAt(value, [...at, ...path]) !== undefined, isBroken).map((each) => ({
      ...each,
      path: [...at, ...each.path]
    }))
  })
  return [...inSinks, ...checkSinks(service)]
}

function inOrder(mistakes: readonly ConfigMistake[]): readonly ConfigMistake[] {
  return mistakes.toSorted((a, b) => orderOf(a) - orderOf(b))
}

function orderOf({ place }: ConfigMistake): number {
  return place === undefined ? 0 : place.line * 10_000 + place.column
}

function complete(service: CheckedService, folder: string, clear: readonly ConfigPath[]): ServiceSettings {
  const sinks = service.sinks.map((sink) => {
    const { rejects } = sink
    return rejects.file === undefined ? sink : { ...sink, rejects: { ...rejects, file: resolve(folder, rejects.file) } }
  })
  const inClear = clear.map((path) => `${pathText(path)} stands in the file in clear: write \${env:NAME} or \${file:path} instead.`)
  return { ...service, sinks, warnings: [...inClear, ...sinks.flatMap(warningsOf)] }
}

async function readWhole(path: string, { readFile }: ConfigSurroundings): Promise<string> {
  try {
    return await readFile(resolve(path))
  } catch (error) {
    throw new ConfigError(path, [
      { path: [], place: undefined, variable: undefined, message: `cannot be read: ${(error as Error).message}` }
    ])
  }
}
