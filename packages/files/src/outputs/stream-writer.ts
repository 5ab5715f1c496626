import { finished, type Writable } from 'node:stream'
import { allocateFresh } from '@keystamp/stream/internal'
import type { Writer } from './open-output.ts'

/** Writes to a stream that belongs to the caller, such as standard output: the stream is not ended. */
export function createStreamWriter(stream: Writable): Writer {
  let failure: Error | undefined
  let resume: (() => void) | undefined
  const wake = (): void => {
    resume?.()
    resume = undefined
  }
  const forget = finished(stream, { readable: false }, (error) => {
    failure = error ?? new Error('The output was closed while there was more to write.')
    wake()
  })
  stream.on('drain', wake)

  return {
    allocate: allocateFresh,
    write: async (bytes) => {
      if (failure) throw failure
      if (!stream.write(bytes)) await waitForRoom()
      if (failure) throw failure
    },
    finish: async () => {
      // an empty chunk is acknowledged after all chunks before it
      if (failure === undefined) await new Promise((resolve) => stream.write(NOTHING, resolve))
      release()
      if (failure) throw failure
    },
    abandon: () => {
      release()
      return Promise.resolve()
    }
  }

  function waitForRoom(): Promise<void> {
    return new Promise((resolve) => {
      resume = resolve
    })
  }

  function release(): void {
    forget()
    stream.removeListener('drain', wake)
  }
}

const NOTHING = Buffer.alloc(0)
