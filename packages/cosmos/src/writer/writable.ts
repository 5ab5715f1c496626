import { Writable } from 'node:stream'
import { KeystampError } from '@keystamp/core'
import { checkOptionNames, NEWLINE, readProperty } from '@keystamp/core/internal'
import type { Outcome, Rejected } from '../dispatch/outcome.ts'
import type { DocumentSource, Operation } from './operation.ts'
import type { Writer } from './writer.ts'

/** Options of a writable stream. */
export interface WritableOptions {
  /** Strategy for all records. Default: `overwrite`. */
  readonly strategy?: WriteStrategy
  /** Returns the operation for each record; instead of `strategy`. */
  readonly operation?: (record: DocumentSource) => Operation
  /** Called for each rejected record. Default: the first rejected record ends the stream with an error. */
  readonly onRejected?: (rejected: Rejected, record: DocumentSource, position: RecordPosition) => void
  /** Called for each outcome. */
  readonly onOutcome?: (outcome: Outcome, record: DocumentSource, position: RecordPosition) => void
}

/** Position of a record in a stream: its line, starting at 1; or its index among the objects, starting at 0. */
export type RecordPosition = { readonly line: number } | { readonly index: number }

/**
 * Creates a stream that accepts objects, arrays of objects, or lines of JSON as bytes. It waits while the byte budget
 * is used up, and ends when all records have their outcome.
 */
export function createWritable(
  writer: Pick<Writer, 'submit' | 'hasRoom' | 'room' | 'flush'>,
  options: WritableOptions = {}
): Writable {
  checkWritableOptions(options)
  const { strategy = 'overwrite', onRejected, onOutcome } = options
  const operationOf = options.operation ?? ((record: DocumentSource) => operationFor(strategy, record))
  const lines = new LineSplitter()
  let failure: Error | undefined
  let objects = 0

  const stream = new Writable({
    objectMode: true,
    highWaterMark: 16,
    write: (chunk: unknown, encoding, done) => void run(writeAll(recordsIn(chunk, encoding)), done),
    final: (done) => void run(finish(), done)
  })
  return stream

  async function run(work: Promise<void>, done: (error?: Error | null) => void): Promise<void> {
    try {
      await work
      done(failure)
    } catch (error) {
      done(error as Error)
    }
  }

  async function finish(): Promise<void> {
    await writeAll(lines.rest().map(fromLine))
    await writer.flush()
  }

  async function writeAll(records: Iterable<Given>): Promise<void> {
    for (const { record, position } of records) {
      if (failure !== undefined) return
      writer.submit(operationOf(record), (outcome) => settle(outcome, record, position))
      if (!writer.hasRoom()) await writer.room()
    }
  }

  function settle(outcome: Outcome | Error, record: DocumentSource, position: RecordPosition): void {
    try {
      if (outcome instanceof Error) throw outcome
      // the function `operation` made the mistake, so this is not a rejected record
      if (options.operation !== undefined && outcome.kind === 'rejected' && outcome.code === 'OPERATION_INVALID') {
        throw new KeystampError('OPERATION_INVALID', `${positionText(position)}: ${outcome.message}`)
      }
      onOutcome?.(outcome, record, position)
      if (outcome.kind !== 'rejected') return
      if (onRejected === undefined)
        throw new KeystampError('RECORD_REJECTED', `${positionText(position)}: ${outcome.message}`)
      onRejected(outcome, record, position)
    } catch (error) {
      failure ??= error as Error
      stream.destroy(failure)
    }
  }

  function* recordsIn(chunk: unknown, encoding: BufferEncoding): Generator<Given> {
    if (chunk instanceof Uint8Array || typeof chunk === 'string') {
      for (const line of lines.split(typeof chunk === 'string' ? Buffer.from(chunk, encoding) : chunk))
        yield fromLine(line)
    } else
      for (const record of Array.isArray(chunk) ? chunk : [chunk])
        yield { record: { record: record as object }, position: { index: objects++ } }
  }
}

interface Given {
  readonly record: DocumentSource
  readonly position: RecordPosition
}

function fromLine({ bytes, line }: Line): Given {
  return { record: { bytes }, position: { line } }
}

function positionText(position: RecordPosition): string {
  return 'line' in position ? `Line ${position.line}` : `Record ${position.index}`
}

const KNOWN = ['strategy', 'operation', 'onRejected', 'onOutcome']

function checkWritableOptions(options: WritableOptions): void {
  checkOptionNames(options, KNOWN)
  const { strategy, operation } = options
  if (strategy !== undefined && !STRATEGIES.includes(strategy))
    throw invalid(`\`strategy\` must be ${STRATEGIES.join(', ')}.`)
  if (strategy !== undefined && operation !== undefined)
    throw invalid('Set either `strategy` or `operation`: both define the operation for a record.')
  for (const name of ['operation', 'onRejected', 'onOutcome'] as const) {
    if (options[name] !== undefined && typeof options[name] !== 'function')
      throw invalid(`\`${name}\` must be a function.`)
  }
}

