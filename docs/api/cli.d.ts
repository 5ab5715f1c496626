// API report of keystamp, made by npm run docs. A change here is a change of the public API.

import type { Readable } from 'node:stream'
import type { Writable } from 'node:stream'

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

/** All that a command touches of the process it runs in. */
export interface Surroundings {
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
  /** The environment's variables. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** Aborted when the user wants the command to end. */
  readonly signal: AbortSignal
  /** Milliseconds that only ever grow. */
  readonly now: () => number
  /** Runs the same command line once more, in a thread of its own; undefined where this is that thread, or where none is wanted. */
  readonly inThread?: ((options: ThreadOptions) => Promise<ExitCode>) | undefined
}

/** Runs the command in a real process: signals, the end of a pipe, the exit code. */
export declare function main(host: NodeJS.Process): Promise<void>

/** Runs one command line and answers with the exit code. Nothing is thrown for a user's mistake. */
export declare function run(args: readonly string[], surroundings: Surroundings): Promise<ExitCode>

// Not exported; the declarations above refer to it.

type ExitCode = (typeof EXIT_CODES)[keyof typeof EXIT_CODES]

interface ThreadOptions {
  /** Standard input is read in the thread. */
  readonly readsInput: boolean
}

export {}
