import type { KeystampError } from '@keystamp/core'
import { CsvError, type Options, parse } from 'csv-parse'
import { isUtf8 } from 'node:buffer'
import { createCsvHeader, type CsvHeader, jsonOf } from './csv-header.ts'

/** Records of CSV as JSON: one object of strings on each line. */
export interface CsvBatch {
  readonly bytes: Buffer
  /** False where at least one record is not UTF-8. */
  readonly isUtf8: boolean
  readonly records: readonly CsvRecord[]
}

/** Position of one record: its JSON in the batch, and its beginning in the input. */
export interface CsvRecord {
  readonly start: number
  readonly end: number
  /** Line number from 1 on. A quoted value may contain line ends, so that a record can take several lines. */
  readonly line: number
  readonly byte: number
  /** Byte of the input after the record. */
  readonly endByte: number
  /** Bytes from the end of the previous record to the end of this one. */
  readonly size: number
  /** Number of values; different from that of the header where the record is malformed. */
  readonly columns: number
}

/**
 * Converts the bytes of one CSV input to JSON. Throws INPUT_INVALID where the records after a mistake cannot be
 * separated.
 */
export interface CsvParser {
  readonly push: (chunk: Buffer) => Promise<CsvBatch>
  readonly finish: () => Promise<CsvBatch>
  /** Undefined until the header line was read. */
  readonly header: () => CsvHeader | undefined
}

export interface CsvParserOptions {
  /** One character. Default: a comma. */
  readonly delimiter?: string | undefined
  /** Limit for the bytes of a record that has not ended. */
  readonly maxPendingBytes: number
  /** Creates an error that begins with the line of the input. */
  readonly explain: (line: number, what: string) => KeystampError
  /** Begins in the middle of an input whose header is known. */
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
  // each byte becomes a character, so that positions are bytes, and bytes that are not UTF-8 reach the JSON scanner
  // unchanged
  const parser = parse({ ...FORMAT, delimiter: delimiter ?? ',', on_record: take })
  // without a listener the error would be thrown; `write` and `end` report it too
  parser.on('error', () => {})
  // the readable side stays empty, but has to be read to its end
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
      return 'a value begins with a quote that nothing ends.'
    case 'CSV_INVALID_CLOSING_QUOTE':
      return 'a quoted value is followed by something other than a delimiter or the end of the line. A quote inside a quoted value is written twice.'
    default:
      return 'a quote is in the middle of a value. Put the whole value in quotes, and write the quote inside it twice.'
  }
}

const LINE_FEED = 0x0a
const CARRIAGE_RETURN = 0x0d
// more bytes than the parser reads ahead to decide that a record has ended
const LOOK_AHEAD_BYTES = 16

/**
 * Finds the line on which each record begins, from the record's end and the bytes themselves. Blank lines before a
 * record are not part of it.
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

  /** Line and first byte of the record that ends before this byte of the input. */
  recordEndingAt(end: number): { readonly line: number; readonly byte: number } {
    this.#readTo(end)
    const found = { line: this.#recordLine, byte: this.#recordByte }
    this.#isBetween = true
    this.#recordLine = this.#line
    this.#recordByte = this.#byte
    return found
  }

  /** Line on which the record after the last one begins, according to the bytes read so far. */
  lineOfNext(): number {
    this.#readTo(this.#chunkByte + this.#chunk.length)
    return this.#recordLine
  }

  get recordLine(): number {
    return this.#recordLine
  }

  /**
   * Counts the lines of the incomplete record. Keeps a copy of the last bytes, which the parser may not have processed
   * yet.
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
      for (; at < until && (chunk[at] === LINE_FEED || chunk[at] === CARRIAGE_RETURN); at++)
        if (chunk[at] === LINE_FEED) this.#line++
      this.#recordLine = this.#line
      this.#recordByte = this.#chunkByte + at
      this.#isBetween = at >= until
    }
    for (at = chunk.indexOf(LINE_FEED, at); at >= 0 && at < until; at = chunk.indexOf(LINE_FEED, at + 1)) this.#line++
    this.#byte = Math.max(this.#byte, this.#chunkByte + until)
  }
}
