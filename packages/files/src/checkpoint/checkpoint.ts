import { KeystampError } from '@keystamp/core'
import { systemReason } from '@keystamp/core/internal'
import { type FileHandle, open, readFile, rename, rm } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import type { InputFile } from '../inputs/find-inputs.ts'
import type { InputPosition } from '../inputs/read-lines.ts'
import { compareInputs, createInputChecksums, type InputChecksums, type StoredInput } from './input-checksums.ts'

/**
 * Options of the load that a checkpoint belongs to. If one of them changes, the position in the checkpoint is invalid.
 */
export interface LoadIdentity {
  readonly target: string
  /** Fingerprint of the plan; null without a plan. */
  readonly plan: string | null
  readonly ids: string | null
  readonly strategy: string
  /** Options for the format of the inputs; undefined if none are set. */
  readonly form?: string
}

/** Inputs of a load, and which of them must be unchanged as a whole when the load is resumed. */
export interface CheckpointInputs {
  readonly inputs: readonly InputFile[]
  /** True if the load can only be resumed when this input has not changed at all. */
  readonly isWhole: (name: string) => boolean
}

/** State of an earlier run. */
export interface Resumption {
  readonly position: InputPosition
  /** Names of the inputs that have changed after `position`. */
  readonly changed: readonly string[]
}

/** Stores the progress of a load in a file. */
export interface CheckpointFile {
  /**
   * Reads the state of an earlier run; returns undefined if there is no checkpoint. Throws CHECKPOINT_INVALID if the
   * checkpoint belongs to another load.
   */
  readonly read: () => Promise<Resumption | undefined>
  /** Throws if the checkpoint cannot be written. Leaves no file. */
  readonly tryOut: () => Promise<void>
  /** Replaces the file atomically: after a crash, the file is the old one or the new one. */
  readonly write: (position: InputPosition) => Promise<void>
  readonly remove: () => Promise<void>
}

const VERSION = 1

export function createCheckpointFile(
  path: string,
  load: LoadIdentity,
  { inputs, isWhole }: CheckpointInputs
): CheckpointFile {
  let checksums: InputChecksums = createInputChecksums({ inputs, isWhole, known: [] })
  return {
    read: async () => {
      const text = await readIfThere(path)
      if (text === undefined) return undefined
      const { position, stored } = parse(path, text, load)
      const found = await compareInputs({ stored, inputs, position, isWhole, idsHoldNames: load.ids === 'position' })
      if ('refusal' in found) throw invalid(`The checkpoint ${path} does not belong to this load: ${found.refusal}`)
      // `compareInputs` has just compared the bytes before the position with these checksums
      checksums = createInputChecksums({
        inputs,
        isWhole,
        known: stored.map(({ checked }, index) => (index <= position.input ? checked : undefined))
      })
      return { position, changed: found.changed }
    },
    tryOut: async () => {
      await writeNew(path, () => Promise.resolve())
      await rm(newPath(path), { force: true })
    },
    write: async (position) => {
      const stored = await checksums.advanceTo(position)
      await writeNew(path, async (file) => {
        await file.writeFile(withChecksum(JSON.stringify({ version: VERSION, load, inputs: stored, place: position })))
        await file.datasync()
        await rename(newPath(path), path)
      })
    },
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
      `The checkpoint ${path} cannot be written: ${systemReason(cause)}. Name another path for it with \`checkpoint\`, or say \`checkpoint: false\`.`,
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
    throw new KeystampError('INPUT_UNREADABLE', `The checkpoint ${path} cannot be read: ${systemReason(error)}.`, {
      cause: error
    })
  }
}

function parse(
  path: string,
  text: string,
  load: LoadIdentity
): { readonly position: InputPosition; readonly stored: readonly StoredInput[] } {
  // An empty or truncated checkpoint is damaged. Any other file belongs to the user, so the message must not suggest to
  // remove it.
  if (!BEGINNING_OF_FILE.startsWith(text.slice(0, BEGINNING_OF_FILE.length))) {
    throw new KeystampError(
      'CHECKPOINT_INVALID',
      `${path} is not a checkpoint file, and was not changed. Name another file with \`checkpoint\`, or say \`checkpoint: false\`.`
    )
  }
  const found = isUndamaged(text) ? parseJson(text) : undefined
  const stored = found?.inputs ?? found?.load?.inputs
  if (found?.version !== VERSION || found.place === undefined || found.load === undefined || stored === undefined)
    throw invalid(`The checkpoint ${path} is damaged.`)
  for (const [name, what] of Object.entries(NAMES) as [keyof LoadIdentity, string][]) {
    if (JSON.stringify(found.load[name]) !== JSON.stringify(load[name]))
      throw invalid(`The checkpoint ${path} does not belong to this load: it was written for ${what}.`)
  }
  return { position: found.place, stored }
}

// if a digit of the position were wrong, the load would skip records or store records twice
function withChecksum(json: string): string {
  return `${json.slice(0, -1)},"crc32":${crc32(json)}}\n`
}

/** Checks the checksum. Checkpoints of older versions have none. */
function isUndamaged(text: string): boolean {
  const found = /^(.*),"crc32":(\d+)\}\n$/s.exec(text)
  if (found !== null) return crc32(`${found[1]}}`) === Number(found[2])
  return Object.keys(parseJson(text) ?? {}).every((name) => OLDER_MEMBERS.includes(name))
}

const OLDER_MEMBERS: readonly string[] = ['version', 'load', 'inputs', 'place'] satisfies (keyof Stored)[]

const BEGINNING_OF_FILE = `{"version":${VERSION},"load":{`

const NAMES: Readonly<Record<keyof LoadIdentity, string>> = {
  form: 'another choice of `form: "csv"`, `delimiter`, `form: "array"` or `pick`',
  target: 'another container',
  plan: 'another plan',
  ids: 'another choice of `id`',
  strategy: 'another strategy'
}

interface Stored {
  readonly version?: number
  /** Contains the inputs in checkpoints of older versions. */
  readonly load?: LoadIdentity & { readonly inputs?: readonly StoredInput[] }
  readonly inputs?: readonly StoredInput[]
  readonly place?: InputPosition
}

function parseJson(text: string): Stored | undefined {
  try {
    return JSON.parse(text) as Stored
  } catch {
    return undefined
  }
}

function invalid(what: string): KeystampError {
  return new KeystampError(
    'CHECKPOINT_INVALID',
    `${what} Name another one with \`checkpoint\`, or remove it to start from the beginning.`
  )
}
