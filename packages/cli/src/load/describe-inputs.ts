import { constants } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import { inputError } from '@keystamp/stream'
import type { LoadIdentity } from './checkpoint.ts'

/** Size and time of the inputs: a file that was changed is not the one that was begun. Throws where one cannot be read, before any work is done. */
export async function describeInputs(names: readonly string[]): Promise<LoadIdentity['inputs']> {
  return Promise.all(names.map(describeInput))
}

async function describeInput(name: string): Promise<LoadIdentity['inputs'][number]> {
  if (name === '-') return { name, bytes: null, changedMs: null }
  try {
    const found = await stat(name)
    if (found.isDirectory()) throw Object.assign(new Error('a folder'), { code: 'EISDIR' })
    await access(name, constants.R_OK)
    return { name, bytes: found.size, changedMs: found.mtimeMs }
  } catch (error) {
    throw inputError(name, error)
  }
}
