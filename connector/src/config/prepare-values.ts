import { parsePlanText } from '@keystamp/core'
import type { ConfigMistake } from './config-error.ts'
import { type ConfigPath, deleteAt, isPartOf, pathText, setAt, valueAt } from './config-path.ts'
import { applyEnvironment, originOf } from './environment.ts'
import type { SchemaNode } from './file-schema.ts'
import { applyEventHubs } from './event-hubs.ts'
import { type ReferenceDependencies, resolveReferences } from './references.ts'

/** What a configuration says once everything from outside of the file is in its place. */
export interface Prepared {
  /** Variables of the environment that mean nothing. */
  readonly strange: readonly ConfigMistake[]
  /** What could not be had, and stands nowhere now. */
  readonly missed: readonly { readonly path: ConfigPath; readonly message: string }[]
  /** The variable that a value came from. */
  readonly variableOf: (path: ConfigPath) => string | undefined
  /** The file of its own that a value stands in. */
  readonly fileOf: (path: ConfigPath) => string | undefined
  /** Whether a value came from outside, and may be a secret in the wrong place. */
  readonly isHidden: (path: ConfigPath) => boolean
}

/** Puts the environment, references, the defaults of Event Hubs, plans and schemas into `value`, in this order. */
export async function prepareValues(value: object, schema: SchemaNode, surroundings: ReferenceDependencies): Promise<Prepared> {
  const { origins, mistakes: strange } = applyEnvironment(value, surroundings.env, schema)
  const missed: { path: ConfigPath; message: string }[] = []
  const files = new Map<string, string>()
  const { outside, mistakes } = await resolveReferences(value, schema, surroundings)
  miss(mistakes)
  for (const sink of sinkPaths(value)) {
    applyEventHubs(value, sink)
    // oxlint-disable-next-line no-await-in-loop -- in the order of the file
    const included = await includeFiles(value, sink, surroundings.readText)
    for (const [path, file] of included.files) files.set(path, file)
    miss(included.mistakes)
  }
  const hidden = [...outside].map((path) => [path])
  const variableOf = (path: ConfigPath): string | undefined => originOf(origins, path)
  return {
    strange,
    missed,
    variableOf,
    fileOf: (path) => [...files].find(([included]) => isPartOf(path, [[included]]))?.[1],
    isHidden: (path) => variableOf(path) !== undefined || isPartOf(path, hidden)
  }

  function miss(found: typeof missed | readonly { readonly path: ConfigPath; readonly message: string }[]): void {
    missed.push(...found)
    for (const { path } of found) deleteAt(value, path)
  }
}

/** What stands in a file of its own. */
interface Included {
  /** Names of files by the path, as text, that names them. */
  readonly files: ReadonlyMap<string, string>
  readonly mistakes: readonly { readonly path: ConfigPath; readonly message: string }[]
}

/** Puts key plans and Avro schemas in the place of the paths of their files. */
async function includeFiles(value: unknown, sink: ConfigPath, readText: (path: string) => Promise<string>): Promise<Included> {
  const files = new Map<string, string>()
  const mistakes: { path: ConfigPath; message: string }[] = []
  for (const { key, what } of PLACES) {
    const path = [...sink, ...key]
    const file = valueAt(value, path)
    if (typeof file !== 'string') continue
    try {
      // oxlint-disable-next-line no-await-in-loop -- three at most
      setAt(value, path, parsePlanText(await readText(file)))
      files.set(pathText(path), file)
    } catch (error) {
      const why = error instanceof SyntaxError ? 'it is not valid JSON' : (error as Error).message
      mistakes.push({ path, message: `names the file of ${what}, which cannot be read: ${why}` })
    }
  }
  return { files, mistakes }
}

const PLACES: readonly { readonly key: ConfigPath; readonly what: string }[] = [
  { key: ['plan'], what: 'a key plan' },
  { key: ['value', 'schema'], what: 'an Avro schema' },
  { key: ['key', 'schema'], what: 'an Avro schema' }
]

/** Where the sinks of a file stand: at the top, or in a list. */
export function sinkPaths(value: object): readonly ConfigPath[] {
  if (!('sinks' in value)) return [[]]
  return Array.isArray(value.sinks) ? value.sinks.map((_sink, index) => ['sinks', index]) : []
}
