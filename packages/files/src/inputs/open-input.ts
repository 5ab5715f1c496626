import { type FileHandle, open } from 'node:fs/promises'
import { addAbortSignal, pipeline, type Readable } from 'node:stream'
import { inputError } from '../system-error.ts'
import { codecOf, createDecompressor } from './codec.ts'

/** Opens a file, decompressing by its ending, or takes a stream as it is. Only a file that is not compressed can begin at a byte of it. */
export async function openInput(
  input: string | Readable,
  buffers: ReadBuffers,
  signal: AbortSignal | undefined,
  fromByte = 0
): Promise<Reader> {
  if (typeof input !== 'string') {
    // a stream may keep us waiting for ever
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
    // errors reach whoever reads the end of the chain
    pipeline(raw, decompressor, () => {})
    return createStreamReader(input, decompressor, () => raw.bytesRead)
  } catch (error) {
    throw inputError(input, error)
  }
}

/** Gives an input piece by piece. */
export interface Reader {
  /** As people would call it. */
  readonly name: string
  /** The next piece, which holds until it is asked for the one behind it; undefined at the end. */
  readonly next: () => Promise<Buffer | undefined>
  /** Bytes read so far, before decompression. */
  readonly bytesRead: () => number
  readonly close: () => Promise<void>
}

/** Two buffers that are read into in turn; one file after the other can use them. */
type ReadBuffers = readonly [Buffer, Buffer]

export function createReadBuffers(bytes: number): ReadBuffers {
  return [Buffer.allocUnsafeSlow(bytes), Buffer.allocUnsafeSlow(bytes)]
}

/** Reads a file in large pieces, always one ahead: while one is worked on, the next is on its way. */
function createFileReader(name: string, file: FileHandle, [first, second]: ReadBuffers, fromByte = 0): Reader {
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

/** Reads a stream: standard input, or the end of a chain that decompresses. */
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
