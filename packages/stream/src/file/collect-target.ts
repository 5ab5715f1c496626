import { open, rm } from 'node:fs/promises'
import type { Readable, Writable } from 'node:stream'
import { KeystampError } from '@keystamp/core'
import { codecOf } from './codec.ts'
import { identify, isSame } from './file-identity.ts'
import { keepWholeLines } from './keep-whole-lines.ts'
import type { Target } from './target.ts'

/** What is read and written besides the rejected records. */
export interface Taken {
  readonly inputs: readonly (string | Readable)[]
  readonly output: string | Writable
}

/** Opens a new file for rejected records, under its own name and for its owner alone. What is no plain file is written as it goes. */
export async function openCollectTarget(path: string, taken: Taken): Promise<Target> {
  const present = await identify(path)
  if (present !== undefined && !present.isFile()) {
    const file = await open(path, 'w')
    return { path, file, finish: () => file.close(), abandon: () => file.close() }
  }
  await refuseTaken(path, taken)
  const file = await open(path, 'wx', OWNER_ALONE).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'EEXIST' ? refusal(`${path} exists already`, ', or remove it') : error
  })
  try {
    // only a file that is there can be compared, however differently two names for it are written
    await refuseTaken(path, taken)
  } catch (error) {
    await file.close()
    await rm(path, { force: true })
    throw error
  }
  return {
    path,
    file,
    finish: () => file.close(),
    abandon: async () => {
      await file.close()
      await keepWholeLines(path, codecOf(path) !== undefined)
    }
  }
}

// it holds whole records
const OWNER_ALONE = 0o600

async function refuseTaken(path: string, { inputs, output }: Taken): Promise<void> {
  const present = await identify(path)
  if (present === undefined) return
  for (const input of inputs) if (isSame(present, await identify(input))) throw refusal(`${path} is one of the inputs`)
  if (isSame(present, await identify(output))) throw refusal(`${path} is the output as well`)
}

function refusal(what: string, orElse = ''): KeystampError {
  return new KeystampError('OPTION_INVALID', `${what}. Name another file for rejected records${orElse}.`)
}
