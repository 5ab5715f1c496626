import { createHash } from 'node:crypto'
import { KeystampError } from '@keystamp/core'
import { type InputLine, openRejectFile, readInput, type RejectedLine } from '@keystamp/files/internal'
import { suggestField } from '@keystamp/core/internal'
import type { IdSource } from './record-id.ts'

/** A number of records, or a percentage of the records read. */
export type MaxRejected = number | `${number}%`

/** Options for rejected records. */
export interface RejectOptions {
  /** `throw` stops the load; `skip` counts the record; `collect` counts the record and writes it to a new file. */
  readonly onError: 'throw' | 'skip' | { readonly collect: string }
  /** Undefined: no limit. */
  readonly maxRejected: MaxRejected | undefined
}

/** The rejected records of one load. */
export interface RejectedRecords {
  /** Resolves when the record may be settled; rejects to stop the load. */
  readonly add: (rejected: RejectedLine, recordsRead: number) => Promise<void>
  /** Throws if more records were rejected than `maxRejected` allows. */
  readonly checkAtEnd: (recordsRead: number) => void
  readonly sync: () => Promise<void>
  readonly close: () => Promise<void>
  readonly byCode: Readonly<Record<string, number>>
  /** Input, line and reason of the first skipped record. */
  readonly firstSkipped: () => string | undefined
}

/** Throws OPTION_INVALID if `max` is neither a number of records nor a percentage. */
export function checkMaxRejected(max: unknown): void {
  if (max === undefined || (typeof max === 'number' && Number.isInteger(max) && max >= 0)) return
  if (typeof max === 'string' && /^\d+(?:\.\d+)?%$/.test(max) && Number(max.slice(0, -1)) <= 100) return
  throw new KeystampError(
    'OPTION_INVALID',
    '`maxRejected` must be a whole number, or a percentage from 0% to 100% such as "1%".'
  )
}

/** Opens the file of rejected records if the options name one. A resumed load appends to it. */
export async function openRejectedRecords(
  { onError, maxRejected }: RejectOptions,
  isResumed: boolean
): Promise<RejectedRecords> {
  const rejects = typeof onError === 'object' ? await openRejectFile(onError.collect, isResumed) : undefined
  const byCode: Record<string, number> = {}
  let count = 0
  let last: RejectedLine | undefined
  let firstSkipped: string | undefined

  async function add(rejected: RejectedLine, recordsRead: number): Promise<void> {
    if (onError === 'throw') throw new KeystampError('RECORD_REJECTED', sentenceOf(rejected) + suggestionFor(rejected))
    count += 1
    last = rejected
    if (typeof maxRejected === 'number' || recordsRead >= MIN_RECORDS_FOR_PERCENTAGE) check(recordsRead)
    if (onError === 'skip') firstSkipped ??= sentenceOf(rejected) + suggestionFor(rejected)
    byCode[rejected.code] = (byCode[rejected.code] ?? 0) + 1
    await rejects?.add(rejected)
  }

  function check(recordsRead: number): void {
    if (maxRejected === undefined || last === undefined || !isOver(maxRejected, count, recordsRead)) return
    throw new KeystampError(
      'REJECTED_TOO_MANY',
      `${excessOf(maxRejected, count, recordsRead)} The last: ${sentenceOf(last)}`
    )
  }

  return {
    add,
    checkAtEnd: check,
    sync: async () => rejects?.sync(),
    close: async () => rejects?.close(),
    byCode,
    firstSkipped: () => firstSkipped
  }
}

// a percentage is not checked earlier, because a few rejected records at the beginning are a high percentage
const MIN_RECORDS_FOR_PERCENTAGE = 1000

function isOver(max: MaxRejected, count: number, recordsRead: number): boolean {
  if (typeof max === 'number') return count > max
  return count * 100 > Number(max.slice(0, -1)) * recordsRead
}

function excessOf(max: MaxRejected, count: number, recordsRead: number): string {
  if (typeof max === 'number') return `More than ${countOf(max)} ${max === 1 ? 'was' : 'were'} rejected.`
  return `${count.toLocaleString('en-US')} of ${countOf(recordsRead)} ${count === 1 ? 'was' : 'were'} rejected; the limit is ${max}.`
}

