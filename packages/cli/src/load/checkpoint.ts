import { open, readFile, rename, rm, stat } from 'node:fs/promises'
import { KeystampError } from '@keystamp/core'
import type { Place } from './place.ts'

/** What a checkpoint belongs to: with any of it changed, its place means nothing. */
export interface LoadIdentity {
  readonly target: string
  /** The fingerprint of the plan; null without one. */
  readonly plan: string | null
  readonly ids: string | null
  readonly strategy: string
  readonly inputs: readonly { readonly name: string; readonly bytes: number | null; readonly changedMs: number | null }[]
}

/** How far a load has come, in a file. */
export interface CheckpointFile {
  /** The place of an earlier run; undefined where there was none. Throws CHECKPOINT_INVALID for another load's. */
  readonly read: () => Promise<Place | undefined>
  /** Replaces the file in one step, so that a killed process leaves the old one or the new one. */
  readonly write: (place: Place) => Promise<void>
  readonly remove: () => Promise<void>
}

const VERSION = 1

export function createCheckpointFile(path: string, load: LoadIdentity): CheckpointFile {
  return {
    read: async () => {
      const text = await readIfThere(path)
      return text === undefined ? undefined : parse(path, text, load)
    },
    write: async (place) => {
      const file = await open(`${path}.new`, 'w', 0o600)
      try {
        await file.writeFile(`${JSON.stringify({ version: VERSION, load, place })}\n`)
        await file.datasync()
      } finally {
        await file.close()
      }
      await rename(`${path}.new`, path)
    },
    remove: () => rm(path, { force: true })
  }
}

/** Size and time of the inputs: a file that was changed is not the one that was begun. */
export async function describeInputs(names: readonly string[]): Promise<LoadIdentity['inputs']> {
  return Promise.all(
    names.map(async (name) => {
      if (name === '-') return { name, bytes: null, changedMs: null }
      try {
        const { size, mtimeMs } = await stat(name)
        return { name, bytes: size, changedMs: mtimeMs }
      } catch (cause) {
        throw new KeystampError('INPUT_UNREADABLE', `${name} cannot be read (${(cause as NodeJS.ErrnoException).code}).`, { cause })
      }
    })
  )
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new KeystampError('INPUT_UNREADABLE', `The checkpoint ${path} cannot be read (${(error as NodeJS.ErrnoException).code}).`, {
      cause: error
    })
  }
}

function parse(path: string, text: string, load: LoadIdentity): Place {
  const found = parseJson(text)
  if (found?.version !== VERSION || found.place === undefined || found.load === undefined) throw invalid(path, 'The file is damaged.')
  for (const [name, what] of Object.entries(NAMES) as [keyof LoadIdentity, string][]) {
    if (JSON.stringify(found.load[name]) !== JSON.stringify(load[name])) throw invalid(path, `It was written for ${what}.`)
  }
  return found.place
}

const NAMES: Readonly<Record<keyof LoadIdentity, string>> = {
  target: 'another container',
  plan: 'another plan',
  ids: 'another choice of --id',
  strategy: 'another strategy',
  inputs: 'other inputs, or they have changed since'
}

interface Stored {
  readonly version?: number
  readonly load?: LoadIdentity
  readonly place?: Place
}

function parseJson(text: string): Stored | undefined {
  try {
    return JSON.parse(text) as Stored
  } catch {
    return undefined
  }
}

function invalid(path: string, why: string): KeystampError {
  return new KeystampError(
    'CHECKPOINT_INVALID',
    `The checkpoint ${path} does not belong to this load. ${why} Name another one, or remove it to begin anew.`
  )
}
