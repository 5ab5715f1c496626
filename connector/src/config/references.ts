import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { parsePlanText } from '@keystamp/core'
import type { ConfigMistake } from './describe-issue.ts'
import { type ConfigPath, deleteAt, isPartOf, pathText, setAt, valueAt } from './config-path.ts'
import { applyEnvironment, fromText, originOf } from './environment.ts'
import { applyEventHubs } from './event-hubs.ts'
import { nodesAt, type SchemaNode } from './file-schema.ts'
import { renameKeys, sinkPaths } from './renamed-keys.ts'

/** Result of completing a configuration with values from outside of the file. */
export interface Prepared {
  /** Mistakes of environment variables. */
  readonly unknownVariables: readonly ConfigMistake[]
  /** Values that failed to resolve; their keys were removed. */
  readonly missed: readonly { readonly path: ConfigPath; readonly message: string }[]
  /** The variable that a value came from. */
  readonly variableOf: (path: ConfigPath) => string | undefined
  /** The separate file that a value was read from. */
  readonly fileOf: (path: ConfigPath) => string | undefined
  /** Whether a value came from outside of the file, and may be a misplaced secret. */
  readonly isHidden: (path: ConfigPath) => boolean
  /** Returns the path that the file or the variable uses for a key: the former path if the key was renamed. */
  readonly writtenAt: (path: ConfigPath) => ConfigPath
  /** Former names of keys and variables that the configuration uses, with the current names. */
  readonly formerNames: readonly { readonly from: string; readonly to: string }[]
}

/**
 * Renames former keys in `value`, then adds environment variables, references, the defaults of Event Hubs, plans and
 * schemas, in this order.
 */
export async function prepareValues(
  value: object,
  schema: SchemaNode,
  dependencies: ReferenceDependencies
): Promise<Prepared> {
  const missed: { path: ConfigPath; message: string }[] = []
  const inFile = renameKeys(value)
  miss(inFile.mistakes)
  const { origins, mistakes: unknownVariables, formerNames } = applyEnvironment(value, dependencies.env, schema)
  const files = new Map<string, string>()
  const { outside, mistakes } = await resolveReferences(value, schema, dependencies)
  miss(mistakes)
  // a variable or a reference can hold a whole section, in which keys may have former names
  const fromOutside = renameKeys(value)
  miss(fromOutside.mistakes)
  for (const sink of sinkPaths(value)) {
    applyEventHubs(value, sink)
    const included = await includeFiles(value, sink, dependencies.readText)
    for (const [path, file] of included.files) files.set(path, file)
    miss(included.mistakes)
  }
  const moved = [...inFile.moved, ...fromOutside.moved]
  const hidden = [...outside].map((path) => [path])
  const variableOf = (path: ConfigPath): string | undefined => originOf(origins, path)
  return {
    unknownVariables,
    missed,
    variableOf,
    fileOf: (path) => [...files].find(([included]) => isPartOf(path, [[included]]))?.[1],
    isHidden: (path) => variableOf(path) !== undefined || isPartOf(path, hidden),
    writtenAt: (path) => {
      const renamed = moved.find(({ to }) => isPartOf(path, [to]))
      return renamed === undefined ? path : [...renamed.from, ...path.slice(renamed.to.length)]
    },
    formerNames: [...moved.map(({ from, to }) => ({ from: pathText(from), to: pathText(to) })), ...formerNames]
  }

  function miss(found: typeof missed | readonly { readonly path: ConfigPath; readonly message: string }[]): void {
    missed.push(...found)
    for (const { path } of found) deleteAt(value, path)
  }
}

/** Files that were read for the configuration. */
interface Included {
  /** Name of each separate file, by the path of the key that names it. */
  readonly files: ReadonlyMap<string, string>
  readonly mistakes: readonly { readonly path: ConfigPath; readonly message: string }[]
}

/** Replaces the paths of key plan and Avro schema files by the contents of the files. */
async function includeFiles(
  value: unknown,
  sink: ConfigPath,
  readText: (path: string) => Promise<string>
): Promise<Included> {
  const files = new Map<string, string>()
  const mistakes: { path: ConfigPath; message: string }[] = []
  for (const { key, what } of FILE_KEYS) {
    const path = [...sink, ...key]
    const file = valueAt(value, path)
    if (typeof file !== 'string') continue
    try {
      setAt(value, path, parsePlanText(await readText(file)))
      files.set(pathText(path), file)
    } catch (error) {
      const why = error instanceof SyntaxError ? 'it is not valid JSON' : (error as Error).message
      mistakes.push({ path, message: `names the file of ${what}, which cannot be read: ${why}` })
    }
  }
  return { files, mistakes }
}

const FILE_KEYS: readonly { readonly key: ConfigPath; readonly what: string }[] = [
  { key: ['plan'], what: 'a key plan' },
  { key: ['move', 'to', 'plan'], what: 'a key plan' },
  { key: ['value', 'schema'], what: 'an Avro schema' },
  { key: ['key', 'schema'], what: 'an Avro schema' }
]

