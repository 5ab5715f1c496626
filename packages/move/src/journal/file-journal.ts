import { type FileHandle, mkdir, open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { systemCode } from '@keystamp/core/internal'
import { DURABLE_FILES, type DurableFiles, replaceDurably } from './durable-files.ts'
import { lockFolder } from './folder-lock.ts'
import type { BeginEntry, Journal, JournalEntry, JournalState } from './journal.ts'
import { invalidJournal, RESTORE, unreadable, unwritable } from './journal-error.ts'
import { HEADER, type JournalText, LineWriter, readLines } from './journal-lines.ts'
import { JournalReduction } from './journal-state.ts'

/** The move that a journal records. */
export type MoveIdentity = Pick<BeginEntry, 'from' | 'to' | 'plan' | 'fence'>

export interface FileJournalOptions {
  /** A journal of another move is refused. Without it, every move is accepted. */
  readonly move?: MoveIdentity
  /** A smaller file is not compacted. */
  readonly minCompactedBytes?: number
  readonly files?: DurableFiles
}

/**
 * Opens the journal in a folder, which it creates, and locks it for this process. Throws JOURNAL_INVALID for damage, or
 * a journal of another move, and JOURNAL_IN_USE if another process has it open.
 */
export async function openFileJournal(folder: string, options: FileJournalOptions = {}): Promise<Journal> {
  await createFolder(folder)
  const unlock = await lockFolder(folder)
  try {
    const path = pathIn(folder)
    const { text, reduction } = await readText(path)
    if (options.move !== undefined)
      checkMove(path, reduction.state.begin, options.move, 'Name another folder with `--journal`')
    const file = await FileJournal.open(path, { text, reduction, options, unlock })
    return {
      state: () => file.state(),
      append: (entry) => file.append(entry),
      sync: () => file.sync(),
      close: () => file.close()
    }
  } catch (error) {
    unlock()
    throw error
  }
}

/** Reads the journal in a folder that a running process may have open. Undefined if there is none. */
export async function readFileJournal(folder: string): Promise<JournalState | undefined> {
  const { reduction } = await readText(pathIn(folder))
  return reduction.state.begin === undefined ? undefined : reduction.state
}

function pathIn(folder: string): string {
  return join(folder, 'journal.jsonl')
}

async function createFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true })
  } catch (cause) {
    const advice = systemCode(cause) === 'EEXIST' ? 'It is a file. ' : ''
    throw invalidJournal(
      `The folder ${folder} of the journal cannot be created. ${advice}Name a folder with \`--journal\`.`
    )
  }
}

type ReadText = Extract<JournalText, { readonly kind: 'read' }>

async function readText(path: string): Promise<{ readonly text: ReadText; readonly reduction: JournalReduction }> {
  const text = readLines(await readBytes(path))
  if (text.kind === 'foreign')
    throw invalidJournal(
      `${path} is not the journal of a move, and was not changed. Name another folder with \`--journal\`.`
    )
  if (text.kind === 'newer')
    throw invalidJournal(
      `The journal ${path} has the format ${text.version} of a newer version of Keystamp. Continue the move with that version.`
    )
  if (text.kind === 'damaged') throw invalidJournal(`The journal ${path} is damaged at line ${text.line}. ${RESTORE}`)
  const reduction = new JournalReduction()
  for (const entry of text.entries) reduction.apply(entry)
  return { text, reduction }
}

async function readBytes(path: string): Promise<Buffer> {
  try {
    return await readFile(path)
  } catch (cause) {
    if (systemCode(cause) === 'ENOENT') return Buffer.alloc(0)
    throw unreadable(`The journal ${path}`, cause)
  }
}

/** Throws JOURNAL_INVALID if a journal belongs to another move. `advice`: what to name instead. */
export function checkMove(path: string, begin: BeginEntry | undefined, move: MoveIdentity, advice: string): void {
  if (begin === undefined) return
  const difference = differenceOf(begin, move)
  if (difference !== undefined)
    throw invalidJournal(
      `The journal ${path} belongs to another move: ${difference}. ${advice}, or repeat the options with which that move began.`
    )
}

function differenceOf(begin: BeginEntry, move: MoveIdentity): string | undefined {
  for (const [side, preposition] of [
    ['from', 'from'],
    ['to', 'to']
  ] as const) {
    const [before, now] = [begin[side], move[side]]
    if (before.name !== now.name) return `it moves ${preposition} ${before.name}, not ${preposition} ${now.name}`
    if (before.rid !== now.rid) return `the container ${now.name} was deleted and created again since`
  }
  if (begin.plan !== move.plan) return 'it began with another plan'
  if (begin.fence === move.fence) return undefined
  return `it began ${begin.fence ? 'with' : 'without'} \`--fence\``
}

