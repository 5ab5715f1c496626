import { type FileHandle, open } from 'node:fs/promises'
import { addAbortSignal, pipeline, type Readable } from 'node:stream'
import { inputError } from '../system-error.ts'
import { codecOf, createDecompressor } from './codec.ts'

/**
 * Opens a file, and decompresses it if its extension says so; a stream is read as is. Only an uncompressed file can be
 * read from a byte other than the first.
 */
export async function openInput(
  input: string | Readable,
  buffers: ReadBuffers,
  signal: AbortSignal | undefined,
  fromByte = 0
): Promise<Reader> {
  if (typeof input !== 'string') {
    // a stream may never produce another chunk, so waiting for one must end with the signal
    if (signal) addAbortSignal(signal, input)
    return createStreamReader('the input', input)
  }
  const codec = codecOf(input)
  const decompressor = codec && createDecompressor(codec)
  try {
    const file = await open(input)
    if ((await file.stat()).isDirectory()) {
      await file.close()
      throw Object.assign(new Error('a folder'), { code: 'EISDIR' })
    }
    if (decompressor === undefined) return createFileReader(input, file, buffers, fromByte)
    const raw = file.createReadStream({ highWaterMark: buffers[0].length })
    // the reader gets all errors from the decompressor, the end of the pipeline
    pipeline(raw, decompressor, () => {})
    return createStreamReader(input, decompressor, () => raw.bytesRead)
  } catch (error) {
    throw inputError(input, error)
  }
}

/** Reads an input chunk by chunk. */
export interface Reader {
  /** Name for messages. */
  readonly name: string
  /** Returns the next chunk, which is valid until the next call; undefined at the end. */
  readonly next: () => Promise<Buffer | undefined>
  /** Bytes read so far, before decompression. */
  readonly bytesRead: () => number
  readonly close: () => Promise<void>
}

/** Two buffers that a reader fills in turn. Several readers can use them one after the other. */
type ReadBuffers = readonly [Buffer, Buffer]

export function createReadBuffers(bytes: number): ReadBuffers {
  return [Buffer.allocUnsafeSlow(bytes), Buffer.allocUnsafeSlow(bytes)]
}

/** Reads a file in large chunks. Reads the next chunk while the caller processes the current one. */
function createFileReader(name: string, file: FileHandle, [first, second]: ReadBuffers, fromByte = 0): Reader {
  let ready = first
  let spare = second
  let total = 0
  // without a position, a pipe can be read, too
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
    // the next call gets the error
    reading.catch(() => {})
    return reading
  }

  async function close(): Promise<void> {
    await ahead.catch(() => {})
    await file.close()
  }
}

/** Reads a stream: standard input, or the output of a decompressor. */
function createStreamReader(name: string, stream: Readable, bytesRead?: () => number): Reader {
  const chunks = stream[Symbol.asyncIterator]() as AsyncIterator<Buffer | string>
  let total = 0
  return {
    name,
    next: async () => {
      try {
        const { done, value } = await chunks.next()
        if (done === true) return undefined
        const chunk = typeof value === 'string' ? Buffer.from(value) : value
        total += chunk.length
        return chunk
      } catch (error) {
        throw inputError(name, error)
      }
    },
    bytesRead: bytesRead ?? (() => total),
    close: async () => {
      await chunks.return?.()
    }
  }
}
