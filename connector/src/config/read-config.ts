import { dirname, resolve } from 'node:path'
import { checkValues } from './check/check-values.ts'
import type { Finding } from './check/describe-issue.ts'
import { warningsOf } from './check/warnings.ts'
import { ConfigError, type ConfigMistake } from './config-error.ts'
import { type ConfigPath, pathText } from './config-path.ts'
import { fileSchema } from './published/file-schema.ts'
import type { CheckedService } from './schema/service-schema.ts'
import { replaceCredentials } from './reread-credentials.ts'
import type { ServiceSettings, SinkSettings } from './settings.ts'
import { clearSecrets } from './source/clear-secrets.ts'
import { readRegularFile } from './source/read-regular-file.ts'
import { parseSource, type Source } from './source/parse-source.ts'
import { type Prepared, prepareValues } from './source/prepare-values.ts'

/** What reading a configuration touches of the machine. */
export interface ConfigSurroundings {
  readonly env: Readonly<Record<string, string | undefined>>
  /** Reads a file as text. Rejects with a sentence. */
  readonly readFile: (path: string) => Promise<string>
}

/** Where a configuration is: a file, or a text with the name that messages call it by. */
export type ConfigSource = string | { readonly text: string; readonly name: string }

const MACHINE: ConfigSurroundings = { env: process.env, readFile: readRegularFile }

/**
 * Reads and checks a configuration. Throws a ConfigError that names every mistake at once; nothing has been connected by then.
 * Without `surroundings` the environment and the files are those of the process.
 */
export async function readConfig(source: ConfigSource, surroundings: ConfigSurroundings = MACHINE): Promise<ServiceSettings> {
  const { readFile } = surroundings
  const name = typeof source === 'string' ? source : source.name
  const text = typeof source === 'string' ? await readWhole(source, readFile) : source.text
  const service = await readText(name, text, surroundings)
  const sinks = service.sinks.map((sink, index): SinkSettings => {
    const rereadCredentials = async (): Promise<void> => {
      const fresh = await readText(name, text, surroundings)
      replaceCredentials(sink, fresh.sinks[index])
    }
    return { ...sink, rereadCredentials }
  })
  return { ...service, sinks }
}

async function readText(name: string, text: string, { env, readFile }: ConfigSurroundings): Promise<ServiceSettings> {
  const folder = dirname(name)
  const { value, placeOf } = parse(name, text)
  const schema = fileSchema('sinks' in value ? 'many' : 'one')
  const clear = clearSecrets(value, schema)
  const prepared = await prepareValues(value, schema, { env, readText: (path) => readFile(resolve(folder, path)) })
  const { strange, missed, isHidden } = prepared
  const checked = checkValues(
    value,
    schema,
    missed.map(({ path }) => path),
    isHidden
  )
  const found: readonly Finding[] = [...missed.map((each) => ({ ...each, kind: 'disagreeing' as const })), ...checked.findings]
  if (found.length > 0 || strange.length > 0) {
    throw new ConfigError(name, [...strange, ...inOrder(found.map((each) => toMistake(each, prepared, placeOf)))])
  }
  return complete(checked.service!, folder, clear)
}

function parse(name: string, text: string): { readonly value: object; readonly placeOf: Source['placeOf'] } {
  const parsed = parseSource(text)
  const mistakes = 'value' in parsed ? [] : parsed
  if ('value' in parsed && typeof parsed.value === 'object' && parsed.value !== null && !Array.isArray(parsed.value)) {
    return { value: parsed.value, placeOf: parsed.placeOf }
  }
  const all =
    mistakes.length > 0 ? mistakes : [{ place: { line: 1, column: 1 }, message: 'must hold keys with values, such as name: drives' }]
  throw new ConfigError(
    name,
    all.map(({ place, message }) => ({ path: [], place, variable: undefined, message }))
  )
}

async function readWhole(path: string, readFile: ConfigSurroundings['readFile']): Promise<string> {
  try {
    return await readFile(resolve(path))
  } catch (error) {
    const message = `cannot be read: ${(error as Error).message}`
    throw new ConfigError(path, [{ path: [], place: undefined, variable: undefined, message }])
  }
}

function toMistake({ path, kind, message }: Finding, { variableOf, fileOf }: Prepared, placeOf: Source['placeOf']): ConfigMistake {
  const variable = variableOf(path)
  const file = fileOf(path)
  const place = variable === undefined ? placeOf(path, kind === 'wrong' ? 'value' : 'key') : undefined
  return { path, place, variable, message: file === undefined ? message : `${message} (in ${file})` }
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
