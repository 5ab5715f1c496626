import { readdirSync, readFileSync } from 'node:fs'
import { type FileHandle, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { unreadable, unwritable } from './journal-error.ts'

/**
 * Contents that a process of a move has written, or was about to write, to the container that is not in charge. They
 * outlive the process, because the change feed does not tell who has made a change. Only those count whose ETag this
 * process does not know: those of the process before, and those without an answer.
 */
export interface WrittenContents {
  /** Resolves when the digest of a content, 32 hexadecimal digits, survives the end of the process. */
  readonly add: (digest: string) => Promise<void>
  /** The content was written, and its ETag is known. */
  readonly confirm: (digest: string) => void
  readonly has: (digest: string) => boolean
  /** All changes so far were judged, and the next process begins after them. Contents are kept for some time after it. */
  readonly seen: () => Promise<void>
  readonly close: () => Promise<void>
}

export interface WrittenContentsOptions {
  /** By the process's own clock. */
  readonly now: () => number
  /** Contents of a file. Default: 131,072. */
  readonly maxContents?: number
}

const DIGEST_BYTES = 16
const MAX_CONTENTS = 2 ** 17
/** Replicas may be behind, and writes may be without an answer for some time. */
const KEEP_MS = 30_000

/**
 * Opens the contents in the folder of a journal, which this process has locked. A digest that is lost makes a change of
 * the move one of others, which loses nothing.
 */
export function openWrittenContents(folder: string, options: WrittenContentsOptions): WrittenContents {
  return new WrittenFiles(folder, options)
}

/**
 * Two files: from time to time, the older one is deleted, and a new one begins. All digests of a turn are written at
 * once; those that arrive during a write are the next write.
 */
class WrittenFiles implements WrittenContents {
  readonly #folder: string
  readonly #options: WrittenContentsOptions
  /** Numbers of the files. */
  readonly #numbers: number[]
  #file: FileHandle | undefined
  #begunMs: number
  /** Contents of the last file. */
  #count = 0
  #older: Set<string>
  #newer: Set<string> = new Set()
  readonly #waiting: Buffer[] = []
  #flushing: Promise<void> | undefined
  /** Ends when all work on the files that was asked for so far is done. */
  #queue: Promise<void> = Promise.resolve()

  constructor(folder: string, options: WrittenContentsOptions) {
    this.#folder = folder
    this.#options = options
    this.#begunMs = options.now()
    this.#numbers = numbersIn(folder)
    this.#older = new Set(this.#numbers.flatMap((number) => readDigests(pathOf(folder, number))))
  }

  readonly add = (digest: string): Promise<void> => {
    this.#newer.add(digest)
    this.#waiting.push(Buffer.from(digest, 'hex'))
    return (this.#flushing ??= this.#enqueue(() => this.#flush()))
  }

  readonly confirm = (digest: string): void => {
    this.#newer.delete(digest)
  }

  readonly has = (digest: string): boolean => this.#newer.has(digest) || this.#older.has(digest)

  readonly seen = async (): Promise<void> => {
    if (this.#options.now() - this.#begunMs >= KEEP_MS) await this.#enqueue(() => this.#forgetOlder())
  }

  readonly close = async (): Promise<void> => {
    await this.#queue
    await this.#file?.close()
  }

  async #flush(): Promise<void> {
    this.#flushing = undefined
    const bytes = Buffer.concat(this.#waiting.splice(0))
    if (this.#file === undefined) {
      const number = (this.#numbers.at(-1) ?? 0) + 1
      this.#file = await open(pathOf(this.#folder, number), 'wx', 0o600)
      this.#numbers.push(number)
    }
    await this.#file.appendFile(bytes)
    this.#count += bytes.length / DIGEST_BYTES
    if (this.#count >= (this.#options.maxContents ?? MAX_CONTENTS)) await this.#forgetOlder()
  }

  /** Ends the last file, and deletes those before. */
  async #forgetOlder(): Promise<void> {
    const kept = this.#file === undefined ? 0 : 1
    await this.#file?.close()
    this.#file = undefined
    for (const number of this.#numbers.splice(0, this.#numbers.length - kept)) await rm(pathOf(this.#folder, number))
    this.#older = this.#newer
    this.#newer = new Set()
    this.#begunMs = this.#options.now()
    this.#count = 0
  }

  async #enqueue(run: () => Promise<void>): Promise<void> {
    const done = this.#queue.then(run)
    this.#queue = done.catch(() => undefined)
    try {
      await done
    } catch (cause) {
      throw unwritable(`The folder ${this.#folder} of the journal`, cause)
    }
  }
}

function readDigests(path: string): readonly string[] {
  try {
    const text = readFileSync(path).toString('hex')
    // the process may have ended while it wrote the last one
    return text.match(/.{32}/g) ?? []
  } catch (cause) {
    throw unreadable(path, cause)
  }
}

function pathOf(folder: string, number: number): string {
  return join(folder, `written-${String(number).padStart(8, '0')}`)
}

function numbersIn(folder: string): number[] {
  return readdirSync(folder)
    .map((name) => /^written-(\d{8})$/.exec(name)?.[1])
    .filter((digits) => digits !== undefined)
    .map(Number)
    .toSorted((a, b) => a - b)
}
