import type { KeystampError } from '@keystamp/core'
import { CARRIAGE_RETURN, NEWLINE } from '@keystamp/core/internal'
import { CsvError, type Options, parse } from 'csv-parse'
import { isUtf8 } from 'node:buffer'
import { createCsvHeader, type CsvHeader, jsonOf } from './csv-header.ts'

/** Records of CSV, converted to JSON: each line is an object whose values are strings. */
export interface CsvBatch {
  readonly bytes: Buffer
  /** False if at least one record is not UTF-8. */
  readonly isUtf8: boolean
  readonly records: readonly CsvRecord[]
}

/**
 * Positions of one record: `start` and `end` of its JSON in the batch; `line` and `byte` of its beginning in the input.
 */
export interface CsvRecord {
  readonly start: number
  readonly end: number
  /** Line number, starting at 1. A record can take several lines, because a quoted value may contain line ends. */
  readonly line: number
  readonly byte: number
  /** Byte of the input after the record. */
  readonly endByte: number
  /** Bytes from the end of the previous record to the end of this one. */
  readonly size: number
  /** Number of values; in a malformed record it differs from the number of columns in the header. */
  readonly columns: number
}

/** Converts the bytes of one CSV input to JSON. Throws INPUT_INVALID if records after a mistake cannot be separated. */
export interface CsvParser {
  readonly push: (chunk: Buffer) => Promise<CsvBatch>
  readonly finish: () => Promise<CsvBatch>
  /** Returns the header; undefined before the header line was read. */
  readonly header: () => CsvHeader | undefined
}

export interface CsvParserOptions {
  /** One character. Default: a comma. */
  readonly delimiter?: string | undefined
  /** Maximum number of bytes of an incomplete record. */
  readonly maxPendingBytes: number
  /** Creates an error that begins with the line of the input. */
  readonly explain: (line: number, what: string) => KeystampError
  /** Begins in the middle of an input. `header` is the header of the input. */
  readonly from?: { readonly header: CsvHeader; readonly byte: number; readonly line: number } | undefined
}

export function createCsvParser({ delimiter, maxPendingBytes, explain, from }: CsvParserOptions): CsvParser {
  let { header, byte: base } = from ?? { header: undefined, byte: 0 }
  const lines = new LineCounter(from ?? { byte: 0, line: 1 })
  let text = ''
  let records: CsvRecord[] = []
  let isBeginning = from === undefined
  let head: Buffer = Buffer.alloc(0)
  let pushedBytes = base
  let endOfLast = base
  // With latin1, each byte becomes one character. So positions count bytes, and bytes that are not UTF-8 reach the JSON
  // scanner unchanged.
  const parser = parse({ ...FORMAT, delimiter: delimiter ?? ',', on_record: take })
  // without this listener Node would throw the error; the callbacks of `write` and `end` report it
  parser.on('error', () => {})
  // the readable side stays empty, but ends only if it is read
  parser.resume()
  return { push, finish, header: () => header }

  async function push(chunk: Buffer): Promise<CsvBatch> {
    const rest = isBeginning ? skipMark(chunk) : chunk
    if (rest === undefined) return takeBatch()
    // csv-parse keeps a view of the bytes after the last record, and the reader reuses its buffers
    const bytes = Buffer.from(rest)
    lines.load(bytes)
    pushedBytes += bytes.length
    await settle((done) => parser.write(bytes, done))
    lines.finishChunk()
    if (pushedBytes - endOfLast > maxPendingBytes) {
      throw explain(
        lines.recordLine,
        `the record is longer than ${maxPendingBytes} bytes. Is a quote missing that ends a value?`
      )
    }
    return takeBatch()
  }

  /** Skips a byte order mark. Returns undefined while there are too few bytes to recognize one. */
  function skipMark(chunk: Buffer): Buffer | undefined {
    head = Buffer.concat([head, chunk])
    if (head.length < MARK.length && head.equals(MARK.subarray(0, head.length))) return undefined
    isBeginning = false
    if (!head.subarray(0, MARK.length).equals(MARK)) return head
    base = pushedBytes = endOfLast = MARK.length
    lines.skipTo(base)
    return head.subarray(MARK.length)
  }

  async function finish(): Promise<CsvBatch> {
    await settle((done) => parser.end(done))
    return takeBatch()
  }

  function take(values: readonly string[], { bytes }: { readonly bytes: number }): undefined {
    const end = base + bytes
    const { line, byte } = lines.recordEndingAt(end)
    if (header === undefined) header = createCsvHeader(values, delimiter, (what) => explain(line, what))
    else {
      const start = text.length
      text += jsonOf(header, values)
      records.push({ start, end: text.length, line, byte, endByte: end, size: end - endOfLast, columns: values.length })
      text += '\n'
    }
    endOfLast = end
  }

  function takeBatch(): CsvBatch {
    const bytes = Buffer.from(text, 'latin1')
    const batch = { bytes, isUtf8: isUtf8(bytes), records }
    text = ''
    records = []
    return batch
  }

  function settle(work: (done: (error?: Error | null) => void) => void): Promise<void> {
    return new Promise((resolve, reject) => {
      work((error) =>
        error ? reject(error instanceof CsvError ? explain(lines.lineOfNext(), sentenceOf(error)) : error) : resolve()
      )
    })
  }
}

