import { parsePlanText } from '@keystamp/core'
import { type ConfigPath, pathText, setAt, valueAt } from '../config-path.ts'

/** What stands in a file of its own. */
export interface Included {
  /** Names of files by the path, as text, that names them. */
  readonly files: ReadonlyMap<string, string>
  readonly mistakes: readonly { readonly path: ConfigPath; readonly message: string }[]
}

/** Puts key plans and Avro schemas in the place of the paths of their files. */
export async function includeFiles(value: unknown, sink: ConfigPath, readText: (path: string) => Promise<string>): Promise<Included> {
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
