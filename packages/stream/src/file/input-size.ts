import { stat } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { codecOf } from './codec.ts'
import { inputError } from './system-error.ts'

/** The bytes of all inputs. Throws where one does not exist, before any work is done. */
export async function inputSize(inputs: readonly (string | Readable)[]): Promise<InputSize> {
  let bytes: number | undefined = 0
  let isPlain = true
  for (const input of inputs) {
    const size = typeof input === 'string' ? await sizeOf(input) : undefined
    bytes = size === undefined || bytes === undefined ? undefined : bytes + size
    isPlain &&= typeof input === 'string' && codecOf(input) === undefined
  }
  return { bytes, leastOutput: isPlain ? (bytes ?? 0) : 0 }
}

export interface InputSize {
  /** Undefined where it cannot be known before. */
  readonly bytes: number | undefined
  /** How large the output of lines will at least be, if no record is rejected. */
  readonly leastOutput: number
}

async function sizeOf(path: string): Promise<number | undefined> {
  try {
    const found = await stat(path)
    return found.isFile() ? found.size : undefined
  } catch (error) {
    throw inputError(path, error)
  }
}
