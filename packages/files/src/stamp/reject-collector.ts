import { KeystampError } from '@keystamp/core'
import type { Rejected, RejectOptions } from '@keystamp/stream'
import { rejectedLine } from '@keystamp/stream/internal'
import { type FileHandle, open, rm } from 'node:fs/promises'
import type { Readable, Writable } from 'node:stream'
import { codecOf } from '../inputs/codec.ts'
import { openOutput } from '../outputs/open-output.ts'
import type { Target } from '../outputs/target.ts'
import { createRejectFile } from '../reject-file.ts'
import { identify, isSame } from './check-output.ts'
import type { StampFilesOptions } from './stamp-files-options.ts'

/** Writes rejected records to a file or stream of their own. */
export interface FileCollector {
  readonly onError: NonNullable<RejectOptions<string>['onError']>
  /** Writes the collected records. */
  readonly drain: () => Promise<void>
  /** Writes the rest and closes the file. */
  readonly finish: () => Promise<void>
  /** The same after a failure, since the collected records may explain it. Leaves no file where there are none. */
  readonly abandon: () => Promise<void>
}

export async function createFileCollector(onError: StampFilesOptions['onError'], taken: Taken): Promise<FileCollector> {
  if (typeof onError !== 'object') return { onError: onError ?? 'throw', drain: nothing, finish: nothing, abandon: nothing }
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

/** Creates a file for rejected records under its final name, readable by its owner only. A pipe or device is written directly. */
export async function openCollectTarget(path: string, taken: Taken): Promise<Target> {
  const present = await identify(path)
  if (present !== undefined && !present.isFile()) {
    const file = await open(path, 'w')
    return { path, file, finish: () => file.close(), abandon: () => file.close() }
  }
  await refuseTaken(path, taken)
  const file = await createRejectFile(path)
  try {
    // two different spellings of a name can be compared only once the file exists
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

async function refuseTaken(path: string, { inputs, output }: Taken): Promise<void> {
  const present = await identify(path)
  if (present === undefined) return
  for (const input of inputs) if (isSame(present, await identify(input))) throw refusal(`${path} is one of the inputs`)
  if (isSame(present, await identify(output))) throw refusal(`${path} is the output as well`)
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
const NEWLINE = 0x0a

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
