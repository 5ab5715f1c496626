import type { ConfigMistake } from '../config-error.ts'
import { type ConfigPath, deleteAt, isPartOf } from '../config-path.ts'
import type { SchemaNode } from '../published/file-schema.ts'
import { sinkPaths } from '../sink-paths.ts'
import { applyEnvironment, originOf } from './environment.ts'
import { applyEventHubs } from './event-hubs.ts'
import { includeFiles } from './inclusions.ts'
import { type ReferenceSurroundings, resolveReferences } from './references.ts'

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
export async function prepareValues(value: object, schema: SchemaNode, surroundings: ReferenceSurroundings): Promise<Prepared> {
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
