import type { FileHandle } from 'node:fs/promises'
import { finished, type Writable } from 'node:stream'
import { allocateFresh } from '@keystamp/stream/internal'
import { codecOf, createCompressor } from '../inputs/codec.ts'
import { outputError } from '../system-error.ts'
import type { Target } from './target.ts'

/** Opens the output: a stream of the caller, or a file, which is compressed if its extension says so. */
export async function openOutput(output: string | Writable, open: OpenTarget): Promise<Writer> {
  if (typeof output !== 'string') return named('the output', createStreamWriter(output))
  const codec = codecOf(output)
  const compressor = codec && createCompressor(codec)
  try {
    const target = await open(output)
    return named(output, compressor === undefined ? plainWriter(target) : compressedWriter(target, compressor))
  } catch (error) {
    throw outputError(output, error)
  }
}

type OpenTarget = (path: string) => Promise<Target>

function plainWriter(target: Target): Writer {
  const writer = createFileWriter(target.file)
  return {
    keepsBytes: false,
    allocate: writer.allocate,
    write: writer.write,
    finish: async () => {
      await writer.settle()
      await target.finish()
    },
    abandon: async () => {
      await writer.settle().catch(() => {})
      await target.abandon()
    }
  }
}

function compressedWriter(target: Target, compressor: ReturnType<typeof createCompressor>): Writer {
  const raw = target.file.createWriteStream()
  const written = new Promise<void>((resolve, reject) => {
    // only after `close` has the stream closed the file
    raw.on('close', resolve)
    raw.on('error', reject)
  })
  // a disk error ends the compressor, so the next write reports it
  written.catch((error: Error) => compressor.destroy(error))
  compressor.pipe(raw)
  const into = createStreamWriter(compressor)
  return {
    keepsBytes: true,
    allocate: into.allocate,
    write: into.write,
    finish: async () => {
      await into.finish()
      compressor.end()
      await written
      await target.finish()
    },
    abandon: async () => {
      await into.abandon()
      compressor.on('error', () => {})
      compressor.destroy()
      raw.destroy()
      await target.abandon()
    }
  }
}

function named(name: string, writer: Writer): Writer {
  const explain = (error: unknown): never => {
    throw outputError(name, error)
  }
  return {
    keepsBytes: writer.keepsBytes,
    allocate: writer.allocate,
    write: (bytes) => writer.write(bytes).catch(explain),
    finish: () => writer.finish().catch(explain),
    abandon: writer.abandon
  }
}

/** Writes the output chunk by chunk. */
export interface Writer {
  /** Starts to write `bytes`; resolves when the previous chunk is written. */
  readonly write: (bytes: Buffer) => Promise<void>
  /** Whether bytes may still be in use when `write` of the next chunk has resolved. */
  readonly keepsBytes: boolean
  /** Flushes, and atomically renames the temporary file. */
  readonly finish: () => Promise<void>
  /** Stops after an error; leaves no file under the final name. */
  readonly abandon: () => Promise<void>
  /** Returns a buffer for the caller to fill and pass to `write`. */
  readonly allocate: (size: number) => Buffer
}

/** Writes to an open file. Writes a chunk while the caller makes the next one. */
interface FileWriter {
  readonly write: (bytes: Buffer) => Promise<void>
  /** Waits until the last chunk is written. */
  readonly settle: () => Promise<void>
  readonly allocate: (size: number) => Buffer
}

export function createFileWriter(file: FileHandle): FileWriter {
  const pool = createBufferPool()
  let writing: Promise<void> = Promise.resolve()
  return {
    allocate: pool.lend,
    settle: () => writing,
    write: async (bytes) => {
      await writing
      writing = writeAll(bytes)
      // the next call of `write` or `settle` reports the error
      writing.catch(() => {})
    }
  }

  async function writeAll(bytes: Buffer): Promise<void> {
    let at = 0
    while (at < bytes.length) {
      const { bytesWritten } = await file.write(bytes, at, bytes.length - at)
      at += bytesWritten
    }
    pool.giveBack(bytes)
  }
}

/** Pool of buffers. A new buffer for every chunk would leave tens of megabytes to the garbage collector. */
interface BufferPool {
  readonly lend: (size: number) => Buffer
  /** Takes back the buffer that contains these bytes. */
  readonly giveBack: (bytes: Buffer) => void
}

const MAX_KEPT = 3
const STEP_BYTES = 64 * 1024

function createBufferPool(): BufferPool {
  const free: Buffer[] = []
  const lent = new WeakSet<ArrayBufferLike>()
  return {
    lend: (size) => {
      const found = free.findIndex((buffer) => buffer.length >= size)
      if (found >= 0) return free.splice(found, 1)[0]
      // drops the free buffers: they would be too small for the next chunks, too
      free.length = 0
      const buffer = Buffer.allocUnsafeSlow(Math.ceil(size / STEP_BYTES) * STEP_BYTES)
      lent.add(buffer.buffer)
      return buffer
    },
    giveBack: (bytes) => {
      // a buffer that this pool did not lend may be part of Node's own pool
      if (free.length < MAX_KEPT && lent.has(bytes.buffer))
        free.push(Buffer.from(bytes.buffer, 0, bytes.buffer.byteLength))
    }
  }
}

/** Writes to a stream of the caller, such as standard output. Does not end the stream. */
function createStreamWriter(stream: Writable): Writer {
  let failure: Error | undefined
  let resume: (() => void) | undefined
  const wake = (): void => {
    resume?.()
    resume = undefined
  }
  const stopWatching = finished(stream, { readable: false }, (error) => {
    failure = error ?? new Error('The output was closed while there was more to write.')
    wake()
  })
  stream.on('drain', wake)

  return {
    keepsBytes: true,
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
    stopWatching()
    stream.removeListener('drain', wake)
  }
}

const NOTHING = Buffer.alloc(0)
