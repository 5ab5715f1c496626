import { constants } from 'node:fs'
import { access, realpath, stat } from 'node:fs/promises'
import { join, type PlatformPath, posix, resolve, win32 } from 'node:path'
import { KeystampError } from '@keystamp/core'
import { inputError } from '../system-error.ts'

/**
 * Returns the names of the input files: expands each glob in sorted order, and lists each file once. Returns `-`, which
 * is standard input, if `files` is empty.
 */
export async function findInputs(files: readonly string[]): Promise<readonly string[]> {
  if (files.length === 0) return ['-']
  const found: string[] = []
  for (const file of files) {
    if (file === '')
      throw invalid(
        'The name of a file is empty, perhaps because a variable is not set. Name a file, or leave the empty name out.'
      )
    if (!isPattern(file) || (await isThere(file))) found.push(file)
    else found.push(...(await expand(file)))
  }
  return withoutRepeats(found)
}

/** Removes names of a file that is already in the list. */
async function withoutRepeats(names: readonly string[]): Promise<readonly string[]> {
  const found = new Map<string, string>()
  for (const name of names) {
    const path = name === '-' ? name : await realpath(name).catch(() => resolve(name))
    if (!found.has(path)) found.set(path, name)
  }
  return [...found.values()]
}

async function expand(pattern: string): Promise<readonly string[]> {
  // loaded only when needed, because most commands have no pattern
  const { glob } = await import('tinyglobby')
  const { folder, glob: rest } = splitPattern(pattern, process.platform === 'win32' ? win32 : posix)
  const matches = await glob(rest, { cwd: folder === '' ? '.' : folder, expandDirectories: false })
  if (matches.length === 0) throw invalid(`No file matches ${pattern}.`)
  return matches.map((match) => join(folder, match)).toSorted()
}

/**
 * Splits a pattern into the folder before its first wildcard, and the glob below it. Only `*`, `**`, `?` and classes
 * such as `[12]`, `[a-f]` and `[!0-9]` are wildcards: a shell expands braces, and parentheses belong to names. On
 * Windows `/` and `\` both separate names.
 */
export function splitPattern(pattern: string, path: PlatformPath): { readonly folder: string; readonly glob: string } {
  const { root } = path.parse(pattern)
  const parts = pattern.slice(root.length).split(path.sep === '/' ? '/' : /[\\/]/)
  const first = parts.findIndex(isPattern)
  return { folder: root + parts.slice(0, first).join(path.sep), glob: parts.slice(first).map(escapeOthers).join('/') }
}

/** Escapes characters that are wildcards for the glob library, but not for `keystamp`. */
function escapeOthers(part: string): string {
  return part.replaceAll(/(\[[^\]]+\])|[\\!+@(){}|"]/g, (found, members: string | undefined) => members ?? `\\${found}`)
}

function isPattern(name: string): boolean {
  return /[*?]|\[[^\]]+\]/.test(name)
}

async function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false
  )
}

function invalid(message: string): KeystampError {
  return new KeystampError('OPTION_INVALID', message)
}

/** State of an input when the load begins. Standard input has no size and no time of change. */
export interface InputFile {
  readonly name: string
  /** Absolute path. */
  readonly path?: string
  readonly bytes: number | null
  readonly changedMs: number | null
}

/** Reads size and time of change of the inputs. Throws if an input cannot be read. */
export async function describeInputs(names: readonly string[]): Promise<readonly InputFile[]> {
  return Promise.all(names.map(describeInput))
}

async function describeInput(name: string): Promise<InputFile> {
  if (name === '-') return { name, bytes: null, changedMs: null }
  try {
    const found = await stat(name)
    if (found.isDirectory()) throw Object.assign(new Error('a folder'), { code: 'EISDIR' })
    await access(name, constants.R_OK)
    // a pipe has no size, and can be read only once
    if (!found.isFile()) return { name, path: resolve(name), bytes: null, changedMs: null }
    return { name, path: resolve(name), bytes: found.size, changedMs: found.mtimeMs }
  } catch (error) {
    throw inputError(name, error)
  }
}
