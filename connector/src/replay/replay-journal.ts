import { KeystampError } from '@keystamp/core'
import { systemCode, systemReason } from '@keystamp/core/internal'
import { closeSync, fdatasyncSync, fsyncSync, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'

/** Which dead letters were replayed. Kept in a folder, so that a second run skips them. */
export interface ReplayJournal {
  /** Whether a dead letter was replayed before. */
  readonly has: (mark: string) => boolean
  /** Marks a dead letter as replayed; on disk after `sync`. `name` helps readers of the file. */
  readonly add: (mark: string, name: string) => void
  readonly sync: () => void
  readonly close: () => void
}

/** Sink and container of a journal, which must not be used for others. */
export interface JournalOwner {
  /** Undefined if the rejected records are of files. */
  readonly sink: string | undefined
  /** Endpoint, database and container. */
  readonly target: string
}

const FILE = 'replayed.txt'
const FIRST_LINE = 'keystamp replay 1'
const FLUSH_BYTES = 64 * 1024

/** Reads the marks of a journal, which may not exist yet. Changes nothing. Throws JOURNAL_INVALID. */
export function readReplayJournal(folder: string, owner: JournalOwner): ReadonlySet<string> {
  const path = join(folder, FILE)
  const text = readIfPresent(path)
  if (text === undefined || text === '') return new Set()
  const [first, ...lines] = text.split('\n')
  // a killed process may have left a part of the first line: nothing was replayed
  if (lines.length === 0 && firstLine(owner).startsWith(first)) return new Set()
  if (first !== firstLine(owner)) throw invalid(path, first, owner)
  // an incomplete line has a shorter mark, which no dead letter has
  return new Set(lines.map((line) => line.split(' ', 1)[0]))
}

/** Opens a journal for writing; creates the folder and the file. */
export function openReplayJournal(folder: string, owner: JournalOwner): ReplayJournal {
  const path = join(folder, FILE)
  const known = readReplayJournal(folder, owner)
  let file: number
  let waiting: string
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const before = readIfPresent(path) ?? ''
    const isNew = !before.includes('\n')
    file = openSync(path, isNew ? 'w' : 'a', 0o600)
    // a killed process may have left an incomplete line
    waiting = isNew ? `${firstLine(owner)}\n` : before.endsWith('\n') ? '' : '\n'
    flush()
    fsyncSync(file)
    syncFolder(folder)
  } catch (error) {
    throw failed(path, error)
  }

  function flush(): void {
    if (waiting === '') return
    const bytes = Buffer.from(waiting)
    for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at)
    waiting = ''
  }

  function orFail(work: () => void): void {
    try {
      work()
    } catch (error) {
      throw failed(path, error)
    }
  }

  return {
    has: (mark) => known.has(mark),
    add: (mark, name) => {
      waiting += `${mark} ${name}\n`
      if (waiting.length > FLUSH_BYTES) orFail(flush)
    },
    sync: () =>
      orFail(() => {
        flush()
        fdatasyncSync(file)
      }),
    close: () => closeSync(file)
  }
}

function readIfPresent(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw failed(path, error)
  }
}

function firstLine({ sink, target }: JournalOwner): string {
  return `${FIRST_LINE} ${JSON.stringify({ sink, target })}`
}

// a new file is durable only once its folder entry is; not every file system can sync folders
function syncFolder(folder: string): void {
  let opened: number | undefined
  try {
    opened = openSync(folder, 'r')
    fsyncSync(opened)
  } catch {
    // without it, a crash of the machine can only make a second run replay the same dead letters again
  } finally {
    if (opened !== undefined) closeSync(opened)
  }
}

function invalid(path: string, first: string, { sink, target }: JournalOwner): KeystampError {
  const whose = first.startsWith(FIRST_LINE)
    ? `is the journal of another replay: ${first.slice(FIRST_LINE.length + 1)}`
    : 'is no journal of a replay'
  return new KeystampError(
    'JOURNAL_INVALID',
    `${path} ${whose}. This replay is ${sink === undefined ? 'of files' : `of the sink ${JSON.stringify(sink)}`} into ${target}: name another folder with \`journal\`.`
  )
}

function failed(path: string, error: unknown): unknown {
  if (systemCode(error) === undefined || error instanceof KeystampError) return error
  return new KeystampError(
    'OUTPUT_UNWRITABLE',
    `The journal ${path} cannot be read or written: ${systemReason(error)}.`,
    {
      cause: error
    }
  )
}
