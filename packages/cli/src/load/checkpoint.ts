import { type FileHandle, open, readFile, rename, rm } from 'node:fs/promises'
import { KeystampError } from '@keystamp/core'
import { systemReason } from '@keystamp/stream'
import type { Place } from './place.ts'

/** What a checkpoint belongs to: with any of it changed, its place means nothing. */
export interface LoadIdentity {
  readonly target: string
  /** The fingerprint of the plan; null without one. */
  readonly plan: string | null
  readonly ids: string | null
  readonly strategy: string
  /** How the options say that the inputs are written; missing where they say nothing. */
  readonly form?: string
  readonly inputs: readonly { readonly name: string; readonly bytes: number | null; readonly changedMs: number | null }[]
}

/** How far a load has come, in a file. */
export interface CheckpointFile {
  /** The place of an earlier run; undefined where there was none. Throws CHECKPOINT_INVALID for another load's. */
  readonly read: () => Promise<Place | undefined>
  /** Throws where the file could not be written; leaves nothing behind. */
  readonly tryOut: () => Promise<void>
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
    tryOut: async () => {
      await writeNew(path, () => Promise.resolve())
      await rm(newPath(path), { force: true })
    },
    write: (place) =>
      writeNew(path, async (file) => {
        await file.writeFile(`${JSON.stringify({ version: VERSION, load, place })}\n`)
        await file.datasync()
        await rename(newPath(path), path)
      }),
    remove: () => rm(path, { force: true })
  }
}

async function writeNew(path: string, write: (file: FileHandle) => Promise<void>): Promise<void> {
  try {
    const file = await open(newPath(path), 'w', 0o600)
    try {
      await write(file)
    } finally {
      await file.close()
    }
  } catch (cause) {
    throw new KeystampError(
      'OUTPUT_UNWRITABLE',
      `The checkpoint ${path} cannot be written: ${systemReason(cause)}. Name a place for it with --checkpoint <file>, or say --no-checkpoint.`,
      { cause }
    )
  }
}

function newPath(path: string): string {
  return `${path}.new`
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new KeystampError('INPUT_UNREADABLE', `The checkpoint ${path} cannot be read: ${systemReason(error)}.`, { cause: error })
  }
}

function parse(path: string, text: string, load: LoadIdentity): Place {
  const found = parseJson(text)
  if (found?.version !== VERSION || found.place === undefined || found.load === undefined)
    throw invalid(`The checkpoint ${path} is damaged.`)
  for (const [name, what] of Object.entries(NAMES) as [keyof LoadIdentity, string][]) {
    if (JSON.stringify(found.load[name]) !== JSON.stringify(load[name]))
      throw invalid(`The checkpoint ${path} does not belong to this load: it was written for ${what}.`)
  }
  return found.place
}

const NAMES: Readonly<Record<keyof LoadIdentity, string>> = {
  form: 'another choice of --csv, --delimiter, --array or --pick',
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

function invalid(what: string): KeystampError {
  return new KeystampError('CHECKPOINT_INVALID', `${what} Name another one with --checkpoint, or remove it to start from the beginning.`)
}
