import { KeystampError } from '@keystamp/core'
import type { Writable } from 'node:stream'

/** Node throws for an object where bytes are expected, out of the reach of any pipeline: here the stream fails, as for any other wrong input. */
export function refuseObjects(stream: Writable): void {
  const write = stream.write.bind(stream) as (...args: unknown[]) => boolean
  stream.write = (...args: unknown[]): boolean => {
    const [chunk] = args
    if (typeof chunk === 'string' || ArrayBuffer.isView(chunk)) return write(...args)
    stream.destroy(noBytes())
    return false
  }
}

/** The error for objects where bytes are expected. */
export function noBytes(): KeystampError {
  return new KeystampError(
    'INPUT_INVALID',
    'A chunk is an object, and this stage takes bytes or text: objects go through `stamp`, in a stream, or `stampStage`.'
  )
}
