import { UsageError } from './usage-error.ts'

/** Parses `--on-error` and `--max-rejected`. */
export function parseRejectPolicy(
  onError: string,
  maxRejected: string | undefined
): { readonly onError: 'throw' | 'skip' | { readonly collect: string }; readonly maxRejected?: MaxRejected } {
  return { onError: parseOnError(onError), ...(maxRejected === undefined ? {} : { maxRejected: parseMaxRejected(maxRejected) }) }
}

function parseOnError(text: string): 'throw' | 'skip' | { readonly collect: string } {
  if (text === 'throw' || text === 'skip') return text
  const file = /^collect:(.+)$/.exec(text)?.[1]
  if (file === undefined) throw new UsageError(`--on-error takes throw, skip or collect:<file>, not "${text}".`)
  return { collect: file }
}

/** A number of records, or a percentage of the records read. */
type MaxRejected = number | `${number}%`

function parseMaxRejected(text: string): MaxRejected {
  if (/^\d{1,12}$/.test(text)) return Number(text)
  if (/^\d+(?:\.\d+)?%$/.test(text) && Number(text.slice(0, -1)) <= 100) return text as `${number}%`
  throw new UsageError(`--max-rejected must be a whole number, or a percentage from 0% to 100% such as 1%, not "${text}".`)
}

/** Description of `--max-rejected` in the help of every command that has it. */
export const MAX_REJECTED_HELP =
  'with skip or collect: stop when more are rejected, a number or a percentage of the records read such as 1% (checked from 1,000 records on, and at the end)'