interface ReferenceDependencies {
  readonly env: Readonly<Record<string, string | undefined>>
  /** Reads a file; relative paths start at the folder of the configuration. */
  readonly readText: (path: string) => Promise<string>
}

/** Result of resolving references. */
interface Resolved {
  /** Paths, as text, of the values that came from outside of the file: messages do not show them. */
  readonly outside: ReadonlySet<string>
  readonly mistakes: readonly { readonly path: ConfigPath; readonly message: string }[]
}

/**
 * Replaces `${env:NAME}` and `${file:path}` in every string. `:-` precedes a default; `$${env:` is an escaped `${env:`.
 */
async function resolveReferences(
  value: unknown,
  schema: SchemaNode,
  dependencies: ReferenceDependencies
): Promise<Resolved> {
  const outside = new Set<string>()
  const mistakes: { path: ConfigPath; message: string }[] = []
  for (const path of pathsOfTexts(value, [])) {
    const text = valueAt(value, path) as string
    if (!/\$\{\w+:/.test(text)) continue
    const replaced = await replaceIn(text, dependencies)
    if ('message' in replaced) {
      mistakes.push({ path, message: replaced.message })
      continue
    }
    outside.add(pathText(path))
    setAt(value, path, replaced.isWhole ? fromText(replaced.text, nodesAt(schema, path)) : replaced.text)
  }
  return { outside, mistakes }
}

const REFERENCE = /\$?\$\{(\w+):([^}]*)(\}?)/g

type Replaced = { readonly text: string; readonly isWhole: boolean } | { readonly message: string }

async function replaceIn(text: string, dependencies: ReferenceDependencies): Promise<Replaced> {
  let made = ''
  let from = 0
  let isWhole = false
  for (const match of text.matchAll(REFERENCE)) {
    const [whole, provider = '', rest = '', end] = match
    made += text.slice(from, match.index)
    from = match.index + whole.length
    if (whole.startsWith('$$')) {
      made += whole.slice(1)
      continue
    }
    if (end === '') return { message: `holds a reference that is not closed: \${${provider}:...}` }
    const found = await lookUp(provider, rest, dependencies)
    if ('message' in found) return found
    made += found.text
    isWhole = whole === text
  }
  return { text: made + text.slice(from), isWhole }
}

async function lookUp(
  provider: string,
  rest: string,
  { env, readText }: ReferenceDependencies
): Promise<{ text: string } | { message: string }> {
  const [, name = '', fallback] = /^(.*?)(?::-(.*))?$/s.exec(rest) ?? []
  if (provider === 'env') {
    const found = env[name] ?? ''
    if (found !== '') return { text: found }
    return fallback === undefined
      ? { message: `needs the environment variable ${name}, which is not set` }
      : { text: fallback }
  }
  if (provider !== 'file')
    return { message: `holds \${${provider}:...}: references are \${env:NAME} and \${file:path}` }
  try {
    // editors and secret stores add a line feed at the end of a file; the value does not include it
    return { text: (await readText(name)).replace(/\r?\n$/, '') }
  } catch (error) {
    return fallback === undefined
      ? { message: `needs the file ${name}: ${(error as Error).message}` }
      : { text: fallback }
  }
}

function pathsOfTexts(value: unknown, path: ConfigPath): readonly ConfigPath[] {
  if (typeof value === 'string') return [path]
  if (Array.isArray(value)) return value.flatMap((each, index) => pathsOfTexts(each, [...path, index]))
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, each]) => pathsOfTexts(each, [...path, name]))
}

/** Size limit for files of configurations, plans, schemas and secrets. */
export const MAX_FILE_BYTES = 1_000_000

/**
 * Reads a file that a configuration names, as text. Rejects for folders, pipes and devices, and for files of more than
 * 1 MB.
 */
export async function readRegularFile(path: string): Promise<string> {
  // without O_NONBLOCK, opening a pipe waits for a writer and keeps the process alive (Windows has no such constant)
  const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  try {
    const stat = await file.stat()
    if (stat.isDirectory()) throw new Error('it is a folder, not a file')
    if (!stat.isFile()) throw new Error('it is a pipe or a device; only regular files are read')
    return await readUpTo(file, MAX_FILE_BYTES)
  } finally {
    await file.close()
  }
}

// some file systems report a size of 0 for files with content
async function readUpTo(file: FileHandle, maxBytes: number): Promise<string> {
  const bytes = Buffer.allocUnsafe(maxBytes + 1)
  let length = 0
  for (;;) {
    const { bytesRead } = await file.read(bytes, length, bytes.length - length)
    length += bytesRead
    if (length > maxBytes) throw new Error(`it is larger than ${maxBytes / 1_000_000} MB`)
    if (bytesRead === 0) return bytes.toString('utf8', 0, length)
  }
}