function invalid(message: string): KeystampError {
  return new KeystampError('OPTION_INVALID', message)
}

/** A line and its number, starting at 1. */
interface Line {
  readonly bytes: Uint8Array
  readonly line: number
}

/**
 * Splits bytes into lines. Blank lines are counted, but not returned. A line references the input bytes. Throws at a
 * line that is far too long.
 */
export class LineSplitter {
  #begun: Uint8Array[] = []
  #begunBytes = 0
  #line = 0

  /** Returns the lines that end in these bytes. */
  split(bytes: Uint8Array): readonly Line[] {
    const lines: Line[] = []
    let from = 0
    for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, from)) {
      const line = this.#complete(bytes.subarray(from, end))
      from = end + 1
      if (!isBlank(line.bytes)) lines.push(line)
    }
    if (from < bytes.length) this.#begin(bytes.subarray(from))
    return lines
  }

  /** Returns the last line if it has no line feed. */
  rest(): readonly Line[] {
    const line = this.#complete(new Uint8Array())
    return isBlank(line.bytes) ? [] : [line]
  }

  #begin(bytes: Uint8Array): void {
    this.#begun.push(bytes)
    this.#begunBytes += bytes.length
    if (this.#begunBytes <= MAX_LINE_BYTES) return
    throw new KeystampError(
      'RECORD_REJECTED',
      `Line ${this.#line + 1} has no end within ${MAX_LINE_BYTES} bytes, but a document of Cosmos DB has at most 2 MB. Is the input lines of JSON? ` +
        'stampArray of @keystamp/stream converts an array to lines.'
    )
  }

  #complete(end: Uint8Array): Line {
    const whole = this.#begun.length === 0 ? end : Buffer.concat([...this.#begun, end])
    this.#begun = []
    this.#begunBytes = 0
    this.#line += 1
    return { bytes: this.#line === 1 ? withoutMark(whole) : whole, line: this.#line }
  }
}

const MAX_LINE_BYTES = 16 * 1024 * 1024
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf]

// removes the byte order mark of a file
function withoutMark(bytes: Uint8Array): Uint8Array {
  return BYTE_ORDER_MARK.every((byte, index) => bytes[index] === byte) ? bytes.subarray(BYTE_ORDER_MARK.length) : bytes
}

function isBlank(line: Uint8Array): boolean {
  return line.every((byte) => byte === 0x20 || byte === 0x0d || byte === 0x09)
}

/** Strategy for the records of a stream. The names are those of other sinks. */
export type WriteStrategy = (typeof STRATEGIES)[number]

const STRATEGIES: readonly ['overwrite', 'append', 'delete', 'deleteIfNotModified', 'overwriteIfNotModified'] = [
  'overwrite',
  'append',
  'delete',
  'deleteIfNotModified',
  'overwriteIfNotModified'
]

/**
 * Returns the operation that a strategy makes of a record. The two strategies with `IfNotModified` use the record's
 * `_etag`.
 */
export function operationFor(strategy: WriteStrategy, document: DocumentSource): Operation {
  switch (strategy) {
    case 'overwrite':
      return { ...document, kind: 'upsert' }
    case 'append':
      return { ...document, kind: 'create', ignore: [409] }
    case 'delete':
      return { ...document, kind: 'delete', ignore: [404] }
    case 'deleteIfNotModified':
      return { ...document, kind: 'delete', ignore: [404, 412], ifMatch: conditionOf(document).ifMatch ?? NO_ETAG }
    case 'overwriteIfNotModified': {
      const condition = conditionOf(document)
      if (condition.ifMatch === undefined) return { ...document, kind: 'create', ignore: [409] }
      return { ...document, kind: 'replace', ignore: [404, 409, 412], ...condition }
    }
    default:
      throw new KeystampError('OPTION_INVALID', `The strategy must be ${STRATEGIES.join(', ')}.`)
  }
}

/** The writer rejects an operation with an empty ETag. Without any ETag, the delete would be unconditional. */
const NO_ETAG = ''

function conditionOf(document: DocumentSource): { readonly ifMatch?: string } {
  const etag = etagOf(document)
  return typeof etag === 'string' && etag !== '' ? { ifMatch: etag } : {}
}

function etagOf({ record, bytes, stamped }: DocumentSource): unknown {
  if (record !== undefined) return (record as Record<string, unknown>)['_etag']
  if (stamped !== undefined) return readProperty(stamped, '_etag')
  // these bytes are parsed, because no plan has scanned them; this is rare
  return bytes === undefined ? undefined : etagOfText(Buffer.from(bytes).toString())
}

function etagOfText(text: string): unknown {
  try {
    return (JSON.parse(text) as Record<string, unknown> | null)?.['_etag']
  } catch {
    // the writer rejects invalid JSON later
    return undefined
  }
}
