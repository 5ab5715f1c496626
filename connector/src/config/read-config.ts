import { createPlan } from '@keystamp/core'
import { dirname, resolve } from 'node:path'
import { checkValues } from './check-values.ts'
import { type ConfigPath, pathText, valueAt } from './config-path.ts'
import { ConfigError, type ConfigMistake, type Finding } from './describe-issue.ts'
import { fileSchema, nodesAt, type SchemaNode } from './file-schema.ts'
import { needsRegistry } from './schema/format-schema.ts'
import type { CheckedService } from './schema/service-schema.ts'
import { replaceCredentials } from './secrets.ts'
import type { ServiceSettings, SinkSettings } from './settings.ts'
import { parseSource, type Source } from './parse-yaml.ts'
import { type Prepared, prepareValues, readRegularFile } from './references.ts'
import { type MigratedConfig, renameKeys, renameKeysInText } from './renamed-keys.ts'

/** Dependencies of reading a configuration. */
export interface ConfigDependencies {
  readonly env: Readonly<Record<string, string | undefined>>
  /** Reads a file as text. Rejects with an error whose message is a sentence. */
  readonly readFile: (path: string) => Promise<string>
}

/** Source of a configuration: a file, or a string with the name that messages use for it. */
export type ConfigSource = string | { readonly text: string; readonly name: string }

const MACHINE: ConfigDependencies = { env: process.env, readFile: readRegularFile }

/**
 * Reads and checks a configuration. Throws a ConfigError that names every mistake. Opens no connection. Without
 * `dependencies`, uses the environment and the files of the process.
 */
export async function readConfig(
  source: ConfigSource,
  dependencies: ConfigDependencies = MACHINE
): Promise<ServiceSettings> {
  const { readFile } = dependencies
  const name = typeof source === 'string' ? source : source.name
  const text = typeof source === 'string' ? await readWhole(source, readFile) : source.text
  const service = await readText(name, text, dependencies)
  const sinks = service.sinks.map((sink, index): SinkSettings => {
    const rereadCredentials = async (): Promise<boolean> => {
      const fresh = await readText(name, text, dependencies)
      return replaceCredentials(sink, fresh.sinks[index])
    }
    return { ...sink, rereadCredentials }
  })
  return { ...service, sinks }
}

/**
 * Returns the text of a configuration with the current names of its keys; comments and layout stay. Does not check the
 * configuration. Throws a ConfigError if the text is not YAML, or has a key under both names.
 */
export function migrateConfig({ text, name }: Exclude<ConfigSource, string>): MigratedConfig {
  const { value, positionOf } = parse(name, text)
  const { mistakes } = renameKeys(value)
  if (mistakes.length > 0) {
    throw new ConfigError(
      name,
      mistakes.map(({ path, message }) => ({ path, position: positionOf(path, 'key'), variable: undefined, message }))
    )
  }
  return renameKeysInText(text)
}

async function readText(name: string, text: string, { env, readFile }: ConfigDependencies): Promise<ServiceSettings> {
  const folder = dirname(name)
  const { value, positionOf } = parse(name, text)
  const schema = fileSchema('sinks' in value ? 'many' : 'one')
  const clear = clearSecrets(value, schema)
  const prepared = await prepareValues(value, schema, { env, readText: (path) => readFile(resolve(folder, path)) })
  const { unknownVariables, missed, isHidden } = prepared
  const checked = checkValues(
    value,
    schema,
    missed.map(({ path }) => path),
    isHidden
  )
  const found: readonly Finding[] = [
    ...missed.map((each) => ({ ...each, kind: 'disagreeing' as const })),
    ...checked.findings
  ]
  if (found.length > 0 || unknownVariables.length > 0) {
    throw new ConfigError(name, [
      ...unknownVariables,
      ...inOrder(found.map((each) => toMistake(each, prepared, positionOf)))
    ])
  }
  return complete(checked.service!, folder, [...formerNamesWarning(prepared), ...clear.map(clearSecretWarning)])
}

function parse(name: string, text: string): { readonly value: object; readonly positionOf: Source['positionOf'] } {
  const parsed = parseSource(text)
  const mistakes = 'value' in parsed ? [] : parsed
  if ('value' in parsed && typeof parsed.value === 'object' && parsed.value !== null && !Array.isArray(parsed.value)) {
    return { value: parsed.value, positionOf: parsed.positionOf }
  }
  const all =
    mistakes.length > 0
      ? mistakes
      : [{ position: { line: 1, column: 1 }, message: 'must be a mapping, such as name: drives' }]
  throw new ConfigError(
    name,
    all.map(({ position, message }) => ({ path: [], position, variable: undefined, message }))
  )
}

async function readWhole(path: string, readFile: ConfigDependencies['readFile']): Promise<string> {
  try {
    return await readFile(resolve(path))
  } catch (error) {
    const message = `cannot be read: ${(error as Error).message}`
    throw new ConfigError(path, [{ path: [], position: undefined, variable: undefined, message }])
  }
}

