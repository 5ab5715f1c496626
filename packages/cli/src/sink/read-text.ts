import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import type { Surroundings } from '../surroundings.ts'

/** Reads a file as text, or standard input for `-`. Rejects with a sentence. */
export async function readText(path: string, { stdin }: Pick<Surroundings, 'stdin'>): Promise<string> {
  return path === '-' ? text(stdin) : readTextFile(path)
}

/** Reads a file as text. Rejects with a sentence. */
export async function readTextFile(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    const { code = 'it cannot be read' } = error as NodeJS.ErrnoException
    throw new Error(SENTENCES[code] ?? code, { cause: error })
  }
}

const SENTENCES: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EACCES: 'permission is denied',
  EISDIR: 'it is a folder'
}
