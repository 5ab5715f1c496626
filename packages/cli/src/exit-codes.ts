/** What the command answers with. `docs/command-line.md` says the same. */
export const EXIT_CODES = {
  ok: 0,
  /** The work failed: an input or the output, broken data, a service that does not answer. */
  failed: 1,
  /** The command was used wrongly: an option, the plan, a configuration, a container or topic that does not fit it: trying again does not help. */
  usage: 2,
  /** Records were rejected, and that was to stop the work. */
  rejected: 3,
  /** The time to shut down in has passed with work still open; it will be done again. */
  abandoned: 4,
  interrupted: 130
} as const

export type ExitCode = (typeof EXIT_CODES)[keyof typeof EXIT_CODES]
