import { Writable } from 'node:stream'
import { KeystampError } from '@keystamp/core'
import type { Outcome, Rejected } from '../classify/outcome.ts'
import { LineSplitter } from './line-splitter.ts'
import type { DocumentSource, Operation } from './operation.ts'
import { operationFor, type WriteStrategy } from './strategies.ts'
import type { Writer } from './writer.ts'

/** How a stream writes. */
export interface WritableOptions {
  /** What to do with each record. Default: `overwrite`. */
  readonly strategy?: WriteStrategy
  /** The operation for each record, where no strategy says it. */
  readonly operation?: (record: DocumentSource) => Operation
  /** Told of each record that was rejected. Default: the stream ends with the first one as its error. */
  readonly onRejected?: (rejected: Rejected, record: DocumentSource) => void
  /** Told of each outcome. */
  readonly onOutcome?: (outcome: Outcome, record: DocumentSource) => void
}

/** Takes objects, arrays of objects, or bytes of lines of JSON; waits while there is no room, and ends when all have their outcome. */
export function createWritable(writer: Pick<Writer, 'submit' | 'hasRoom' | 'room' | 'flush'>, options: WritableOptions = {}): Writable {
  const { strategy = 'overwrite', onRejected, onOutcome } = options
  const operationOf = options.operation ?? ((record: DocumentSource) => operationFor(strategy, record))
  const lines = new LineSplitter()
  let failure: Error | undefined

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
    await writeAll(lines.rest().map((bytes) => ({ bytes })))
    await writer.flush()
  }

  async function writeAll(records: Iterable<DocumentSource>): Promise<void> {
    for (const record of records) {
      if (failure !== undefined) return
      writer.submit(operationOf(record), (outcome) => heard(outcome, record))
      // oxlint-disable-next-line no-await-in-loop -- waiting for room is the point
      if (!writer.hasRoom()) await writer.room()
    }
  }

  function heard(outcome: Outcome | Error, record: DocumentSource): void {
    try {
      if (outcome instanceof Error) throw outcome
      onOutcome?.(outcome, record)
      if (outcome.kind !== 'rejected') return
      if (onRejected === undefined) throw new KeystampError('RECORD_REJECTED', outcome.message)
      onRejected(outcome, record)
    } catch (error) {
      failure ??= error as Error
      stream.destroy(failure)
    }
  }

  function* recordsIn(chunk: unknown, encoding: BufferEncoding): Generator<DocumentSource> {
    if (chunk instanceof Uint8Array || typeof chunk === 'string') {
      for (const bytes of lines.split(typeof chunk === 'string' ? Buffer.from(chunk, encoding) : chunk)) yield { bytes }
    } else if (Array.isArray(chunk)) for (const record of chunk) yield { record: record as object }
    else yield { record: chunk as object }
  }
}
