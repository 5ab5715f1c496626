import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Backoff, type Clock, retry, type StopSignal, systemCode } from '@keystamp/core/internal'
import {
  type ControlRequest,
  type ControlResult,
  idsIn,
  parseRequest,
  POLL_MS,
  requestName,
  resultName
} from './control-request.ts'
import { replaceDurably } from './durable-files.ts'
import { unreadable, unwritable } from './journal-error.ts'

/** Files that anybody may create and remove. `pause`: copying pauses. `postpone`: the switch waits. */
export type Flag = 'pause' | 'postpone'

export interface ControlFolderOptions {
  readonly clock: Clock
  /** Called once in each process for each request that has no answer, in the order of the requests. */
  readonly onRequest: (request: ControlRequest) => void
  /** Called with an error of the folder, which the next poll or write may not have. */
  readonly onError?: (error: unknown) => void
}

/** The side of the running process in the folder of a journal, which it has locked. */
export interface ControlFolder {
  /** Whether the file was there at the last poll. */
  readonly isSet: (flag: Flag) => boolean
  /** Resolves at the first poll at which the file is not there. */
  readonly waitWhile: (flag: Flag, signal?: StopSignal) => Promise<void>
  /**
   * Answers a request. It is then not passed to a later process either. A full disk delays the answer, because a
   * process waits for it. Never rejects.
   */
  readonly answer: (id: string, result: ControlResult) => Promise<void>
  /** Replaces status.json, at most once a second: of several values, the last one is written. */
  readonly setStatus: (status: object) => void
  /** Stops the polls, and writes the last status, and the answers so far. */
  readonly close: () => Promise<void>
}

/** Begins to watch the folder of a journal; resolves after the first poll. */
export async function openControlFolder(folder: string, options: ControlFolderOptions): Promise<ControlFolder> {
  const watch = new FolderWatch(folder, options)
  const status = new StatusFile(folder, options)
  await watch.start()
  const closing = new AbortController()
  const answering = new Set<Promise<void>>()

  async function answer(id: string, result: ControlResult): Promise<void> {
    const path = join(folder, resultName(id))
    // the request goes last: after a crash in between it has its answer
    const write = async (): Promise<void> => {
      await replaceDurably(path, `${JSON.stringify(result)}\n`)
      await rm(join(folder, requestName(id)), { force: true })
    }
    const say = (error: unknown): void => options.onError?.(unwritable(path, error))
    const onRetry = (error: unknown, _: number, attempt: number): void => {
      if (attempt === 0) say(error)
    }
    await retry(write, { clock: options.clock, backoff: ANSWER_BACKOFF, signal: closing.signal, onRetry }).catch(() =>
      write().catch(say)
    )
  }

  return {
    isSet: (flag) => watch.flags.has(flag),
    waitWhile: (flag, signal) => watch.waitWhile(flag, signal),
    answer: async (id, result) => {
      const answered = answer(id, result)
      answering.add(answered)
      await answered
      answering.delete(answered)
    },
    setStatus: (value) => status.set(value),
    close: async () => {
      watch.close()
      closing.abort(new Error('The move has ended.'))
      await Promise.all(answering)
      await status.close()
    }
  }
}

const ANSWER_BACKOFF: Backoff = { firstMs: 500, maxMs: 5000 }

const FLAGS: readonly Flag[] = ['pause', 'postpone']
const STATUS_MS = 1000

/** Polls: notifications of file systems get lost, and network file systems have none. */
class FolderWatch {
  flags: ReadonlySet<Flag> = new Set()
  readonly #passed = new Set<string>()
  readonly #waiting = new Set<() => void>()
  #cancel: (() => void) | undefined = undefined
  #isClosed = false
  readonly #folder: string
  readonly #options: ControlFolderOptions

  constructor(folder: string, options: ControlFolderOptions) {
    this.#folder = folder
    this.#options = options
  }

  async start(): Promise<void> {
    try {
      await this.#poll()
    } catch (error) {
      this.#options.onError?.(unreadable(`The folder ${this.#folder} of the journal`, error))
    }
    if (!this.#isClosed) this.#cancel = this.#options.clock.schedule(POLL_MS, () => void this.start())
  }

  close(): void {
    this.#isClosed = true
    this.#cancel?.()
  }

  waitWhile(flag: Flag, signal?: StopSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const check = (): void => {
        if (signal?.aborted !== true && this.flags.has(flag)) return
        this.#waiting.delete(check)
        signal?.removeEventListener('abort', check)
        if (signal?.aborted === true) reject(signal.reason)
        else resolve()
      }
      this.#waiting.add(check)
      signal?.addEventListener('abort', check)
      check()
    })
  }

  async #poll(): Promise<void> {
    const names = await readdir(this.#folder)
    this.flags = new Set(FLAGS.filter((flag) => names.includes(flag)))
    for (const check of this.#waiting) check()
    const answered = new Set(idsIn(names, 'result'))
    for (const id of idsIn(names, 'request')) {
      if (answered.has(id)) await rm(join(this.#folder, requestName(id)), { force: true })
      else if (!this.#passed.has(id)) await this.#pass(id)
    }
  }

  async #pass(id: string): Promise<void> {
    const path = join(this.#folder, requestName(id))
    let text: string
    try {
      text = await readFile(path, 'utf8')
    } catch (error) {
      // the command that wrote it was stopped, and took it back
      if (systemCode(error) === 'ENOENT') return
      throw error
    }
    this.#passed.add(id)
    const request = parseRequest(id, text)
    if (request !== undefined && !this.#isClosed) this.#options.onRequest(request)
    if (request === undefined) this.#options.onError?.(unreadable(path, new Error('it is not a request')))
  }
}

class StatusFile {
  #next: object | undefined = undefined
  #cancel: (() => void) | undefined = undefined
  #writing: Promise<void> = Promise.resolve()
  /** Reason why the last status could not be written. */
  #failure: string | undefined
  readonly #path: string
  readonly #options: ControlFolderOptions

  constructor(folder: string, options: ControlFolderOptions) {
    this.#path = join(folder, 'status.json')
    this.#options = options
  }

  set(status: object): void {
    this.#next = status
    if (this.#cancel === undefined) this.#write()
  }

  async close(): Promise<void> {
    this.#cancel?.()
    this.#write()
    await this.#writing
    this.#cancel?.()
  }

  #write(): void {
    const status = this.#next
    this.#next = undefined
    this.#cancel = undefined
    if (status === undefined) return
    this.#cancel = this.#options.clock.schedule(STATUS_MS, () => this.#write())
    this.#writing = this.#writing
      .then(() => this.#replace(status))
      .then(
        () => this.#say(undefined),
        (error: unknown) => this.#say(unwritable(this.#path, error))
      )
  }

  /** Says a failure once, and not again with each status. */
  #say(failure: Error | undefined): void {
    if (failure !== undefined && failure.message !== this.#failure) this.#options.onError?.(failure)
    this.#failure = failure?.message
  }

  // not synced: after a power failure the next process writes another one
  async #replace(status: object): Promise<void> {
    await writeFile(`${this.#path}.new`, `${JSON.stringify(status)}\n`)
    await rename(`${this.#path}.new`, this.#path)
  }
}
