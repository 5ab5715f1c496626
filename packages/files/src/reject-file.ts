import { KeystampError } from '@keystamp/core'
import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { type FileHandle, open, rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { outputError } from './system-error.ts'

/** A record that was not written, and the reason. */
export interface RejectedLine {
  readonly input: string
  /** Line number, starting at 1, as in editors; in CSV, the line on which the record begins. */
  readonly line?: number
  /** Index, starting at 0, if the records are elements of an array. */
  readonly index?: number
  readonly code: string
  readonly message: string
  readonly path?: string
  readonly status?: number
  readonly subStatus?: number
  readonly record: string
}

/** A file of rejected records: one line of JSON for each record. */
export interface RejectFile {
  /** Resolves when the record is in the file. Does not add a record again that an interrupted run has already added. */
  readonly add: (rejected: RejectedLine) => Promise<void>
  /** Resolves when everything is on disk. */
  readonly sync: () => Promise<void>
  readonly close: () => Promise<void>
}

/**
 * Opens the file of rejected records. The first record creates a new file, which only its owner can read, because it
 * contains whole records. Appends to an existing file only if a load is resumed.
 */
export async function openRejectFile(path: string, isResumed: boolean): Promise<RejectFile> {
  let file = isResumed ? await openExisting(path) : undefined
  const known = file === undefined ? new Set<string>() : await readKnown(file, path).catch(closeAndThrow)
  if (file === undefined) await tryOut(path)
  let writing: Promise<void> = Promise.resolve()

  return {
    add: (rejected) => {
      if (known.size > 0 && known.has(nameOf(rejected))) return Promise.resolve()
      writing = writing.then(() => append(`${JSON.stringify(rejected)}\n`))
      return writing
    },
    sync: async () => {
      await writing
      await file?.datasync()
    },
    close: async () => file?.close()
  }

  async function append(text: string): Promise<void> {
    file ??= await createRejectFile(path)
    await file.appendFile(text).catch((error: unknown) => Promise.reject(outputError(path, error)))
  }

  async function closeAndThrow(error: unknown): Promise<never> {
    await file?.close()
    throw error
  }
}

/** Opens an existing file; returns undefined if there is none. */
async function openExisting(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path, constants.O_RDWR | constants.O_APPEND)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw outputError(path, error)
  }
}

/**
 * Creates a file of rejected records, which only its owner can read, because it contains whole records. Throws if the
 * path exists.
 */
export async function createRejectFile(path: string): Promise<FileHandle> {
  try {
    return await open(path, 'ax+', 0o600)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST')
      throw new KeystampError(
        'OPTION_INVALID',
        `${path} exists already. Name another file for rejected records, or remove it.`
      )
    throw outputError(path, error)
  }
}

// reports an unwritable path before the load sends anything
async function tryOut(path: string): Promise<void> {
  const file = await createRejectFile(path)
  await file.close()
  await rm(path, { force: true })
}

// Reads the records in the file. If a killed process has left an incomplete last line, removes it. Throws without a
// change if the file has any other content.
async function readKnown(file: FileHandle, path: string): Promise<Set<string>> {
  const known = new Set<string>()
  let whole = 0
  let half = ''
  const lines = createInterface({
    input: file.createReadStream({ start: 0, autoClose: false }),
    crlfDelay: Number.POSITIVE_INFINITY
  })
  for await (const text of lines) {
    const rejected = parse(text)
    if (rejected === undefined) {
      half = text
      break
    }
    known.add(nameOf(rejected))
    whole += Buffer.byteLength(text) + 1
  }
  const { size } = await file.stat()
  // `size` is smaller than `whole` if only the line end of the last line is missing
  const isHalf = size < whole || size - whole === Buffer.byteLength(half)
  if (half !== '' && !(isHalf && BEGINNING_OF_LINE.startsWith(half.slice(0, BEGINNING_OF_LINE.length))))
    throw foreign(path)
  if (size < whole) await file.appendFile('\n')
  if (half !== '') await file.truncate(whole)
  return known
}

function parse(text: string): RejectedLine | undefined {
  if (!text.startsWith(BEGINNING_OF_LINE)) return undefined
  try {
    const found = JSON.parse(text) as Partial<RejectedLine>
    return typeof found.code === 'string' && typeof found.record === 'string' ? (found as RejectedLine) : undefined
  } catch {
    return undefined
  }
}

const BEGINNING_OF_LINE = '{"input":'

function foreign(path: string): KeystampError {
  return new KeystampError(
    'OPTION_INVALID',
    `${path} exists already, and its content is not the rejected records of a load. Name another file for rejected records.`
  )
}

// The hash of the content is part of the name: a line that was inserted or removed after the checkpoint changes the
// line numbers of later records.
function nameOf({ input, line, index, record }: RejectedLine): string {
  const digest = createHash('sha256').update(record).digest('base64')
  return `${line ?? index}:${digest}:${input === '-' ? input : resolve(input)}`
}
