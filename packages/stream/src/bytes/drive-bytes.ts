import type { Driven } from '../flow/create-transform.ts'
import type { BytesStage } from './bytes-stage.ts'
import { noBytes } from './refuse-objects.ts'

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
