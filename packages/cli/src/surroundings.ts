import type { Readable, Writable } from 'node:stream'
import type { ExitCode } from './exit-codes.ts'
import type { ThreadOptions } from './run-in-thread.ts'

/** All that a command touches of the process it runs in. */
export interface Surroundings {
  readonly stdin: Readable & { readonly isTTY?: boolean }
  readonly stdout: Writable & { readonly isTTY?: boolean }
  readonly stderr: Writable & { readonly isTTY?: boolean; readonly columns?: number }
  /** The environment's variables. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** Aborted when the user wants the command to end. */
  readonly signal: AbortSignal
  /** Milliseconds that only ever grow. */
  readonly now: () => number
  /** Runs the same command line once more, in a thread of its own; undefined where this is that thread, or where none is wanted. */
  readonly inThread?: ((options: ThreadOptions) => Promise<ExitCode>) | undefined
}
