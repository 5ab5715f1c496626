import { readdir, realpath, stat } from 'node:fs/promises'
import { join, resolve, type PlatformPath, posix, win32 } from 'node:path'
import { UsageError } from './usage-error.ts'

/** Names of the input files, globs expanded in order, and each file once; standard input, as `-`, where none is named. */
export async function findInputs(files: readonly string[]): Promise<readonly string[]> {
  if (files.length === 0) return ['-']
  const found: string[] = []
  for (const file of files) {
    if (file === '') throw new UsageError('The name of a file is empty, as from a variable that is not set. Name a file, or leave it out.')
    if (!isPattern(file) || (await isThere(file))) found.push(file)
    else found.push(...(await expand(file)))
  }
  return withoutRepeats(found)
}

/** A file that several names or globs stand for is read once. */
async function withoutRepeats(names: readonly string[]): Promise<readonly string[]> {
  const found = new Map<string, string>()
  for (const name of names) {
    const path = name === '-' ? name : await realpath(name).catch(() => resolve(name))
    if (!found.has(path)) found.set(path, name)
  }
  return [...found.values()]
}

async function expand(pattern: string): Promise<readonly string[]> {
  const { root, parts } = splitPattern(pattern, process.platform === 'win32' ? win32 : posix)
  const matches = await walk(root, parts)
  if (matches.length === 0) throw new UsageError(`No file matches ${pattern}.`)
  return matches.toSorted()
}

/** The root that a pattern begins with, `/`, `C:\` or nothing, and the names after it. On Windows `/` and `\` both separate names. */
export function splitPattern(pattern: string, path: PlatformPath): { readonly root: string; readonly parts: readonly string[] } {
  const { root } = path.parse(pattern)
  return { root, parts: pattern.slice(root.length).split(path.sep === '/' ? '/' : /[\\/]/) }
}

async function walk(folder: string, [part, ...rest]: readonly (string | undefined)[]): Promise<string[]> {
  if (part === undefined) return (await isThere(folder)) ? [folder] : []
  if (!isPattern(part)) return walk(join(folder, part), rest)
  const entries = await readdir(folder === '' ? '.' : folder, { withFileTypes: true }).catch(() => [])
  const deeper = part === '**' ? await walk(folder, rest) : []
  for (const entry of entries) {
    if (entry.name.startsWith('.')) continue
    const path = join(folder, entry.name)
    if (part === '**') {
      if (entry.isDirectory()) deeper.push(...(await walk(path, [part, ...rest])))
    } else if (matcher(part).test(entry.name) && (rest.length > 0 ? entry.isDirectory() : !entry.isDirectory())) {
      deeper.push(...(await walk(path, rest)))
    }
  }
  return deeper
}

async function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false
  )
}

function isPattern(name: string): boolean {
  return /[*?]|\[[^\]]+\]/.test(name)
}

/** `*`, `?`, and classes such as `[12]`, `[a-f]` and `[!0-9]`. */
function matcher(part: string): RegExp {
  const source = part.replaceAll(/\[(!?)([^\]]+)\]|[\s\S]/g, (found, not: string | undefined, members: string | undefined) => {
    if (members !== undefined) return `[${not === '!' ? '^' : ''}${members.replaceAll(/[\\^[]/g, String.raw`\$&`)}]`
    if (found === '*') return '.*'
    return found === '?' ? '.' : found.replace(/[.+^${}()|[\]\\]/, String.raw`\$&`)
  })
  return new RegExp(`^${source}$`)
}
