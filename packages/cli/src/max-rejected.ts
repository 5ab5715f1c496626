import { UsageError } from './usage-error.ts'

/** A number of records, or a percentage of the records read. */
export type MaxRejected = number | `${number}%`

/** Reads the value of `--max-rejected`. */
export function parseMaxRejected(text: string): MaxRejected {
  if (/^\d{1,12}$/.test(text)) return Number(text)
  if (/^\d+(?:\.\d+)?%$/.test(text) && Number(text.slice(0, -1)) <= 100) return text as `${number}%`
  throw new UsageError(`--max-rejected must be a whole number, or a percentage from 0% to 100% such as 1%, not "${text}".`)
}

/** The option as `--help` describes it; the same for all commands that have it. */
export const MAX_REJECTED_HELP =
  'with skip or collect: stop when more are rejected, a number or a percentage of the records read such as 1% (checked from 1,000 records on, and at the end)'
