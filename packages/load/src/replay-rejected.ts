import { KeystampError, type Plan } from '@keystamp/core'
import {
  type AccountOptions,
  createWriter,
  type Outcome,
  type Rejected,
  type Share,
  type Writer
} from '@keystamp/cosmos'
import { withPlanHint } from './load.ts'
import { accountOptionsOf } from './load-options.ts'
import { createIdConverter, createIdMaker, type IdSource } from './record-id.ts'
import { readRejectedLines, type RejectedLineCode } from './rejected-records.ts'
import { createShape, createToOperation, type ToOperation } from './shape-record.ts'

/** Options of `openRejectedReplay`: the container, and files of rejected records. */
export interface RejectedReplayOptions extends AccountOptions {
  /** Files that `load` or `stamp` has written with `onError: { collect: … }`; .gz and .zst are decompressed. */
  readonly inputs: readonly string[]
  /** As in `load`. */
  readonly plan?: Plan | undefined
  /** As in `load`; `position` makes ids of the input and the line in which the record was. */
  readonly id?: IdSource | undefined
  readonly share?: Share
  /**
   * JSON pointer of a field: a record is stored only if the value of this field is higher than in the stored document.
   * Default: a record is stored only if its document does not exist.
   */
  readonly newerBy?: string | undefined
  /** Codes of rejections. Default: all. */
  readonly codes?: readonly string[] | undefined
  /** Whether a record was replayed before, by its mark. */
  readonly isReplayed: (mark: string) => boolean
  readonly signal: AbortSignal
}

/** Numbers of lines that were read. */
export interface RejectedLineCounts {
  read: number
  /** Records with other codes. */
  leftOut: number
  replayedBefore: number
  /** Records that can be replayed, by the code of their rejection. */
  readonly matched: Map<string, number>
  readonly refused: Map<RejectedLineCode, number>
  /** File, line and part of the first one with DEAD_LETTER_INVALID. */
  firstInvalid: string | undefined
}

/** Outcome of a replay. */
export interface RejectedReplayResult {
  /** Records that are stored now, or were stored already. */
  readonly stored: number
  /** Records that were not stored, because the stored document is newer or stays. */
  readonly kept: number
  /** Records that were rejected again, by code, with the first message. */
  readonly rejected: ReadonlyMap<string, number>
  readonly messages: ReadonlyMap<string, string>
  /** Records without an outcome: the signal was aborted. */
  readonly open: number
}

/** Takes the marks of replayed records. */
export interface ReplayMarks {
  /** `name`: file and line. */
  readonly add: (mark: string, name: string) => void
  readonly sync: () => void
}

export interface RejectedReplay {
  readonly counts: Readonly<RejectedLineCounts>
  /** Writes the records that match. Throws if Cosmos DB refuses, a file was changed, or a mark cannot be written. */
  readonly run: (marks: ReplayMarks, onProgress?: (done: number) => void) => Promise<RejectedReplayResult>
}

/**
 * Reads files of rejected records, and counts those that match. Writes nothing before `run`. Throws OPTION_INVALID, or
 * INPUT_UNREADABLE.
 */
export async function openRejectedReplay(options: RejectedReplayOptions): Promise<RejectedReplay> {
  const { plan, id, codes = [], isReplayed } = options
  if (plan?.warnings.some(({ code }) => code === 'RANDOM_SUFFIX') === true)
    throw invalid(
      'Rejected records cannot be replayed with a random suffix: the document of a record may be stored under any suffix. Compute the suffix from a field.'
    )
  const shape = createShape(plan, { make: createIdMaker(id), convert: createIdConverter(id) })
  const toOperation = createToOperation(shape, {
    strategy: options.newerBy === undefined ? 'append' : 'overwrite',
    changeData: undefined
  })
  const counts: RejectedLineCounts = {
    read: 0,
    leftOut: 0,
    replayedBefore: 0,
    matched: new Map(),
    refused: new Map(),
    firstInvalid: undefined
  }
  const marks = new Set<string>()
  for await (const { name, mark, line } of readRejectedLines(options)) {
    counts.read++
    if ('part' in line) {
      countIn(counts.refused, line.code)
      if (line.code === 'DEAD_LETTER_INVALID') counts.firstInvalid ??= `${name}: ${line.part}`
    } else if (codes.length > 0 && !codes.includes(line.code)) counts.leftOut++
    else if (isReplayed(mark) || marks.has(mark)) counts.replayedBefore++
    else {
      marks.add(mark)
      countIn(counts.matched, line.code)
    }
  }
  return { counts, run: (journal, onProgress) => new RejectedRun(options, toOperation, marks, journal).run(onProgress) }
}

