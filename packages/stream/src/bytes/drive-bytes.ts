import type { Counts } from '../counts.ts'
import { type Driven, noBytes } from '../flow/create-transform.ts'

/** Drives a stage over bytes chunk by chunk, for one input. */
export function driveBytes(stage: BytesStage): Driven {
  return { push, finish, counts: stage.counts }

  function push(chunk: Uint8Array | string): Buffer | undefined {
    stage.push(toBuffer(chunk))
    return takeAny()
  }

  function finish(): Buffer | undefined {
    stage.endInput()
    stage.finish()
    return takeAny()
  }

  function takeAny(): Buffer | undefined {
    const made = stage.take()
    return made.length === 0 ? undefined : made
  }
}

function toBuffer(chunk: Uint8Array | string): Buffer {
  if (Buffer.isBuffer(chunk)) return chunk
  if (typeof chunk === 'string') return Buffer.from(chunk)
  if (!ArrayBuffer.isView(chunk)) throw noBytes()
  return Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
}

/** Stamps bytes that come in pieces of any size. What it gives is gathered until it is taken. */
export interface BytesStage {
  /** Takes the next piece. It is not kept, and not looked at again. */
  readonly push: (chunk: Buffer) => void
  /** Names the input that comes next, where there are several. */
  readonly startInput: (name: string) => void
  /** Ends one input; another one may follow. */
  readonly endInput: () => void
  /** Ends the work. */
  readonly finish: () => void
  /** All that has been made since it was last taken; empty where there is nothing. */
  readonly take: () => Buffer
  readonly counts: Counts
}

/** The same, for files: a parser of others may need a moment for a piece. */
export interface FileStage extends Omit<BytesStage, 'push' | 'endInput'> {
  readonly push: (chunk: Buffer) => void | Promise<void>
  readonly endInput: () => void | Promise<void>
}
