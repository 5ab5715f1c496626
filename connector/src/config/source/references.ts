import type { ConfigPath } from '../config-path.ts'
import { pathText, setAt, valueAt } from '../config-path.ts'
import { nodesAt, type SchemaNode } from '../published/file-schema.ts'
import { fromText } from './from-text.ts'

export interface ReferenceSurroundings {
  readonly env: Readonly<Record<string, string | undefined>>
  /** Reads a file; a relative path begins where the configuration lies. */
  readonly readText: (path: string) => Promise<string>
}

/** What came from outside of the file, and what could not be found there. */
export interface Resolved {
  /** Paths, as text, whose value holds something from outside: it is not shown. */
  readonly outside: ReadonlySet<string>
  readonly mistakes: readonly { readonly path: ConfigPath; readonly message: string }[]
}

/** Replaces `${env:NAME}` and `${file:path}` in every text, each with a default if it says `:-`; `$${env:` stands for itself. */
export async function resolveReferences(value: unknown, schema: SchemaNode, surroundings: ReferenceSurroundings): Promise<Resolved> {
  const outside = new Set<string>()
  const mistakes: { path: ConfigPath; message: string }[] = []
  for (const path of pathsOfTexts(value, [])) {
    const text = valueAt(value, path) as string
    if (!/\$\{\w+:/.test(text)) continue
    // oxlint-disable-next-line no-await-in-loop -- few, and in the order of the file
    const replaced = await replaceIn(text, surroundings)
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

async function replaceIn(text: string, surroundings: ReferenceSurroundings): Promise<Replaced> {
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
    // oxlint-disable-next-line no-await-in-loop -- one after the other, as they stand
    const found = await lookUp(provider, rest, surroundings)
    if ('message' in found) return found
    made += found.text
    isWhole = whole === text
  }
  return { text: made + text.slice(from), isWhole }
}

async function lookUp(
  provider: string,
  rest: string,
  { env, readText }: ReferenceSurroundings
): Promise<{ text: string } | { message: string }> {
  const [, name = '', fallback] = /^(.*?)(?::-(.*))?$/s.exec(rest) ?? []
  if (provider === 'env') {
    const found = env[name] ?? ''
    if (found !== '') return { text: found }
    return fallback === undefined ? { message: `needs the variable ${name} of the environment, which is not set` } : { text: fallback }
  }
  if (provider !== 'file') return { message: `holds \${${provider}:...}: references are \${env:NAME} and \${file:path}` }
  try {
    // editors and secret stores end a file with a line feed that belongs to nobody
    return { text: (await readText(name)).replace(/\r?\n$/, '') }
  } catch (error) {
    return fallback === undefined ? { message: `needs the file ${name}: ${(error as Error).message}` } : { text: fallback }
  }
}

function pathsOfTexts(value: unknown, path: ConfigPath): readonly ConfigPath[] {
  if (typeof value === 'string') return [path]
  if (Array.isArray(value)) return value.flatMap((each, index) => pathsOfTexts(each, [...path, index]))
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, each]) => pathsOfTexts(each, [...path, name]))
}
