import { NEWLINE } from '@keystamp/core/internal'
import { codecOf, createDecompressor } from './codec.ts'
import { createReadStream } from 'node:fs'
import { addAbortSignal, pipeline, type Readable } from 'node:stream'
import type { Rejection } from '@keystamp/core'
import { inputError } from '../system-error.ts'
import { Piece, readFilePieces, type ReadPiece, readStreamPieces } from './piece-pool.ts'

/** Position in the inputs of a load. Every record before the position has its outcome. */
export interface InputPosition {
  /** Index of the input, starting at 0. */
  readonly input: number
  /** Number of lines of this input that have their outcome. */
  readonly line: number
  /** A line at or before the position at which reading can begin: its number, starting at 0, and its first byte. */
  readonly from: {
    readonly line: number
    readonly byte: number
    /** Only in CSV, where a record can take several lines: number of the text line, starting at 1. */
    readonly textLine?: number
  }
  /** Byte after the last line that has its outcome; undefined in checkpoints of older versions. */
  readonly byte?: number
}

/** The position before the first line. */
export const BEGINNING: InputPosition = { input: 0, line: 0, from: { line: 0, byte: 0 } }

/** A record of an input: a line; or an element of an array or a record of CSV, as JSON. */
export interface InputLine {
  /** Bytes of the line without its line end; undefined if the line is too long. */
  readonly bytes: Buffer | undefined
  /** Number of the line, starting at 0; number of the record if records are not lines. */
  readonly line: number
  /** First byte of the record in the input. */
  readonly byte: number
  /** Only in CSV: number of the text line on which the record begins, starting at 1. */
  readonly textLine?: number | undefined
  /** Byte after the line end; undefined if it follows from `byte` and `bytes`. */
  readonly end?: number | undefined
  /** Bytes that the record takes in the input. Default: the length of `bytes` and a line end. */
  readonly size?: number
  /** Reason to reject the record that does not depend on its values. */
  readonly rejection?: Rejection | undefined
  /** Buffer that contains the bytes. Must be released when the bytes are no longer needed. */
  readonly piece: Piece
}

export interface ReadLinesOptions {
  /** Reading begins at this line, or at the beginning if the input can only be read from its beginning. */
  readonly from: InputPosition['from']
  readonly stdin: Readable
  readonly signal: AbortSignal
  /** Maximum length of a line in bytes; a longer line is returned without its bytes. */
  readonly maxRecordBytes: number
  /** Called with the first bytes of the input; may throw. */
  readonly onHead?: (bytes: Buffer) => void
}

const CHUNK_BYTES = 1 << 18

/**
 * Reads a file, which is decompressed if its extension says so, or standard input if the name is `-`. Yields the
 * complete lines of each chunk together.
 */
export async function* readLines(
  name: string,
  { from, stdin, signal, maxRecordBytes, onHead }: ReadLinesOptions
): AsyncGenerator<readonly InputLine[]> {
  const isPlain = name !== '-' && codecOf(name) === undefined
  const start = isPlain ? from : { line: 0, byte: 0 }
  let { line, byte } = start
  let carried: Buffer[] = []
  let carriedBytes = 0
  const pieces = isPlain ? readFilePieces(name, start.byte, signal) : readStreamPieces(openStream(name, stdin, signal))
  for await (const { piece, length } of withInputErrors(pieces, name)) {
    const bytes = length === piece.bytes.length ? piece.bytes : piece.bytes.subarray(0, length)
    if (byte === 0 && carriedBytes === 0) onHead?.(bytes)
    const lines: InputLine[] = []
    let begin = 0
    for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, begin)) {
      lines.push(toLine(bytes.subarray(begin, end), piece))
      begin = end + 1
    }
    carry(bytes.subarray(begin))
    piece.release()
    if (lines.length > 0) yield lines
  }
  if (carriedBytes > 0) yield [toLine(Buffer.alloc(0), new Piece(Buffer.alloc(0)))]

  // copies the bytes, because their buffer may be overwritten before the rest of the line arrives
  function carry(rest: Buffer): void {
    carriedBytes += rest.length
    if (carriedBytes > maxRecordBytes) carried = []
    else if (rest.length > 0) carried.push(Buffer.from(rest))
  }

  function toLine(last: Buffer, piece: Piece): InputLine {
    const length = carriedBytes + last.length
    const bytes = length > maxRecordBytes ? undefined : carriedBytes === 0 ? last : Buffer.concat([...carried, last])
    const found =
      bytes === undefined
        ? { bytes, line, byte, piece, end: byte + length + 1, size: length + 1 }
        : { bytes, line, byte, piece }
    piece.keep()
    line += 1
    byte += length + 1
    carried = []
    carriedBytes = 0
    return found
  }
}

async function* withInputErrors(pieces: AsyncIterable<ReadPiece>, name: string): AsyncGenerator<ReadPiece> {
  try {
    yield* pieces
  } catch (error) {
    throw inputError(name === '-' ? 'Standard input' : name, error)
  }
}

function openStream(name: string, stdin: Readable, signal: AbortSignal): AsyncIterable<Buffer> {
  if (name === '-') return addAbortSignal(signal, stdin)
  // the end of the pipeline gets the errors of all its streams
  const stream = pipeline(
    createReadStream(name, { highWaterMark: CHUNK_BYTES }),
    createDecompressor(codecOf(name)!),
    () => {}
  )
  return addAbortSignal(signal, stream)
}
