import type { Rejected } from './rejected.ts'

/** A rejected record as a line of JSON; of what a key function threw only the message. */
export function rejectedLine({ cause, ...rest }: Rejected): string {
  const told = cause instanceof Error ? { ...rest, cause: cause.message } : rest
  return `${JSON.stringify(told)}\n`
}
