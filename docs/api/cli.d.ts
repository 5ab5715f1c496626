// API report of keystamp, made by npm run docs. A change here is a change of the public API.

import type { Readable } from 'node:stream'
import type { Writable } from 'node:stream'

/** Parts of the process that a command uses. */
export interface Dependencies {
  readonly stdin: Readable & {
    readonly isTTY?: boolean
  }
  readonly stdout: Writable & {
    readonly isTTY?: boolean
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
  /** Runs the same command line in a new thread; undefined in that thread itself, and in programs that call `run`. */
  readonly inThread?: ((options: ThreadOptions) => Promise<ExitCode>) | undefined
}

/** What the command answers with. `docs/command-line.md` says the same. */
export declare const EXIT_CODES: {
  readonly ok: 0
  /** The work failed: an input or the output, broken data, a service that does not answer. */
  readonly failed: 1
  /** Starting again cannot help: an option, the plan, the configuration, a credential, or a container or topic that does not fit. */
  readonly usage: 2
  /** Records were rejected, and that was to stop the work. */
  readonly rejected: 3
  /** The time to shut down in has passed with work still open; it will be done again. */
  readonly abandoned: 4
  readonly interrupted: 130
}

/** Runs the command in a real process: signals, the end of a pipe, the exit code. */
export declare function main(host: NodeJS.Process): Promise<void>

/** Runs one command line and answers with the exit code. Nothing is thrown for a user's mistake. */
export declare function run(args: readonly string[], dependencies: Dependencies): Promise<ExitCode>

// Not exported; the declarations above refer to it.

type ExitCode = (typeof EXIT_CODES)[keyof typeof EXIT_CODES]

interface ThreadOptions {
  /** The thread reads standard input. */
  readonly readsInput: boolean
}

export {}
