import type { Writable } from 'node:stream'
import type { RejectOptions } from '../reject/reject-options.ts'
import { rejectedLine } from '../reject/rejected-line.ts'
import { openOutput } from './open-output.ts'

/** Rejected records on their way to a file or stream of their own. */
export interface FileCollector {
  readonly onError: NonNullable<RejectOptions<string>['onError']>
  /** Writes what has come together. */
  readonly drain: () => Promise<void>
  /** Writes the rest and closes the file; also where the work failed, since what was collected says why. */
  readonly finish: () => Promise<void>
}

export async function createFileCollector(
  onError: RejectOptions<string>['onError'] | { readonly collect: string | Writable }
): Promise<FileCollector> {
  if (typeof onError !== 'object') return { onError: onError ?? 'throw', drain: nothing, finish: nothing }
  const writer = await openOutput(onError.collect, 0)
  let lines: string[] = []
  return {
    onError: (rejected) => lines.push(rejectedLine(rejected)),
    drain,
    finish: async () => {
      await drain()
      await writer.finish()
    }
  }

  async function drain(): Promise<void> {
    if (lines.length === 0) return
    const text = lines.join('')
    lines = []
    const bytes = writer.allocate(Buffer.byteLength(text))
    await writer.write(bytes.subarray(0, bytes.write(text)))
  }
}

function nothing(): Promise<void> {
  return Promise.resolve()
}