interface Opened {
  readonly text: ReadText
  readonly reduction: JournalReduction
  readonly options: FileJournalOptions
  readonly unlock: () => void
}

interface Waiting {
  readonly entry: JournalEntry
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

/** Writes all entries of a turn at once. Entries that arrive during a write are the next write. */
class FileJournal {
  #file: FileHandle
  #lines: LineWriter
  #bytes: number
  #compactAtBytes: number
  #waiting: Waiting[] = []
  /** Ends when all writes that were asked for so far are done. */
  #queue: Promise<void> = Promise.resolve()
  #failure: Error | undefined = undefined
  readonly #path: string
  readonly #minBytes: number
  readonly #files: DurableFiles
  readonly #reduction: JournalReduction
  readonly #unlock: () => void

  private constructor(path: string, file: FileHandle, { text, reduction, options, unlock }: Opened) {
    this.#path = path
    this.#file = file
    this.#lines = new LineWriter(text.checksum)
    this.#bytes = Math.max(text.bytes, HEADER.length)
    this.#minBytes = options.minCompactedBytes ?? MIN_COMPACTED_BYTES
    this.#compactAtBytes = this.#minBytes
    this.#files = options.files ?? DURABLE_FILES
    this.#reduction = reduction
    this.#unlock = unlock
  }

  static async open(path: string, opened: Opened): Promise<FileJournal> {
    try {
      if (opened.text.bytes === 0) await replaceDurably(path, HEADER)
      const file = await open(path, 'r+')
      // an entry that was cut short by the end of the process
      await file.truncate(Math.max(opened.text.bytes, HEADER.length))
      return new FileJournal(path, file, opened)
    } catch (cause) {
      throw unwritable(`The journal ${path}`, cause)
    }
  }

  state(): JournalState {
    return this.#reduction.state
  }

  append(entry: JournalEntry): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#failure !== undefined) throw this.#failure
      this.#reduction.apply(entry)
      this.#waiting.push({ entry, resolve, reject })
      if (this.#waiting.length === 1) this.#enqueue(() => this.#flush()).catch(() => undefined)
    })
  }

  sync(): Promise<void> {
    return this.#enqueue(() => this.#file.datasync())
  }

  async close(): Promise<void> {
    await this.#queue
    await this.#file.close()
    this.#failure ??= new Error('The journal is closed.')
    this.#unlock()
  }

  #enqueue(run: () => Promise<void>): Promise<void> {
    const before = this.#queue
    const done = this.#runAfter(before, run)
    this.#queue = done.catch(() => undefined)
    return done
  }

  // after a failed write the end of the file is unknown, so nothing is written after it
  async #runAfter(before: Promise<void>, run: () => Promise<void>): Promise<void> {
    await before
    if (this.#failure !== undefined) throw this.#failure
    try {
      await run()
    } catch (cause) {
      this.#failure = unwritable(`The journal ${this.#path}`, cause)
      throw this.#failure
    }
  }

  async #flush(): Promise<void> {
    const written = this.#takeWaiting()
    if (written.length === 0) return
    await this.#settle(written, async () => {
      const bytes = Buffer.from(written.map(({ entry }) => this.#lines.lineOf(entry)).join(''))
      await writeFully(this.#file, bytes, this.#bytes)
      this.#bytes += bytes.length
    })
    if (this.#bytes > this.#compactAtBytes) await this.#compact()
  }

  async #compact(): Promise<void> {
    const lines = new LineWriter(0)
    const text = HEADER + Array.from(this.#reduction.entries(), (entry) => lines.lineOf(entry)).join('')
    const bytes = Buffer.byteLength(text)
    this.#compactAtBytes = Math.max(this.#minBytes, 4 * bytes)
    if (this.#bytes <= this.#compactAtBytes) return
    // entries that wait to be written are applied already, so the text has them
    await this.#settle(this.#takeWaiting(), async () => {
      await replaceDurably(this.#path, text, this.#files)
      const before = this.#file
      this.#file = await open(this.#path, 'r+')
      await before.close()
    })
    this.#bytes = bytes
    this.#lines = lines
  }

  #takeWaiting(): readonly Waiting[] {
    const taken = this.#waiting
    this.#waiting = []
    return taken
  }

  async #settle(entries: readonly Waiting[], write: () => Promise<void>): Promise<void> {
    try {
      await write()
    } catch (cause) {
      for (const { reject } of entries) reject(unwritable(`The journal ${this.#path}`, cause))
      throw cause
    }
    for (const { resolve } of entries) resolve()
  }
}

const MIN_COMPACTED_BYTES = 4 << 20

async function writeFully(file: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let done = 0; done < bytes.length;) {
    const { bytesWritten } = await file.write(bytes, done, bytes.length - done, position + done)
    done += bytesWritten
  }
}
