import { openCollectTarget, type Taken } from './collect-target.ts'
import type { Rejected } from '../reject/rejected.ts'
import { rejectedLine } from '../reject/rejected-line.ts'
import type { RejectOptions } from '../reject/reject-options.ts'
import { openOutput } from './open-output.ts'
import type { StampFilesOptions } from './stamp-files-options.ts'

/** Rejected records on their way to a file or stream of their own. */
export interface FileCollector {
  readonly onError: NonNullable<RejectOptions<string>['onError']>
  /** Writes what has come together. */
  readonly drain: () => Promise<void>
  /** Writes the rest and closes the file. */
  readonly finish: () => Promise<void>
  /** The same where the work failed, since what was collected says why. Leaves no file where nothing was. */
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
