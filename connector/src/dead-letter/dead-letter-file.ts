import { open, type FileHandle } from 'node:fs/promises'
import { dirname } from 'node:path'
import { KeystampError } from '@keystamp/core'
import { NEWLINE } from '@keystamp/core/internal'
import { type Clock, MACHINE_CLOCK } from '../lifecycle/clock.ts'
import { createDeadLetterQueue, UnreachableError } from './dead-letter-queue.ts'
import { toDeadLetterLine } from './dead-letter-record.ts'
import type { DeadLetterWriter } from './dead-letter-writer.ts'

export interface DeadLetterFileOptions {
  readonly path: string
  readonly clock?: Clock
  readonly random?: () => number
}

/**
 * Appends rejected records to a file that only its owner can read, one JSON line each. A copy is acknowledged once it
 * is on disk. The file contains payloads.
 */
export function createDeadLetterFile({
  path,
  clock = MACHINE_CLOCK,
  random = Math.random
}: DeadLetterFileOptions): DeadLetterWriter {
  const queue = createDeadLetterQueue<string>({
    store,
    bytesOf: (line) => line.length,
    destination: `the file ${path}`,
    clock,
    random
  })
  let file: FileHandle | undefined

  async function store(lines: readonly string[]): Promise<void> {
    try {
      file ??= await openToAppend(path)
      await appendWhole(file, Buffer.from(lines.join('')))
      await file.datasync()
    } catch (error) {
      await release()
      throw toFailure(path, error as NodeJS.ErrnoException)
    }
  }

  async function release(): Promise<void> {
    const held = file
    file = undefined
    await held?.close().catch(() => {})
  }

  return {
    send: (record, rejection) => queue.add(toDeadLetterLine(record, rejection)),
    check: () => store([]),
    get waitingFor() {
      return queue.waitingFor
    },
    close: async () => {
      await queue.close()
      await release()
    }
  }
}

async function openToAppend(path: string): Promise<FileHandle> {
  const file = await open(path, 'a+', ONLY_OWNER)
  try {
    const { size } = await file.stat()
    // a new file is durable only once its folder entry is; not every file system can sync folders
    if (size === 0) await syncFolder(path).catch(() => {})
    // a crash can leave half a line, which must not become the beginning of the next one
    else if (!(await endsWithLine(file, size))) await file.appendFile('\n')
    return file
  } catch (error) {
    await file.close()
    throw error
  }
}

const ONLY_OWNER = 0o600

async function endsWithLine(file: FileHandle, size: number): Promise<boolean> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(1), 0, 1, size - 1)
  return bytesRead === 0 || buffer[0] === NEWLINE
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(dirname(path), 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

/**
 * Writes all lines or none. If the disk accepts only a part, removes that part again, unless another process has
 * appended to the file meanwhile.
 */
async function appendWhole(file: FileHandle, bytes: Buffer): Promise<void> {
  const { size } = await file.stat()
  const { bytesWritten } = await file.write(bytes)
  if (bytesWritten === bytes.length) return
  const after = await file.stat()
  if (after.size === size + bytesWritten) await file.truncate(size)
  throw new UnreachableError('the disk accepted only a part of the lines')
}

function toFailure(path: string, error: NodeJS.ErrnoException): Error {
  if (error instanceof UnreachableError) return error
  const code = error.code ?? error.name
  if (PASSING.has(code)) return new UnreachableError(`it cannot be written (${code})`, { cause: error })
  return new KeystampError('REJECTS_FAILED', `Rejected records cannot be written into ${path}: ${code}.`, {
    cause: error
  })
}

const PASSING: ReadonlySet<string> = new Set([
  'ENOSPC',
  'EDQUOT',
  'EIO',
  'EMFILE',
  'ENFILE',
  'EAGAIN',
  'EBUSY',
  'ETIMEDOUT',
  'ESTALE'
])
