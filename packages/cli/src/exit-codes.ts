/** What the command answers with. `docs/command-line.md` says the same. */
export const EXIT_CODES = {
  ok: 0,
  /** The work failed: an input or the output, broken data, a service that does not answer. */
  failed: 1,
  /** Starting again cannot help: an option, the plan, the configuration, a credential, or a container or topic that does not fit. */
  usage: 2,
  /** Records were rejected, and that was to stop the work. */
  rejected: 3,
  /** The time to shut down in has passed with work still open; it will be done again. */
  abandoned: 4,
  interrupted: 130
} as const

/** The same as the last part of a help text. */
export const EXIT_CODES_HELP = `
Exit codes:
  0    done
  1    the work failed
  2    used wrongly: an option, the plan, a configuration
  3    records were rejected, and that was to stop the work
  4    not everything was done in the time to shut down
  130  interrupted
`

export type ExitCode = (typeof EXIT_CODES)[keyof typeof EXIT_CODES]
