import { createSettledPrefix, type Position, RECORD_CODES, type Rejection, toPosition } from '@keystamp/core'
import type { DocumentSource, Operation, Rejected, Writer } from '@keystamp/cosmos'
import { ID_CHOICE } from './make-id.ts'
import type { Place } from './place.ts'
import type { ReadLines } from './read-ahead.ts'
import type { Line } from './read-lines.ts'
import type { RejectedLine } from './reject-file.ts'
import type { ShapeLine } from './shape-line.ts'
import { withoutMark } from './without-mark.ts'
import { untilAborted } from '../until-aborted.ts'

/** What a load is made of. */
export interface LoadOptions {
  readonly inputs: readonly string[]
  readonly begin: Place
  readonly read: ReadLines
  readonly shape: ShapeLine
  /** How the records of an input are counted where one is named. */
  readonly unitOf: (input: string) => 'line' | 'index'
  readonly toOperation: (source: DocumentSource) => Operation
  readonly writer: Pick<Writer, 'submit' | 'hasRoom' | 'room' | 'flush'>
  /** Resolves when the record's copy is safe; rejects to stop the load. */
  readonly onRejected: (rejected: RejectedLine) => Promise<void>
  readonly signal: AbortSignal
}

/** What was done so far. */
export interface LoadCounts {
  records: number
  written: number
  unchanged: number
  rejected: number
  /** Of the lines that have their outcome. */
  bytes: number
}

/** A load under way. */
export interface Load {
  /** Resolves when every record has its outcome, or the signal ended it; rejects with what stopped it. */
  readonly run: () => Promise<void>
  /** Everything before is settled. */
  readonly place: () => Place
  readonly counts: Readonly<LoadCounts>
  /** Ends it for a reason from outside. */
  readonly stop: (error: unknown) => void
  /** What stopped it; undefined while nothing did. */
  readonly failure: () => Error | undefined
}

/** Writes the lines of all inputs in order, with as many under way as the writer has room for. */
export function createLoad(options: LoadOptions): Load {
  const { inputs, begin, read, shape, unitOf, toOperation, writer, onRejected, signal } = options
  const counts: LoadCounts = { records: 0, written: 0, unchanged: 0, rejected: 0, bytes: 0 }
  const prefix = createSettledPrefix({ first: toPosition(0) })
  const rejecting = new Set<Promise<void>>()
  // where the lines of each piece stand; those that are settled are forgotten
  const marks: Mark[] = []
  let position = 0
  let failure: Error | undefined

  async function run(): Promise<void> {
    // whoever ends a load waits for no room
    await Promise.race([writeInputs().catch(stop), untilAborted(signal)])
    if (!signal.aborted) await writer.flush().catch(stop)
    await Promise.allSettled(rejecting)
    if (failure !== undefined) throw failure
  }

  async function writeInputs(): Promise<void> {
    // oxlint-disable-next-line no-await-in-loop -- one input after the other
    for (let input = begin.input; input < inputs.length && !isOver(); input++) await writeInput(input)
  }

  async function writeInput(input: number): Promise<void> {
    const from = input === begin.input ? begin.from : { line: 0, byte: 0 }
    const skip = input === begin.input ? begin.line : 0
    for await (const lines of read(inputs[input], from)) {
      const wanted = lines[0].line >= skip ? lines : skipLines(lines, skip)
      forgetSettled()
      if (wanted.length > 0) marks.push({ position, input, from: placeOf(wanted[0]), bytes: boundsOf(wanted) })
      for (const line of wanted) {
        if (isOver()) return
        writeLine(input, line)
        position += 1
        // oxlint-disable-next-line no-await-in-loop -- waiting for room is the point
        if (!writer.hasRoom()) await writer.room()
      }
    }
  }

  function writeLine(input: number, line: Line): void {
    if (isBlank(line)) return line.piece.release()
    const at = toPosition(position)
    prefix.open(at)
    counts.records += 1
    const record = line.bytes === undefined ? undefined : withoutMark(line.bytes, line.line)
    const shaped = line.rejection ?? (record === undefined ? TOO_LONG : shape(record, inputs[input], numberOf(line) - 1))
    if ('ok' in shaped) return settleRejected(at, input, line, shaped)
    writer.submit(toOperation(shaped), (outcome) => {
      if (outcome instanceof Error) return stop(outcome, line)
      if (outcome.kind === 'rejected') return settleRejected(at, input, line, outcome)
      counts[outcome.kind] += 1
      settle(at, line)
    })
  }

  // its copy first: a record is settled when it cannot be lost any more
  function settleRejected(at: Position, input: number, line: Line, reason: Rejection | Rejected): void {
    const copying = settleOnceCopied(at, line, onRejected(toRejectedLine(inputs[input], unitOf(inputs[input]), line, reason)))
    rejecting.add(copying)
    void copying.finally(() => rejecting.delete(copying))
  }

  async function settleOnceCopied(at: Position, line: Line, copied: Promise<void>): Promise<void> {
    try {
      await copied
      counts.rejected += 1
      settle(at, line)
    } catch (error) {
      stop(error, line)
    }
  }

  function settle(at: Position, line: Line): void {
    counts.bytes += lengthOf(line)
    prefix.settle(at)
    line.piece.release()
  }

  // what an interruption leaves without an outcome is written again when the load is resumed
  function stop(error: unknown, line?: Line): void {
    if (!signal.aborted) failure ??= error as Error
    // whoever reads may be waiting for it
    line?.piece.release()
  }

  function isOver(): boolean {
    return signal.aborted || failure !== undefined
  }

  function place(): Place {
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

  return { run, place, counts, stop, failure: () => failure }
}

/** Lines that were read together. */
interface Mark {
  readonly position: number
  readonly input: number
  readonly from: Place['from']
  /** Where each of the lines begins, and where the last one ends. */
  readonly bytes: readonly number[]
}

function boundsOf(lines: readonly Line[]): readonly number[] {
  const bounds = lines.map(({ byte }) => byte)
  const { byte, bytes, end } = lines[lines.length - 1]
  bounds.push(end ?? byte + (bytes?.length ?? 0) + 1)
  return bounds
}

function skipLines(lines: readonly Line[], skip: number): readonly Line[] {
  for (const { line, piece } of lines) if (line < skip) piece.release()
  return lines.filter(({ line }) => line >= skip)
}

const TOO_LONG: Rejection = { ok: false, code: 'JSON_TOO_LARGE', path: '', at: undefined, message: RECORD_CODES.JSON_TOO_LARGE.sentence }

function placeOf({ line, byte, textLine }: Line): Place['from'] {
  return { line, byte, ...(textLine === undefined ? {} : { textLine }) }
}

/** As people count: from 1 on, and by the lines of the text where those differ from the records. */
function numberOf({ line, textLine }: Line): number {
  return textLine ?? line + 1
}

function toRejectedLine(input: string, unit: 'line' | 'index', line: Line, reason: Rejection | Rejected): RejectedLine {
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

function lengthOf({ bytes, size }: Line): number {
  return size ?? (bytes?.length ?? 0) + 1
}

function isBlank({ bytes, line, rejection }: Line): boolean {
  if (bytes === undefined || bytes.length > 64 || rejection !== undefined) return false
  return withoutMark(bytes, line).toString().trim() === ''
}
