import { isUtf8 } from 'node:buffer'
import { KeystampError, RECORD_CODES } from '@keystamp/core'
import type { RejectOptions } from '@keystamp/stream'
import {
  type Allocate,
  allocateFresh,
  createCounts,
  createRejector,
  describePosition,
  ElementOutput,
  type FileStage,
  type KeyStamper,
  maxRecordBytesOf,
  type Refusal,
  tooLarge
} from '@keystamp/stream/internal'
import { NOT_UTF8, toDelimiter } from './csv-header.ts'
import { type CsvBatch, type CsvRecord, createCsvParser } from './csv-parser.ts'

export interface CsvStageOptions extends RejectOptions<string> {
  readonly delimiter?: string | undefined
  readonly to?: 'lines' | 'array' | undefined
  readonly maxRecordBytes?: number | undefined
}

/** Creates a stage that stamps the records of CSV: each becomes an object of strings with a key. */
export function createCsvStage(
  stamper: KeyStamper,
  options: CsvStageOptions,
  allocate: Allocate = allocateFresh
): FileStage {
  const maxBytes = maxRecordBytesOf(options)
  const delimiter = toDelimiter(options.delimiter)
  const counts = createCounts()
  const rejector = createRejector(options, counts)
  const output = new ElementOutput(options.to ?? 'lines', allocate)
  let input: { readonly input?: string } = {}
  let parser = createParser()

  return { push, startInput, endInput, finish, take, counts }

  async function push(chunk: Buffer): Promise<void> {
    counts.bytesIn += chunk.length
    stampAll(await parser.push(chunk))
  }

  function startInput(name: string): void {
    input = { input: name }
  }

  async function endInput(): Promise<void> {
    stampAll(await parser.finish())
    parser = createParser()
  }

  function createParser(): ReturnType<typeof createCsvParser> {
    return createCsvParser({
      delimiter,
      maxPendingBytes: pendingBytesOf(maxBytes),
      explain: (line, what) => new KeystampError('INPUT_INVALID', `${describePosition({ ...input, line })}: ${what}`)
    })
  }

  function stampAll(batch: CsvBatch): void {
    const { bytes, records } = batch
    if (records.length === 0) return
    const offset = output.load(NOTHING, 0, bytes)
    const columns = parser.header()?.names.length ?? 0
    for (const record of records) {
      const start = offset + record.start
      const end = offset + record.end
      counts.records++
      const stamped = refusalOf(batch, record, columns, maxBytes) ?? stamper.stampBytes(output.bytes, start, end)
      if (stamped.ok) output.addElement(stamped)
      else
        rejector.reject(stamped, { ...input, line: record.line, byte: record.byte }, () =>
          output.bytes.toString('utf8', start, end)
        )
    }
  }

  function finish(): void {
    rejector.finish()
    output.finish()
  }

  function take(): Buffer {
    const taken = output.take()
    counts.bytesOut += taken.length
    return taken
  }
}

/**
 * Returns the reason to reject a record of CSV; undefined if it is well-formed. Does not check values against the plan.
 */
export function refusalOf(batch: CsvBatch, record: CsvRecord, expected: number, maxBytes: number): Refusal | undefined {
  const { start, end, columns } = record
  if (end - start > maxBytes) return tooLarge(maxBytes)
  if (!batch.isUtf8 && !isUtf8(batch.bytes.subarray(start, end))) {
    return { ok: false, code: 'JSON_INVALID', path: '', at: undefined, message: `The record is ${NOT_UTF8}` }
  }
  if (columns === expected) return undefined
  const message = `${RECORD_CODES.CSV_COLUMNS.sentence.replace(/\.$/, '')}: ${columns} instead of ${expected}.`
  return { ok: false, code: 'CSV_COLUMNS', path: '', at: undefined, message }
}

/**
 * Maximum number of bytes of an incomplete record. Without a limit, a missing quote would make the parser keep the
 * whole input in memory.
 */
export function pendingBytesOf(maxRecordBytes: number): number {
  return Math.max(maxRecordBytes, MIN_PENDING_BYTES)
}

const MIN_PENDING_BYTES = 16 * 1024 * 1024
const NOTHING = Buffer.alloc(0)
