import type { Readable, Writable } from 'node:stream'
import type { Worker } from 'node:worker_threads'
import type { ExitCode } from './exit-codes.ts'

/** Parts of the process that a command uses. */
export interface Dependencies {
  readonly stdin: Readable & { readonly isTTY?: boolean }
  readonly stdout: Writable & { readonly isTTY?: boolean; readonly columns?: number }
  readonly stderr: Writable & { readonly isTTY?: boolean; readonly columns?: number }
  /** Environment variables. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** Aborted when the user wants the command to end. */
  readonly signal: AbortSignal
  /** A monotonic clock in milliseconds. */
  readonly now: () => number
  /** Starts a thread that reads records of a sample; undefined with one processor, and in programs that call `run`. */
  readonly startReader?: (() => Worker) | undefined
  /** Runs the same command line in a new thread; undefined inside that thread, and in programs that call `run`. */
  readonly inThread?: ((options: ThreadOptions) => Promise<ExitCode>) | undefined
}

export interface ThreadOptions {
  /** True if the thread reads standard input. */
  readonly readsInput: boolean
}

/** Resolves when the signal aborts. */
export function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
