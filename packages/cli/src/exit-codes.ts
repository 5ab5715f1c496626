/** What the command answers with. `docs/command-line.md` says the same. */
export const EXIT_CODES = {
  ok: 0,
  /** The work failed: an input or the output, broken data, a service that does not answer. */
  failed: 1,
  /** The command was used wrongly: an option, the plan, a container that does not fit it. */
  usage: 2,
  /** Records were rejected, and that was to stop the work. */
  rejected: 3,
  interrupted: 130
} as const

export type ExitCode = (typeof EXIT_CODES)[keyof typeof EXIT_CODES]
