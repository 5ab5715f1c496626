import type { Writable } from 'node:stream'
import { codecOf, createCompressor } from './codec.ts'
import { createFileWriter } from './file-writer.ts'
import { createStreamWriter } from './stream-writer.ts'
import { outputError } from './system-error.ts'
import type { Target } from './target.ts'
import type { Writer } from './writer.ts'

/** Opens the output: a stream of somebody else's, or a file, compressed by its ending. */
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

export type OpenTarget = (path: string) => Promise<Target>

function plainWriter(target: Target): Writer {
  const writer = createFileWriter(target.file)
  return {
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
    // only then has it let go of the file
    raw.on('close', resolve)
    raw.on('error', reject)
  })
  // a failing disk ends the compressor, and whoever writes next hears of it
  written.catch((error: Error) => compressor.destroy(error))
  compressor.pipe(raw)
  const into = createStreamWriter(compressor)
  return {
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
    allocate: writer.allocate,
    write: (bytes) => writer.write(bytes).catch(explain),
    finish: () => writer.finish().catch(explain),
    abandon: writer.abandon
  }
}