function suggestionFor({ code, path, record }: RejectedLine): string {
  const meant = code === 'FIELD_MISSING' && path !== undefined ? suggestField(path, record) : undefined
  return meant === undefined ? '' : ` Did you mean ${meant}?`
}

function sentenceOf({ input, line, index, message }: RejectedLine): string {
  const record = index === undefined ? `line ${line}` : `record ${index}`
  return `${input === '-' ? 'Standard input' : input}, ${record}: ${message}`
}

function countOf(count: number): string {
  return `${count.toLocaleString('en-US')} record${count === 1 ? '' : 's'}`
}

/** Why a line is not replayed: it is no rejected record, or it does not have the bytes of the record. */
export type RejectedLineCode = 'DEAD_LETTER_INVALID' | 'PAYLOAD_MISSING'

/** Files that `load` or `stamp` has written. */
interface RejectedInputs {
  readonly inputs: readonly string[]
  readonly id?: IdSource | undefined
  readonly signal: AbortSignal
}

/** A rejected record of a file: its text, and where it was. */
interface RejectedRecord {
  readonly code: string
  readonly record: string
  readonly input: string
  /** Number of the line or the record, starting at 0. */
  readonly index: number
}

interface RefusedLine {
  readonly code: RejectedLineCode
  /** Part of the line that is missing. */
  readonly part: string
}

/** A line of a file of rejected records. */
interface NamedLine {
  /** File and line, as in messages. */
  readonly name: string
  /** Digest that tells the line from all others. */
  readonly mark: string
  readonly line: RejectedRecord | RefusedLine
}

/** Reads files of rejected records. Throws INPUT_UNREADABLE, or OPTION_INVALID for files of something else. */
export async function* readRejectedLines({ inputs, id, signal }: RejectedInputs): AsyncGenerator<NamedLine> {
  const format = { form: 'lines', pick: undefined, delimiter: undefined, maxRecordBytes: MAX_LINE_BYTES } as const
  for (const path of inputs) {
    if (path === '-')
      throw invalid('Rejected records are read twice, so standard input cannot be replayed: name files.')
    const options = { from: { line: 0, byte: 0 }, stdin: process.stdin, signal }
    for await (const lines of readInput(path, format, options)) {
      for (const { bytes, line, piece } of lines) {
        const text = textOf(bytes)
        const mark = createHash('sha256')
          .update(bytes ?? '')
          .digest('hex')
          .slice(0, MARK_LENGTH)
        piece.release()
        if (text === '') continue
        yield { name: `line ${line + 1} of ${path}`, mark, line: readLine(text, path, id === 'position') }
      }
    }
    signal.throwIfAborted()
  }
}

// a record of 8 MiB whose bytes are all escaped
const MAX_LINE_BYTES = 64 << 20
const MARK_LENGTH = 32

/** Undefined if the line is too long. */
function textOf(bytes: InputLine['bytes']): string | undefined {
  return bytes?.toString().trim()
}

function readLine(text: string | undefined, path: string, needsInput: boolean): RejectedRecord | RefusedLine {
  const { code, record, input = '-', line, index, topic } = parse(text)
  if (typeof topic === 'string' && record === undefined)
    throw invalid(
      `${path} has dead letters of a sink, which are replayed with its configuration: keystamp replay --config sink.yaml ${path}`
    )
  const at = typeof line === 'number' ? line - 1 : index
  if (typeof code !== 'string') return missing('code')
  if (typeof record !== 'string') return missing('record')
  if (typeof at !== 'number' || !Number.isSafeInteger(at) || at < 0) return missing('line')
  if (typeof input !== 'string' || (needsInput && input === '-')) return missing('input')
  // the bytes of a record that was no UTF-8 are lost
  if (record === '' || (code === 'JSON_INVALID' && record.includes(REPLACEMENT)))
    return { code: 'PAYLOAD_MISSING', part: 'record' }
  return { code, record, input, index: at }
}

const REPLACEMENT = '\uFFFD'

function missing(field: string): RefusedLine {
  return { code: 'DEAD_LETTER_INVALID', part: `the field ${field}` }
}

function parse(text: string | undefined): Readonly<Record<string, unknown>> {
  try {
    const line: unknown = JSON.parse(text ?? '')
    return typeof line === 'object' && line !== null ? (line as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

function invalid(message: string): KeystampError {
  return new KeystampError('OPTION_INVALID', message)
}