const FORMAT: Options = {
  encoding: 'latin1',
  record_delimiter: ['\r\n', '\n'],
  relax_column_count: true,
  skip_empty_lines: true
}
// byte order mark
const MARK = Buffer.from('\uFEFF')

// messages of csv-parse contain values
function sentenceOf({ code }: CsvError): string {
  switch (code as string) {
    case 'CSV_QUOTE_NOT_CLOSED':
      return 'a value begins with a quote, and the closing quote is missing.'
    case 'CSV_INVALID_CLOSING_QUOTE':
      return 'a quoted value is followed by something other than a delimiter or the end of the line. Write a quote inside a quoted value twice.'
    default:
      return 'a quote is in the middle of a value. Put the whole value in quotes, and write the quote inside it twice.'
  }
}

// more bytes than the parser reads after a record before it reports that record
const LOOK_AHEAD_BYTES = 16

/**
 * Finds the line on which each record begins. csv-parse reports only the end of a record, so this counts line ends in
 * the bytes. Blank lines before a record are not part of the record.
 */
class LineCounter {
  #chunk: Buffer = Buffer.alloc(0)
  // position of the chunk in the input
  #chunkByte: number
  #byte: number
  #line: number
  #isBetween = true
  #recordLine: number
  #recordByte: number

  constructor({ byte, line }: { readonly byte: number; readonly line: number }) {
    this.#chunkByte = this.#byte = this.#recordByte = byte
    this.#line = this.#recordLine = line
  }

  /** Begins after a byte order mark. */
  skipTo(byte: number): void {
    this.#chunkByte = this.#byte = this.#recordByte = byte
  }

  load(chunk: Buffer): void {
    this.#chunk = this.#chunk.length === 0 ? chunk : Buffer.concat([this.#chunk, chunk])
  }

  /** Line and first byte of the record that ends before `end`, a position in the input. */
  recordEndingAt(end: number): { readonly line: number; readonly byte: number } {
    this.#readTo(end)
    const found = { line: this.#recordLine, byte: this.#recordByte }
    this.#isBetween = true
    this.#recordLine = this.#line
    this.#recordByte = this.#byte
    return found
  }

  /** Line on which the next record begins, according to the bytes read so far. */
  lineOfNext(): number {
    this.#readTo(this.#chunkByte + this.#chunk.length)
    return this.#recordLine
  }

  get recordLine(): number {
    return this.#recordLine
  }

  /**
   * Counts the lines of the incomplete record. Keeps a copy of the last bytes, because the parser may not have
   * processed them yet.
   */
  finishChunk(): void {
    const kept = Math.max(0, this.#chunk.length - LOOK_AHEAD_BYTES)
    this.#readTo(this.#chunkByte + kept)
    this.#chunkByte += kept
    this.#chunk = Buffer.from(this.#chunk.subarray(kept))
  }

  #readTo(end: number): void {
    const chunk = this.#chunk
    const until = Math.min(end - this.#chunkByte, chunk.length)
    let at = this.#byte - this.#chunkByte
    if (this.#isBetween) {
      for (; at < until && (chunk[at] === NEWLINE || chunk[at] === CARRIAGE_RETURN); at++)
        if (chunk[at] === NEWLINE) this.#line++
      this.#recordLine = this.#line
      this.#recordByte = this.#chunkByte + at
      this.#isBetween = at >= until
    }
    for (at = chunk.indexOf(NEWLINE, at); at >= 0 && at < until; at = chunk.indexOf(NEWLINE, at + 1)) this.#line++
    this.#byte = Math.max(this.#byte, this.#chunkByte + until)
  }
}
