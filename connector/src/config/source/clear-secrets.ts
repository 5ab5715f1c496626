import { type ConfigPath, valueAt } from '../config-path.ts'
import { nodesAt, type SchemaNode } from '../published/file-schema.ts'

/** Where a secret stands in the file itself, and not as a reference. The public key of the emulators is no secret. */
export function clearSecrets(value: unknown, schema: SchemaNode): readonly ConfigPath[] {
  return pathsOf(value, []).filter((path) => {
    const text = valueAt(value, path)
    if (typeof text !== 'string' || partsInClear(text).every(isPublic)) return false
    // the address of Redis is a secret only where a password stands in it
    if (/^rediss?:\/\/[^@]*$/.test(text)) return false
    return nodesAt(schema, path).some(({ writeOnly }) => writeOnly === true)
  })
}

/** The text itself where it holds no reference; else what its references fall back to. */
function partsInClear(text: string): readonly string[] {
  if (!/\$\{\w+:/.test(text)) return [text]
  return [...text.matchAll(/\$\{\w+:[^}]*?:-([^}]+)\}/g)].map(([, fallback]) => fallback)
}

// documented by Microsoft, the same on every machine
const EMULATOR_KEY = 'C2y6yDjf5/R+ob0N8A7Cgv30VRDJIWEHLM+4QDU5DE2nQ9nDuVTqobD4b8mGGyPMbIZnqyMsEcaGQy67XIw/Jw=='

function isPublic(part: string): boolean {
  return part === EMULATOR_KEY || (/\bAccountKey\s*=/i.test(part) && part.includes(EMULATOR_KEY))
}

function pathsOf(value: unknown, path: ConfigPath): readonly ConfigPath[] {
  if (Array.isArray(value)) return value.flatMap((each, index) => pathsOf(each, [...path, index]))
  if (typeof value !== 'object' || value === null) return [path]
  return Object.entries(value).flatMap(([name, each]) => pathsOf(each, [...path, name]))
}
