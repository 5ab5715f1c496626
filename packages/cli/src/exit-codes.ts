/** Exit codes of all commands, as documented in `docs/command-line.md`. */
export const EXIT_CODES = {
  ok: 0,
  /** A failure: of an input or the output, of data, or of a service. */
  failed: 1,
  /** Retrying cannot help: a wrong option, plan, configuration or credential, or an unsuitable container or topic. */
  usage: 2,
  /** Rejected records stopped the command. */
  rejected: 3,
  /** The shutdown timeout passed with open records; they will be read again. */
  abandoned: 4,
  interrupted: 130
} as const

/** Exit codes as the last part of a help text. */
export const EXIT_CODES_HELP = `
Exit codes:
  0    done
  1    failed
  2    a wrong option, plan or configuration
  3    rejected records stopped the command
  4    records were still open after the shutdown timeout
  130  interrupted
`

export type ExitCode = (typeof EXIT_CODES)[keyof typeof EXIT_CODES]

/** The command was used wrongly. The message says what to do instead. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'UsageError'
  }
}
