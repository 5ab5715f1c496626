import type { Readable } from 'node:stream'
import { KeystampError, type Rejection } from '@keystamp/core'
import { createElementReader, describePosition, maxRecordBytesOf } from '@keystamp/stream/internal'
import { toDelimiter } from '../csv/csv-header.ts'
import { createCsvParser, type CsvParser, type CsvParserOptions } from '../csv/csv-parser.ts'
import { pendingBytesOf, refusalOf } from '../csv/csv-stage.ts'
import { createReadBuffers, openInput } from './open-input.ts'
import { recognizeInput } from './recognize-input.ts'

/** A record of an array or of CSV, converted to a JSON object. */
export interface ReadRecord {
  readonly bytes: Buffer
  /** Rejection that does not depend on the values, such as for a record that is too long; undefined otherwise. */
  readonly rejection: Rejection | undefined
  /** Index of the record in the input, starting at 0. */
  readonly index: number
  /** Line number, starting at 1; undefined in arrays. */
  readonly line: number | undefined
  /** First byte in the input; 0 in arrays. */
  readonly byte: number
  /** Byte after the record; undefined in arrays. */
  readonly end: number | undefined
  /** Number of bytes that the record and its separator take in the input; estimated for arrays. */
  readonly size: number
}

export interface ReadRecordsOptions {
  readonly form: 'array' | 'csv'
  readonly delimiter?: string | undefined
  readonly pick?: string | undefined
  readonly maxRecordBytes: number
  /** Record at which reading begins; only for an uncompressed CSV file. */
  readonly from?: { readonly index: number; readonly line: number; readonly byte: number } | undefined
  readonly signal: AbortSignal
}

const CHUNK_BYTES = 256 * 1024

/**
 * Reads the records of an array or of CSV. Yields one batch for each chunk of the input. Throws INPUT_INVALID if the
 * records cannot be separated.
 */
export async function* readRecords(
  input: string | Readable,
  options: ReadRecordsOptions
): AsyncGenerator<readonly ReadRecord[]> {
  const { form, from } = options
  const name = typeof input === 'string' ? input : undefined
  const parser = form === 'csv' ? await openCsv(input, options) : createArrayParser(name, options)
  const reader = await openInput(input, createReadBuffers(CHUNK_BYTES), options.signal, from?.byte)
  try {
    let isFirst = from === undefined
    for (let chunk = await reader.next(); chunk !== undefined; chunk = await reader.next()) {
      options.signal.throwIfAborted()
      if (isFirst) recognizeInput(name, chunk, form)
      isFirst = false
      const records = await parser.push(chunk)
      if (records.length > 0) yield records
    }
    const records = await parser.finish()
    if (records.length > 0) yield records
  } finally {
    await reader.close()
  }
}

interface RecordParser {
  readonly push: (chunk: Buffer) => Promise<readonly ReadRecord[]>
  readonly finish: () => Promise<readonly ReadRecord[]>
}

function createArrayParser(input: string | undefined, { pick, maxRecordBytes }: ReadRecordsOptions): RecordParser {
  const read = createElementReader({ ...(input === undefined ? {} : { input }), pick, maxRecordBytes })
  let index = 0
  const number = (elements: ReturnType<typeof read.push>): readonly ReadRecord[] =>
    elements.map(({ bytes, rejection }) => ({
      bytes,
      rejection,
      index: index++,
      line: undefined,
      byte: 0,
      end: undefined,
      size: bytes.length + 1
    }))
  return {
    push: (chunk) => Promise.resolve(number(read.push(chunk))),
    finish: () => Promise.resolve(number(read.finish()))
  }
}

async function openCsv(input: string | Readable, options: ReadRecordsOptions): Promise<RecordParser> {
  const { from, maxRecordBytes } = options
  const maxBytes = maxRecordBytesOf({ maxRecordBytes })
  const named = typeof input === 'string' ? { input } : {}
  const common: CsvParserOptions = {
    delimiter: toDelimiter(options.delimiter),
    maxPendingBytes: pendingBytesOf(maxBytes),
    explain: (line, what) => new KeystampError('INPUT_INVALID', `${describePosition({ ...named, line })}: ${what}`)
  }
  const header = from === undefined ? undefined : await readHeader(input, createCsvParser(common), options.signal)
  const parser = createCsvParser(header === undefined ? common : { ...common, from: { ...from!, header } })
  let index = from?.index ?? 0
  return {
    push: async (chunk) => toRecords(await parser.push(chunk)),
    finish: async () => toRecords(await parser.finish())
  }

  function toRecords(batch: Awaited<ReturnType<CsvParser['push']>>): readonly ReadRecord[] {
    const { bytes, records } = batch
    const columns = parser.header()?.names.length ?? 0
    return records.map((record) => ({
      bytes: bytes.subarray(record.start, record.end),
      rejection: refusalOf(batch, record, columns, maxBytes),
      index: index++,
      line: record.line,
      byte: record.byte,
      end: record.endByte,
      size: record.size
    }))
  }
}

async function readHeader(
  input: string | Readable,
  parser: CsvParser,
  signal: AbortSignal
): Promise<ReturnType<CsvParser['header']>> {
  const reader = await openInput(input, createReadBuffers(CHUNK_BYTES), signal)
  try {
    for (
      let chunk = await reader.next();
      chunk !== undefined && parser.header() === undefined;
      chunk = await reader.next()
    ) {
      await parser.push(chunk)
    }
    return parser.header()
  } finally {
    await reader.close()
  }
}
