import type { FileHandle } from 'node:fs/promises'
import { inputError } from './system-error.ts'
import type { Reader } from './reader.ts'

/** Two buffers that are read into in turn; one file after the other can use them. */
export type ReadBuffers = readonly [Buffer, Buffer]

export function createReadBuffers(bytes: number): ReadBuffers {
  return [Buffer.allocUnsafeSlow(bytes), Buffer.allocUnsafeSlow(bytes)]
}

/** Reads a file in large pieces, always one ahead: while one is worked on, the next is on its way. */
export function createFileReader(name: string, file: FileHandle, [first, second]: ReadBuffers, fromByte = 0): Reader {
  let ready = first
  let spare = second
  let total = 0
  // a pipe has no positions
  let position = fromByte === 0 ? null : fromByte
  let ahead = readInto(ready)

  return { name, next, bytesRead: () => total, close }

  async function next(): Promise<Buffer | undefined> {
    const length = await ahead.catch((error: unknown) => {
      throw inputError(name, error)
    })
    if (length === 0) return undefined
    total += length
    const full = ready
    ready = spare
    spare = full
    ahead = readInto(ready)
    return full.subarray(0, length)
  }

  function readInto(buffer: Buffer): Promise<number> {
    const reading = file.read(buffer, 0, buffer.length, position).then(({ bytesRead }) => {
      if (position !== null) position += bytesRead
      return bytesRead
    })
    // whoever asks next hears of it
    reading.catch(() => {})
    return reading
  }

  async function close(): Promise<void> {
    await ahead.catch(() => {})
    await file.close()
  }
}
