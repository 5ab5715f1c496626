import { parsePlanText } from '@keystamp/core'
import type { ConfigMistake } from './config-error.ts'
import { type ConfigPath, deleteAt, isPartOf, pathText, setAt, valueAt } from './config-path.ts'
import { applyEnvironment, originOf } from './environment.ts'
import type { SchemaNode } from './file-schema.ts'
import { applyEventHubs } from './event-hubs.ts'
import { renameKeys, sinkPaths } from './renamed-keys.ts'
import { type ReferenceDependencies, resolveReferences } from './references.ts'

/** Findings about a configuration whose values have been completed from outside of the file. */
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
  /** Path under which the file or a variable has a value: another one where the key was renamed. */
  readonly writtenAt: (path: ConfigPath) => ConfigPath
  /** Former names that are in use, of keys and of variables, with the current ones. */
  readonly formerNames: readonly { readonly from: string; readonly to: string }[]
}

/** Renames former keys in `value`, then adds environment variables, references, the defaults of Event Hubs, plans and schemas, in this order. */
export async function prepareValues(value: object, schema: SchemaNode, dependencies: ReferenceDependencies): Promise<Prepared> {
  const missed: { path: ConfigPath; message: string }[] = []
  const inFile = renameKeys(value)
  miss(inFile.mistakes)
  const { origins, mistakes: unknownVariables, formerNames } = applyEnvironment(value, dependencies.env, schema)
  const files = new Map<string, string>()
  const { outside, mistakes } = await resolveReferences(value, schema, dependencies)
  miss(mistakes)
  // a variable or a reference can hold a whole section
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
async function includeFiles(value: unknown, sink: ConfigPath, readText: (path: string) => Promise<string>): Promise<Included> {
  const files = new Map<string, string>()
  const mistakes: { path: ConfigPath; message: string }[] = []
  for (const { key, what } of PLACES) {
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

const PLACES: readonly { readonly key: ConfigPath; readonly what: string }[] = [
  { key: ['plan'], what: 'a key plan' },
  { key: ['value', 'schema'], what: 'an Avro schema' },
  { key: ['key', 'schema'], what: 'an Avro schema' }
]
