import { createSettledPrefix, type Position, RECORD_CODES, type Rejection, toPosition } from '@keystamp/core'
import { withoutByteOrderMark } from '@keystamp/core/internal'
import type { Rejected, Writer } from '@keystamp/cosmos'
import type { InputLine, InputPosition, RejectedLine } from '@keystamp/files/internal'
import type { ToOperation } from './shape-record.ts'

/** Dependencies of `writeRecords`. */
interface WriteRecordsOptions {
  readonly inputs: readonly string[]
  readonly begin: InputPosition
  readonly read: ReadLines
  readonly toOperation: ToOperation
  /** Tells whether messages name a record of the input by its line or by its index. */
  readonly unitOf: (input: string) => 'line' | 'index'
  readonly writer: Pick<Writer, 'submit' | 'hasRoom' | 'room' | 'flush'>
  /** Resolves when the record's copy is stored; rejects to stop the load. */
  readonly onRejected: (rejected: RejectedLine) => Promise<void>
  readonly signal: AbortSignal
}

/** Counts of a load so far. */
export interface LoadCounts {
  records: number
  written: number
  unchanged: number
  rejected: number
  /** Bytes of the lines that have their outcome. */
  bytes: number
}

/** A running load. */
export interface RecordWriting {
  /**
   * Resolves when every record has its outcome, or when the signal aborts; rejects with the error that stopped the
   * load.
   */
  readonly run: () => Promise<void>
  /** Returns the position before which every record has its outcome. */
  readonly position: () => InputPosition
  readonly counts: Readonly<LoadCounts>
  /** Stops the load with an error from outside. */
  readonly stop: (error: unknown) => void
  /** Returns the first error that stopped the load; undefined if there is none. */
  readonly failure: () => Error | undefined
}

/** Writes the lines of all inputs in order. Submits records while the writer has room. */
export function writeRecords(options: WriteRecordsOptions): RecordWriting {
  const { inputs, begin, read, unitOf, toOperation, writer, onRejected, signal } = options
  const counts: LoadCounts = { records: 0, written: 0, unchanged: 0, rejected: 0, bytes: 0 }
  const prefix = createSettledPrefix({ first: toPosition(0) })
  const rejecting = new Set<Promise<void>>()
  // a mark for the lines of each batch, until all these lines are settled
  const marks: Mark[] = []
  let position = 0
  let failure: Error | undefined

  async function run(): Promise<void> {
    // an abort does not wait for room in the writer
    await Promise.race([writeInputs().catch(stop), whenAborted(signal)])
    if (!signal.aborted) await writer.flush().catch(stop)
    await Promise.allSettled(rejecting)
    if (failure !== undefined) throw failure
  }

  async function writeInputs(): Promise<void> {
    for (let input = begin.input; input < inputs.length && !isOver(); input++) await writeInput(input)
  }

  async function writeInput(input: number): Promise<void> {
    const from = input === begin.input ? begin.from : { line: 0, byte: 0 }
    const skip = input === begin.input ? begin.line : 0
    for await (const lines of read(inputs[input], from)) {
      const wanted = lines[0].line >= skip ? lines : skipLines(lines, skip)
      forgetSettled()
      if (wanted.length > 0) marks.push({ position, input, from: startOf(wanted[0]), bytes: boundsOf(wanted) })
      for (const line of wanted) {
        if (isOver()) return
        writeLine(input, line)
        position += 1
        if (!writer.hasRoom()) await writer.room()
      }
    }
  }

  function writeLine(input: number, line: InputLine): void {
    if (isBlank(line)) return line.piece.release()
    const at = toPosition(position)
    prefix.open(at)
    counts.records += 1
    const record = line.bytes === undefined ? undefined : recordOf(line.bytes, line.line)
    const made =
      line.rejection ?? (record === undefined ? TOO_LONG : toOperation(record, inputs[input], numberOf(line) - 1))
    if (made === 'ignore') {
      counts.unchanged += 1
      return settle(at, line)
    }
    if ('ok' in made) return settleRejected(at, input, line, made)
    writer.submit(made, (outcome) => {
      if (outcome instanceof Error) return stop(outcome, line)
      if (outcome.kind === 'rejected') return settleRejected(at, input, line, outcome)
      counts[outcome.kind] += 1
      settle(at, line)
    })
  }

  // settles the record only after its copy is stored: a settled record must not be lost
  function settleRejected(at: Position, input: number, line: InputLine, reason: Rejection | Rejected): void {
    const copying = settleOnceCopied(
      at,
      line,
      onRejected(toRejectedLine(inputs[input], unitOf(inputs[input]), line, reason))
    )
    rejecting.add(copying)
    void copying.finally(() => rejecting.delete(copying))
  }

  async function settleOnceCopied(at: Position, line: InputLine, copied: Promise<void>): Promise<void> {
    try {
      await copied
      counts.rejected += 1
      settle(at, line)
    } catch (error) {
      stop(error, line)
    }
  }

  function settle(at: Position, line: InputLine): void {
    counts.bytes += lengthOf(line)
    prefix.settle(at)
    line.piece.release()
  }

  // records without an outcome after an abort are written again when the load is resumed
  function stop(error: unknown, line?: InputLine): void {
    if (!signal.aborted) failure ??= error as Error
    // the reader may wait for this piece
    line?.piece.release()
  }

  function isOver(): boolean {
    return signal.aborted || failure !== undefined
  }

  function settledPosition(): InputPosition {
    const settled: number = forgetSettled()
    if (marks.length === 0) return begin
    const [mark] = marks
    const lines = settled - mark.position
    return { input: mark.input, line: mark.from.line + lines, from: mark.from, byte: mark.bytes[lines] }
  }

  function forgetSettled(): number {
    const settled: number = prefix.committable
    while (marks.length > 1 && marks[1].position <= settled) marks.shift()
    return settled
  }

  return { run, position: settledPosition, counts, stop, failure: () => failure }
}

