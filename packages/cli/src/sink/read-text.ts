import { text } from 'node:stream/consumers'
import { readRegularFile } from '@keystamp/connector'
import { systemReason } from '@keystamp/stream'
import type { Surroundings } from '../surroundings.ts'

/** Reads a file as text, or standard input for `-`. Rejects with a sentence. */
export async function readText(path: string, { stdin }: Pick<Surroundings, 'stdin'>): Promise<string> {
  return path === '-' ? text(stdin) : readTextFile(path)
}

/** Reads a regular file of up to a megabyte as text. Rejects with a sentence. */
export async function readTextFile(path: string): Promise<string> {
  try {
    return await readRegularFile(path)
  } catch (error) {
    throw new Error(systemReason(error), { cause: error })
  }
}