function toMistake(
  { path, kind, message }: Finding,
  { variableOf, fileOf, writtenAt }: Prepared,
  positionOf: Source['positionOf']
): ConfigMistake {
  const variable = variableOf(path)
  const file = fileOf(path)
  const written = writtenAt(path)
  const position = variable === undefined ? positionOf(written, kind === 'wrong' ? 'value' : 'key') : undefined
  return { path: written, position, variable, message: file === undefined ? message : `${message} (in ${file})` }
}

function inOrder(mistakes: readonly ConfigMistake[]): readonly ConfigMistake[] {
  return mistakes.toSorted((a, b) => orderOf(a) - orderOf(b))
}

function orderOf({ position }: ConfigMistake): number {
  return position === undefined ? 0 : position.line * 10_000 + position.column
}

function complete(service: CheckedService, folder: string, warnings: readonly string[]): ServiceSettings {
  const sinks = service.sinks.map((sink) => {
    const { rejects } = sink
    return rejects.file === undefined ? sink : { ...sink, rejects: { ...rejects, file: resolve(folder, rejects.file) } }
  })
  return { ...service, sinks, warnings: [...warnings, ...sinks.flatMap(warningsOf)] }
}

/** One warning for all former names. */
function formerNamesWarning({ formerNames }: Prepared): readonly string[] {
  if (formerNames.length === 0) return []
  const names = formerNames.map(({ from, to }) => `${from} (now ${to})`)
  const remedy = '`keystamp sink --migrate-config` prints the file with the current names.'
  return [`these names were changed, and are accepted until version 1.0: ${names.join(', ')}. ${remedy}`]
}

function clearSecretWarning(path: ConfigPath): string {
  return `${pathText(path)} is in the file as clear text: write \${env:NAME} or \${file:path} instead.`
}

/** Warnings about settings that work in an unexpected way; a sentence each. */
function warningsOf(sink: SinkSettings): readonly string[] {
  const { kafka, cosmos, registry, key, value, write, rejects, plan } = sink
  const found =
    plan === undefined
      ? []
      : createPlan(plan, { random: () => 0 }).warnings.map(({ path, message }) => `plan${path}: ${message}`)
  if (kafka.tls === false && kafka.sasl?.mechanism === 'plain' && !kafka.brokers.every(isLoopback)) {
    found.push('kafka.tls is false, and kafka.sasl sends a password: anyone who listens on the network can read it.')
  }
  if (registry !== undefined && !needsRegistry(key) && !needsRegistry(value)) {
    found.push('registry is not used: neither key nor value has the format registry.')
  }
  if (
    write.strategy === 'patch' &&
    [write.patch!.operation, ...[...write.patch!.members.values()].map((member) => member.operation)].includes(
      'increment'
    )
  ) {
    found.push('write.patch has the operation increment: a redelivered record is added a second time.')
  }
  if (rejects.policy === 'skip') found.push('rejects.policy is skip: rejected records are counted, but not copied.')
  if (cosmos.endpoint.startsWith('http:') && !isLoopback(new URL(cosmos.endpoint).host)) {
    found.push('cosmos.endpoint is http: anyone who listens on the network can read the documents.')
  }
  return found.map((sentence) => `${sink.name}: ${sentence}`)
}

function isLoopback(hostAndPort: string): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/.test(hostAndPort)
}

/**
 * Paths of secrets that are in the file itself instead of a reference. The public key of the emulators is not a secret.
 */
function clearSecrets(value: unknown, schema: SchemaNode): readonly ConfigPath[] {
  return pathsOf(value, []).filter((path) => {
    const text = valueAt(value, path)
    if (typeof text !== 'string' || partsInClear(text).every(isPublic)) return false
    // the address of Redis is a secret only if it contains a password
    if (/^rediss?:\/\/[^@]*$/.test(text)) return false
    return nodesAt(schema, path).some(({ writeOnly }) => writeOnly === true)
  })
}

/** The string itself if it contains no reference; else the defaults of its references. */
function partsInClear(text: string): readonly string[] {
  if (!/\$\{\w+:/.test(text)) return [text]
  return [...text.matchAll(/\$\{\w+:[^}]*?:-([^}]+)\}/g)].map(([, fallback]) => fallback)
}

// Microsoft documents this key; it is the same on every machine
const EMULATOR_KEY = 'C2y6yDjf5/R+ob0N8A7Cgv30VRDJIWEHLM+4QDU5DE2nQ9nDuVTqobD4b8mGGyPMbIZnqyMsEcaGQy67XIw/Jw=='

function isPublic(part: string): boolean {
  return part === EMULATOR_KEY || (/\bAccountKey\s*=/i.test(part) && part.includes(EMULATOR_KEY))
}

function pathsOf(value: unknown, path: ConfigPath): readonly ConfigPath[] {
  if (Array.isArray(value)) return value.flatMap((each, index) => pathsOf(each, [...path, index]))
  if (typeof value !== 'object' || value === null) return [path]
  return Object.entries(value).flatMap(([name, each]) => pathsOf(each, [...path, name]))
}
