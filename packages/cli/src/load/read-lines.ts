import { createReadStream } from 'node:fs'
import { addAbortSignal, pipeline, type Readable, type Transform } from 'node:stream'
import zlib from 'node:zlib'
import { UsageError } from '../usage-error.ts'
import type { Place } from './place.ts'

/** One line, as it stands in the input. */
export interface Line {
  /** Without its end; undefined where it is too long to be a record. */
  readonly bytes: Buffer | undefined
  /** From 0 on. */
  readonly line: number
  /** Where it begins. */
  readonly byte: number
}

export interface ReadLinesOptions {
  /** Begins at this line, or before it where the input cannot be entered in the middle. */
  readonly from: Place['from']
  readonly stdin: Readable
  readonly signal: AbortSignal
}

const CHUNK_BYTES = 1 << 20
const MOST_BYTES = 8 << 20
const NEWLINE = 0x0a

/** Reads a file, decompressed by its name's ending, or standard input for `-`: the whole lines of each piece together. */
export async function* readLines(name: string, { from, stdin, signal }: ReadLinesOptions): AsyncGenerator<readonly Line[]> {
  const isPlain = name !== '-' && codecOf(name) === undefined
  const start = isPlain ? from : { line: 0, byte: 0 }
  let { line, byte } = start
  let carried: Buffer[] = []
  let carriedBytes = 0
  for await (const chunk of openInput(name, start.byte, stdin, signal)) {
    const lines: Line[] = []
    let begin = 0
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, begin)) {
      lines.push(toLine(chunk.subarray(begin, end)))
      begin = end + 1
    }
    // nobody writes into a piece again: what is left may stay where it is
    carriedBytes += chunk.length - begin
    if (carriedBytes <= MOST_BYTES) carried.push(chunk.subarray(begin))
    else carried = []
    if (lines.length > 0) yield lines
  }
  if (carriedBytes > 0) yield [toLine(Buffer.alloc(0))]

  function toLine(last: Buffer): Line {
    const length = carriedBytes + last.length
    const bytes = length > MOST_BYTES ? undefined : carriedBytes === 0 ? last : Buffer.concat([...carried, last])
    const found = { bytes, line, byte }
    line += 1
    byte += length + 1
    carried = []
    carriedBytes = 0
    return found
  }
}

function openInput(name: string, start: number, stdin: Readable, signal: AbortSignal): AsyncIterable<Buffer> {
  if (name === '-') return addAbortSignal(signal, stdin)
  const file = createReadStream(name, { start, highWaterMark: CHUNK_BYTES })
  const codec = codecOf(name)
  // errors reach whoever reads the end of the chain
  const stream = codec === undefined ? file : pipeline(file, codec(), () => {})
  return addAbortSignal(signal, stream)
}

function codecOf(name: string): (() => Transform) | undefined {
  if (/\.(?:gz|gzip)$/i.test(name)) return () => zlib.createGunzip({ chunkSize: CHUNK_BYTES })
  return /\.(?:zst|zstd)$/i.test(name) ? createZstd : undefined
}

function createZstd(): Transform {
  // Node has it from 22.15 on
  const { createZstdDecompress } = zlib as { createZstdDecompress?: () => Transform }
  if (createZstdDecompress !== undefined) return createZstdDecompress()
  throw new UsageError(`Node ${process.version} knows no zstd. Use Node 22.15 or later, or a pipe: zstd -dc in.zst | keystamp load ...`)
}
