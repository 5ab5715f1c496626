/** Exit codes of all commands, as documented in `docs/command-line.md`. */
export const EXIT_CODES = {
  ok: 0,
  /** An input, the output, the data or a service failed. */
  failed: 1,
  /** Retrying cannot help: a wrong option, plan, configuration or credential, or an unsuitable container or topic. */
  usage: 2,
  /** Rejected records stopped the command. */
  rejected: 3,
  /** The shutdown timeout passed with records in flight; they are read again after the next start. */
  abandoned: 4,
  /** A check found less than was asked for, or a difference. */
  notMet: 4,
  /** The data does not suffice to tell. */
  undecided: 5,
  interrupted: 130
} as const

/** Exit codes as the last part of a help text. */
export const EXIT_CODES_HELP = `
Exit codes:
  0    done
  1    failed
  2    a wrong option, plan or configuration
  3    rejected records stopped the command
  4    records had no outcome at the shutdown timeout
  130  interrupted
`

export type ExitCode = (typeof EXIT_CODES)[keyof typeof EXIT_CODES]

/** A mistake in the command line. The message says how to correct it. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'UsageError'
  }
}
