// API report of keystamp, made by npm run docs. A change here is a change of the public API.

import type { Readable } from 'node:stream'
import type { Worker } from 'node:worker_threads'
import type { Writable } from 'node:stream'

/** Parts of the process that a command uses. */
export interface Dependencies {
  readonly stdin: Readable & {
    readonly isTTY?: boolean
  }
  readonly stdout: Writable & {
    readonly isTTY?: boolean
    readonly columns?: number
  }
  readonly stderr: Writable & {
    readonly isTTY?: boolean
    readonly columns?: number
  }
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

/** Exit codes of all commands, as documented in `docs/command-line.md`. */
export declare const EXIT_CODES: {
  readonly ok: 0
  /** An input, the output, the data or a service failed. */
  readonly failed: 1
  /** Retrying cannot help: a wrong option, plan, configuration or credential, or an unsuitable container or topic. */
  readonly usage: 2
  /** Rejected records stopped the command. */
  readonly rejected: 3
  /** The shutdown timeout passed with records in flight; they are read again after the next start. */
  readonly abandoned: 4
  /** A check found less than was asked for, or a difference. */
  readonly notMet: 4
  /** The data does not suffice to tell. */
  readonly undecided: 5
  readonly interrupted: 130
}

/** Runs the command in a real process: signals, the end of a pipe, the exit code. */
export declare function main(host: NodeJS.Process): Promise<void>

/** Runs one command line and resolves with the exit code. A mistake of the user is printed, not thrown. */
export declare function run(args: readonly string[], dependencies: Dependencies): Promise<ExitCode>

// Not exported; the declarations above refer to it.

type ExitCode = (typeof EXIT_CODES)[keyof typeof EXIT_CODES]

interface ThreadOptions {
  /** True if the thread reads standard input. */
  readonly readsInput: boolean
}

export {}
