import { constants } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { inputError } from '@keystamp/stream'

/** An input at the time the load begins; standard input has neither size nor time. */
export interface InputFile {
  readonly name: string
  /** The absolute path. */
  readonly path?: string
  readonly bytes: number | null
  readonly changedMs: number | null
}

/** Size and time of the inputs. Throws where one cannot be read, before any work is done. */
export async function describeInputs(names: readonly string[]): Promise<readonly InputFile[]> {
  return Promise.all(names.map(describeInput))
}

async function describeInput(name: string): Promise<InputFile> {
  if (name === '-') return { name, bytes: null, changedMs: null }
  try {
    const found = await stat(name)
    if (found.isDirectory()) throw Object.assign(new Error('a folder'), { code: 'EISDIR' })
    await access(name, constants.R_OK)
    // a pipe has no size, and is not there a second time
    if (!found.isFile()) return { name, path: resolve(name), bytes: null, changedMs: null }
    return { name, path: resolve(name), bytes: found.size, changedMs: found.mtimeMs }
  } catch (error) {
    throw inputError(name, error)
  }
}
