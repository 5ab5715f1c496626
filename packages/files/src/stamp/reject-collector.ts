import { type BigIntStats, fstat } from 'node:fs'
import { type FileHandle, open, rm, stat } from 'node:fs/promises'
import type { Readable, Writable } from 'node:stream'
import { promisify } from 'node:util'
import { NEWLINE } from '@keystamp/core/internal'
import { KeystampError } from '@keystamp/core'
import type { Rejected, RejectOptions } from '@keystamp/stream'
import { rejectedLine } from '@keystamp/stream/internal'
import { codecOf } from '../inputs/codec.ts'
import { formOfName, type InputForm } from '../inputs/recognize-input.ts'
import { openOutput } from '../outputs/open-output.ts'
import { ignoreMissing, type Target } from '../outputs/target.ts'
import { createRejectFile } from '../reject-file.ts'
import type { StampFilesOptions } from './stamp-files-options.ts'

/** Writes rejected records to a separate file or stream. */
export interface FileCollector {
  readonly onError: NonNullable<RejectOptions<string>['onError']>
  /** Writes the collected records. */
  readonly drain: () => Promise<void>
  /** Writes the rest and closes the file. */
  readonly finish: () => Promise<void>
  /**
   * Like `finish`, after a failure: the collected records may explain it. Leaves no file if there are no collected
   * records.
   */
  readonly abandon: () => Promise<void>
}

export async function createFileCollector(onError: StampFilesOptions['onError'], taken: Taken): Promise<FileCollector> {
  if (typeof onError !== 'object')
    return { onError: onError ?? 'throw', drain: nothing, finish: nothing, abandon: nothing }
  const writer = await openOutput(onError.collect, (path) => openCollectTarget(path, taken))
  let lines: string[] = []
  let hasCollected = false
  let isClosed = false
  return { onError: collect, drain, finish, abandon }

  function collect(rejected: Rejected): void {
    hasCollected = true
    lines.push(rejectedLine(rejected))
  }

  async function drain(): Promise<void> {
    if (lines.length === 0) return
    const text = lines.join('')
    lines = []
    const bytes = writer.allocate(Buffer.byteLength(text))
    await writer.write(bytes.subarray(0, bytes.write(text)))
  }

  async function finish(): Promise<void> {
    isClosed = true
    try {
      await drain()
      await writer.finish()
    } catch (error) {
      await writer.abandon()
      throw error
    }
  }

  async function abandon(): Promise<void> {
    if (isClosed) return
    if (hasCollected) return finish()
    isClosed = true
    await writer.abandon()
  }
}

function nothing(): Promise<void> {
  return Promise.resolve()
}

/** Inputs and output of the same run. */
interface Taken {
  readonly inputs: readonly (string | Readable)[]
  readonly output: string | Writable
}

/**
 * Creates a file for rejected records under its final name, readable by its owner only. A pipe or device is written
 * directly.
 */
export async function openCollectTarget(path: string, taken: Taken): Promise<Target> {
  const present = await identify(path)
  if (present !== undefined && !present.isFile()) {
    const file = await open(path, 'w')
    return { path, file, finish: () => file.close(), abandon: () => file.close() }
  }
  await checkNotTaken(path, taken)
  const file = await createRejectFile(path)
  try {
    // compares again: only after the file exists can two spellings of its name be recognized as the same file
    await checkNotTaken(path, taken)
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

async function checkNotTaken(path: string, { inputs, output }: Taken): Promise<void> {
  const present = await identify(path)
  if (present === undefined) return
  for (const input of inputs) if (isSame(present, await identify(input))) throw refusal(`${path} is one of the inputs`)
  if (isSame(present, await identify(output))) throw refusal(`${path} is also the output`)
}

function refusal(what: string): KeystampError {
  return new KeystampError('OPTION_INVALID', `${what}. Name another file for rejected records.`)
}

/** Cuts off an incomplete last line, and removes an empty file. A compressed file is left as it is. */
async function keepWholeLines(path: string, isCompressed: boolean): Promise<void> {
  const file = await open(path, 'r+')
  let size: number
  try {
    size = (await file.stat()).size
    if (!isCompressed) {
      size = await endOfLastLine(file, size)
      await file.truncate(size)
    }
  } finally {
    await file.close()
  }
  if (size === 0) await rm(path, { force: true })
}

const STEP_BYTES = 64 * 1024

async function endOfLastLine(file: FileHandle, size: number): Promise<number> {
  const buffer = Buffer.alloc(STEP_BYTES)
  for (let end = size; end > 0; end -= STEP_BYTES) {
    const start = Math.max(0, end - STEP_BYTES)
    const { bytesRead } = await file.read(buffer, 0, end - start, start)
    const found = buffer.subarray(0, bytesRead).lastIndexOf(NEWLINE)
    if (found >= 0) return start + found + 1
  }
  return 0
}

/**
 * Throws for an output whose content would contradict its name, and for an output that is an input and would be read
 * again.
 */
export async function checkOutput(
  { inputs, output }: Pick<StampFilesOptions, 'inputs' | 'output'>,
  form: InputForm
): Promise<void> {
  if (typeof output === 'string' && formOfName(output) === 'csv') {
    throw outputRefusal(`${output} would hold JSON, not CSV: let the name of the output end in .ndjson.`)
  }
  // opening the output reports other mistakes in its name
  const present = await identify(output).catch(() => undefined)
  // a terminal is input and output at once
  if (present?.isFile() !== true) return
  for (const input of inputs) {
    if (!isSame(present, await identify(input))) continue
    const name = typeof input === 'string' ? input : 'Standard input'
    if (form === 'csv')
      throw outputRefusal(`${name} is also the output, and would hold JSON instead of CSV. Name another output.`)
    if (inputs.length > 1)
      throw outputRefusal(
        `${name} is also the output, and would grow with every run. Name an output that is not an input.`
      )
    if (typeof output !== 'string')
      throw outputRefusal(`${name} is also the output, and would be read while it is written. Name another output.`)
  }
}

function outputRefusal(message: string): KeystampError {
  return new KeystampError('OPTION_INVALID', message)
}

/** Returns the identity of a file, by its name or by an open stream; undefined if there is no file. */
function identify(what: string | Readable | Writable): Promise<BigIntStats | undefined> {
  if (typeof what === 'string') return stat(what, { bigint: true }).catch(ignoreMissing)
  return 'fd' in what && typeof what.fd === 'number' ? statOpen(what.fd, { bigint: true }) : Promise.resolve(undefined)
}

const statOpen = promisify<number, { readonly bigint: true }, BigIntStats>(fstat)

/** Compares the files themselves: their names may be spelled differently, or be links. */
function isSame(one: BigIntStats, other: BigIntStats | undefined): boolean {
  return one.ino === other?.ino && one.dev === other.dev
}