/** Writes rejected records with the mapper and the writer of a load, and marks each outcome. */
class RejectedRun {
  readonly #options: RejectedReplayOptions
  readonly #toOperation: ToOperation
  readonly #wanted: ReadonlySet<string>
  readonly #marks: ReplayMarks
  readonly #counts = { written: 0, unchanged: 0 }
  readonly #rejected: Map<string, number> = new Map()
  readonly #messages: Map<string, string> = new Map()
  /** Aborted by a failure or an interruption. */
  readonly #ending: AbortController = new AbortController()
  #failure: Error | undefined
  #done = 0

  constructor(
    options: RejectedReplayOptions,
    toOperation: ToOperation,
    wanted: ReadonlySet<string>,
    marks: ReplayMarks
  ) {
    this.#options = options
    this.#toOperation = toOperation
    this.#wanted = wanted
    this.#marks = marks
  }

  async run(onProgress?: (done: number) => void): Promise<RejectedReplayResult> {
    const { signal } = this.#options
    const end = (): void => this.#ending.abort()
    signal.addEventListener('abort', end)
    if (signal.aborted) end()
    const timer = setInterval(() => {
      onProgress?.(this.#done)
      // a killed process replays at most the records of a second again
      this.#sync()
    }, EVERY_MS)
    const isEnding = new Promise<void>((resolve) =>
      this.#ending.signal.addEventListener('abort', () => resolve(), { once: true })
    )
    let writer: Writer | undefined
    try {
      if (!signal.aborted) {
        writer = await openWriter(this.#options)
        await Promise.race([this.#write(writer), isEnding])
      }
    } catch (error) {
      this.#fail(error as Error)
    } finally {
      clearInterval(timer)
      signal.removeEventListener('abort', end)
      // operations that are not sent yet get an error
      await writer?.close(CLOSE_MS).catch(() => {})
      // after a failure, too: a second run then skips the records that are stored
      this.#sync()
    }
    if (this.#failure !== undefined && !signal.aborted) throw this.#failure
    return this.#result(writer)
  }

  async #write(writer: Writer): Promise<void> {
    const wanted = new Set(this.#wanted)
    for await (const { name, mark, line } of readRejectedLines(this.#options)) {
      if (this.#ending.signal.aborted) return
      if ('part' in line || !wanted.delete(mark)) continue
      const operation = this.#toOperation(Buffer.from(line.record), line.input, line.index)
      if (operation === 'ignore') continue
      if ('ok' in operation) this.#reject(operation)
      else writer.submit(operation, (outcome) => this.#answered(mark, name, outcome))
      if (!writer.hasRoom()) await writer.room()
    }
    await writer.flush()
    if (wanted.size === 0) return
    throw new KeystampError(
      'INPUT_UNREADABLE',
      `${wanted.size} rejected records are not in the files any more, which were changed while they were replayed.`
    )
  }

  #answered(mark: string, name: string, outcome: Outcome | Error): void {
    // operations that are withdrawn at the end have an error, too
    if (outcome instanceof Error) return this.#fail(outcome)
    if (outcome.kind === 'rejected') return this.#reject(outcome)
    this.#counts[outcome.kind]++
    this.#done++
    try {
      this.#marks.add(mark, name)
    } catch (error) {
      this.#fail(error as Error)
    }
  }

  #reject(reason: Pick<Rejected, 'message'> & { readonly code: string }): void {
    const { code, message } = this.#options.plan === undefined ? withPlanHint(reason) : reason
    this.#done++
    countIn(this.#rejected, code)
    if (!this.#messages.has(code)) this.#messages.set(code, message)
  }

  #fail(error: Error): void {
    this.#failure ??= error
    this.#ending.abort()
  }

  #sync(): void {
    try {
      this.#marks.sync()
    } catch (error) {
      this.#fail(error as Error)
    }
  }

  #result(writer: Writer | undefined): RejectedReplayResult {
    const { written, unchanged } = this.#counts
    const older = writer?.stats().newest?.older ?? 0
    return {
      stored: written - older,
      kept: unchanged + older,
      rejected: this.#rejected,
      messages: this.#messages,
      open: this.#wanted.size - this.#done
    }
  }
}

const EVERY_MS = 1000
/** Time for the answers of requests that were sent before a failure or an interruption. */
const CLOSE_MS = 5000
/** As in a load. */
const WRITER_BYTES = 8 * 1024 * 1024

async function openWriter(options: RejectedReplayOptions): Promise<Writer> {
  const { plan, share = '100%', newerBy } = options
  return createWriter({
    ...accountOptionsOf(options),
    ...(plan === undefined ? {} : { plan }),
    // of two records with the same value, the first one stays, as the stored document does
    ...(newerBy === undefined ? {} : { newest: { field: newerBy, ties: 'first' } }),
    share,
    maxBytes: WRITER_BYTES
  })
}

function countIn<K>(counts: Map<K, number>, key: K): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}

function invalid(message: string): KeystampError {
  return new KeystampError('OPTION_INVALID', message)
}
