import type { Counts } from '../counts.ts'
import { type SyncStage, noBytes } from '../flow/create-transform.ts'

/** Passes the bytes of one input to a stage, chunk by chunk. */
export function driveBytes(stage: BytesStage): SyncStage {
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

/** Stamps bytes in chunks of any size. The output is collected until `take`. */
export interface BytesStage {
  /** Processes the next chunk. Does not keep it or read it later. */
  readonly push: (chunk: Buffer) => void
  /** Sets the name of the input that follows; positions of rejected records contain it. */
  readonly startInput: (name: string) => void
  /** Ends one input; another one may follow. */
  readonly endInput: () => void
  /** Ends the work. */
  readonly finish: () => void
  /** Returns the output since the last call; an empty buffer if there is none. */
  readonly take: () => Buffer
  readonly counts: Counts
}

/** Stage for files: a `BytesStage` that may be asynchronous, because a third-party parser may be. */
export interface FileStage extends Omit<BytesStage, 'push' | 'endInput'> {
  readonly push: (chunk: Buffer) => void | Promise<void>
  readonly endInput: () => void | Promise<void>
}
