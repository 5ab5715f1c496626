import { open } from 'node:fs/promises'
import { addAbortSignal, pipeline, type Readable } from 'node:stream'
import { codecOf, createDecompressor } from './codec.ts'
import { createFileReader, type ReadBuffers } from './file-reader.ts'
import type { Reader } from './reader.ts'
import { createStreamReader } from './stream-reader.ts'
import { inputError } from './system-error.ts'

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