/** Lines that were read in one batch. */
interface Mark {
  readonly position: number
  readonly input: number
  readonly from: InputPosition['from']
  /** First byte of each line, and the byte after the last line. */
  readonly bytes: readonly number[]
}

/** Returns the record of a line. Removes a byte order mark from the first line. */
export function recordOf(bytes: Buffer, line: number): Buffer {
  return line === 0 ? withoutByteOrderMark(bytes) : bytes
}

/** Added to the message for a record without an id if the option `id` is not set. */
const ID_CHOICE =
  'Set a source of ids: `id: "field:/name"` uses a field of the record and converts numbers; `id: "hash"` uses the content of the record, so equal records become one document; ' +
  '`id: "position"` uses its file and line, so a file must not change between runs. Or define ids in the plan.'

function whenAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}

function boundsOf(lines: readonly InputLine[]): readonly number[] {
  const bounds = lines.map(({ byte }) => byte)
  const { byte, bytes, end } = lines[lines.length - 1]
  bounds.push(end ?? byte + (bytes?.length ?? 0) + 1)
  return bounds
}

function skipLines(lines: readonly InputLine[], skip: number): readonly InputLine[] {
  for (const { line, piece } of lines) if (line < skip) piece.release()
  return lines.filter(({ line }) => line >= skip)
}

const TOO_LONG: Rejection = {
  ok: false,
  code: 'JSON_TOO_LARGE',
  path: '',
  at: undefined,
  message: RECORD_CODES.JSON_TOO_LARGE.sentence
}

function startOf({ line, byte, textLine }: InputLine): InputPosition['from'] {
  return { line, byte, ...(textLine === undefined ? {} : { textLine }) }
}

/** Line number, starting at 1; for a record of CSV, the line on which the record begins. */
function numberOf({ line, textLine }: InputLine): number {
  return textLine ?? line + 1
}

function toRejectedLine(
  input: string,
  unit: 'line' | 'index',
  line: InputLine,
  reason: Rejection | Rejected
): RejectedLine {
  const { code, message, path } = reason
  const status = 'status' in reason ? reason.status : undefined
  const subStatus = 'subStatus' in reason ? reason.subStatus : undefined
  return {
    input,
    [unit]: unit === 'line' ? numberOf(line) : line.line,
    code,
    message: code === 'ID_MISSING' ? `${message} ${ID_CHOICE}` : message,
    ...(path === undefined || path === '' ? {} : { path }),
    ...(status === undefined ? {} : { status }),
    ...(subStatus === undefined ? {} : { subStatus }),
    record: line.bytes?.toString() ?? ''
  }
}

function lengthOf({ bytes, size }: InputLine): number {
  return size ?? (bytes?.length ?? 0) + 1
}

function isBlank({ bytes, line, rejection }: InputLine): boolean {
  if (bytes === undefined || bytes.length > 64 || rejection !== undefined) return false
  return recordOf(bytes, line).toString().trim() === ''
}

/** Reads the records of an input in batches, starting at `from`. */
export type ReadLines = (input: string, from: InputPosition['from']) => AsyncIterable<readonly InputLine[]>

/** An input that is read before its records are requested. */
interface ReadAhead {
  /** Like the function `read` that was passed in; for the first input, it returns the records that were read ahead. */
  readonly read: ReadLines
  /** Closes the input if its records were not requested. */
  readonly close: () => void
}

/**
 * Begins to read an input while the container is opened. Reports a failure only when the records are requested. Does
 * not read standard input ahead, because bytes read from it cannot be put back.
 */
export function readAhead(read: ReadLines, input: string | undefined, from: InputPosition['from']): ReadAhead {
  if (input === undefined || input === '-') return { read, close: () => undefined }
  const lines = read(input, from)[Symbol.asyncIterator]()
  const first = lines.next()
  first.catch(() => undefined)
  let isRequested = false
  return {
    read: (name, position) => {
      if (isRequested || name !== input || position !== from) return read(name, position)
      isRequested = true
      return continueWith(first, lines)
    },
    close: () => {
      // if the first read failed, the input is already closed
      if (!isRequested) void lines.return?.().catch(() => undefined)
    }
  }
}

async function* continueWith(
  first: Promise<IteratorResult<readonly InputLine[], unknown>>,
  lines: AsyncIterator<readonly InputLine[], unknown>
): AsyncGenerator<readonly InputLine[]> {
  try {
    for (let next = await first; next.done !== true; next = await lines.next()) yield next.value
  } finally {
    await lines.return?.()
  }
}
