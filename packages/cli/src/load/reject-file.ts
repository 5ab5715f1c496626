import { createHash } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { outputError } from '@keystamp/stream'
import { UsageError } from '../usage-error.ts'

/** A record that was not written, and why. */
export interface RejectedLine {
  readonly input: string
  /** From 1 on, as editors count; of CSV the line on which the record begins. */
  readonly line?: number
  /** From 0 on, where the records are elements of an array. */
  readonly index?: number
  readonly code: string
  readonly message: string
  readonly path?: string
  readonly status?: number
  readonly subStatus?: number
  readonly record: string
}

/** A file of rejected records, a line of JSON each. */
export interface RejectFile {
  /** Resolves when the record is in the file. One that is there already, from before an interruption, is not added again. */
  readonly add: (rejected: RejectedLine) => Promise<void>
  /** Resolves when the disk has all of it. */
  readonly sync: () => Promise<void>
  readonly close: () => Promise<void>
}

/** Opens the file for its owner alone: it holds whole records. A file that is there is only gone on with when a load is resumed. */
export async function openRejectFile(path: string, isResumed: boolean): Promise<RejectFile> {
  const file = await openFile(path, isResumed)
  const known = isResumed
    ? await readKnown(file, path).catch((error: unknown) => file.close().then(() => Promise.reject(error as Error)))
    : new Set<string>()
  let writing: Promise<void> = Promise.resolve()

  return {
    add: (rejected) => {
      if (known.size > 0 && known.has(nameOf(rejected))) return Promise.resolve()
      writing = writing.then(() => append(file, path, `${JSON.stringify(rejected)}\n`))
      return writing
    },
    sync: async () => {
      await writing
      await file.datasync()
    },
    close: () => file.close()
  }
}

async function openFile(path: string, isResumed: boolean): Promise<FileHandle> {
  try {
    return await open(path, isResumed ? 'a+' : 'ax+', 0o600)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') throw new UsageError(`${path} exists already. Name another file for rejected records, or remove it.`)
    throw outputError(path, error)
  }
}

// A process that was killed may have left half a line, which is cut off. A file that holds anything else is not touched.
async function readKnown(file: FileHandle, path: string): Promise<Set<string>> {
  const known = new Set<string>()
  let whole = 0
  let half = ''
  const lines = createInterface({ input: file.createReadStream({ start: 0, autoClose: false }), crlfDelay: Number.POSITIVE_INFINITY })
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
  // the last line may also lack its end only
  const isHalf = size < whole || size - whole === Buffer.byteLength(half)
  if (half !== '' && !(isHalf && BEGINNING_OF_LINE.startsWith(half.slice(0, BEGINNING_OF_LINE.length)))) throw foreign(path)
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

function foreign(path: string): UsageError {
  return new UsageError(`${path} exists already and holds something else than the rejected records of a load. Name another file for them.`)
}

// with its content: a line that was inserted or removed after the checkpoint gives the following records other numbers
function nameOf({ input, line, index, record }: RejectedLine): string {
  const digest = createHash('sha256').update(record).digest('base64')
  return `${line ?? index}:${digest}:${input === '-' ? input : resolve(input)}`
}

async function append(file: FileHandle, path: string, text: string): Promise<void> {
  try {
    await file.appendFile(text)
  } catch (error) {
    throw outputError(path, error)
  }
}
