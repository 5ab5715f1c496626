import { DataError } from './data-error.ts'
import { reasonOf } from './folder-files.ts'

/** State of the compaction of a data folder. */
export interface CompactionReport {
  /** `failing`: the last attempt failed, so the files grow with each change. */
  readonly state: 'working' | 'failing'
  /** Begin of this state by the clock of the machine, in milliseconds since 1970. */
  readonly sinceMs: number
  /** Reason of the last failure, as a part of a sentence; left out while compactions work. */
  readonly reason?: string
  /** Time of the next attempt, which the next change after it begins; left out while compactions work. */
  readonly retryAtMs?: number
}

/** Functions of the process that `CompactionHealth` uses. */
export interface HealthDependencies {
  /** Receives a sentence when compactions begin to fail, and when they work again. */
  readonly warn: (sentence: string) => void
  /** Milliseconds since 1970 by the clock of the machine. */
  readonly nowMs: () => number
}

/** Knows whether the compactions of a folder work: reports the first failure and the recovery, and delays retries. */
export class CompactionHealth {
  readonly #folder: string
  readonly #dependencies: HealthDependencies
  #sinceMs: number
  #failures = 0
  #reason = ''
  #retryAtMs = -Infinity

  constructor(folder: string, dependencies: HealthDependencies) {
    this.#folder = folder
    this.#dependencies = dependencies
    this.#sinceMs = dependencies.nowMs()
  }

  /** Whether a compaction may begin: none has failed, or the delay after the last failure is over. */
  get isDue(): boolean {
    return this.#failures === 0 || this.#dependencies.nowMs() >= this.#retryAtMs
  }

  /** Called after a compaction failed. */
  failed(error: unknown): void {
    const nowMs = this.#dependencies.nowMs()
    this.#retryAtMs = nowMs + Math.min(FIRST_RETRY_MS * 2 ** this.#failures, MAX_RETRY_MS)
    this.#failures += 1
    this.#reason = reasonFor(error)
    if (this.#failures > 1) return
    this.#sinceMs = nowMs
    this.#dependencies.warn(
      `The data folder ${this.#folder} cannot be compacted: ${this.#reason}. No data are lost, but the files grow with each change. ${adviceFor(error)} The emulator tries again, and says when it works.`
    )
  }

  /** Called after a compaction succeeded. */
  worked(): void {
    if (this.#failures === 0) return
    const since = new Date(this.#sinceMs).toISOString()
    const attempts = this.#failures === 1 ? 'one failed attempt' : `${this.#failures} failed attempts`
    this.#failures = 0
    this.#sinceMs = this.#dependencies.nowMs()
    this.#dependencies.warn(
      `The compaction of the data folder ${this.#folder} works again, after ${attempts} since ${since}.`
    )
  }

  report(): CompactionReport {
    const sinceMs = this.#sinceMs
    if (this.#failures === 0) return { state: 'working', sinceMs }
    return { state: 'failing', sinceMs, reason: this.#reason, retryAtMs: this.#retryAtMs }
  }
}

const FIRST_RETRY_MS = 1000
// an attempt may write a large part of a snapshot before it fails, and leaves one more log
const MAX_RETRY_MS = 300_000

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}

function reasonFor(error: unknown): string {
  // a sentence becomes a part of another one
  if (error instanceof DataError) return error.message.replace(/\.$/, '')
  return codeOf(error) === 'ENOENT' ? 'the folder or one of its files is missing' : reasonOf(error)
}

function adviceFor(error: unknown): string {
  return ADVICE[String(codeOf(error))] ?? 'Check the folder and its disk.'
}

const WRITABLE = 'Allow the emulator to create, rename and remove files in the folder.'
const SPACE = 'Free space for another copy of the data on its disk.'

const ADVICE: Readonly<Record<string, string>> = {
  EACCES: WRITABLE,
  EPERM: WRITABLE,
  EROFS: 'Make its file system writable.',
  ENOSPC: SPACE,
  EDQUOT: SPACE
}
